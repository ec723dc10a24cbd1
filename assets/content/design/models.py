"""The design library: from three answers to one design-tokens file, checked and repaired."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from assets.content.design import build, contrast
from assets.content.design.answers import (
    Colours,
    Layout,
    Palette,
    Revision,
    TypeScale,
)
from assets.content.design.contrast import Role
from assets.content.design.tokens import ColorToken, DesignTokens
from orch_dagster.core.brief import Brief

__all__ = ["DesignTokens", "Layout", "Palette", "Revision", "TypeScale"]

Answers = Mapping[str, Any]
"""Instances of the models in `answers.py`, by prompt name."""

_ROOM = 1.2
"""A contrast under this many times what is required is shown to the quality pass."""

_ALIAS = re.compile(r"^\{(.+)\}$")
_WANTED = {
    "fontFamily": "fontFamily",
    "fontSize": "dimension",
    "fontWeight": "fontWeight",
    "letterSpacing": "dimension",
    "lineHeight": "number",
}


def compose(brief: Brief, answers: Answers) -> DesignTokens:
    """The tokens; sizes, distances and contrast are computed."""
    palette: Palette = answers["palette"]
    return build.document(
        description=f"Design tokens for {brief.title!r}",
        color=build.color_group(palette.mood, palette.colours, palette.names),
        font=build.font_group(answers["type_scale"]),
        layout=answers["layout"],
    )


def show(candidate: DesignTokens) -> str:
    """The tokens as the quality pass sees them: what it can change, and the narrow contrasts."""
    colours = [f"{role} {token.value_.hex} {_name(token)}" for role, token in _colours(candidate)]
    narrow = [
        f"{pair.front} on {pair.ground} {pair.shown} of {pair.required}"
        for pair in build.measures(candidate)
        if pair.ratio < pair.required * _ROOM
    ]
    font, layout = candidate.font, candidate.layout
    families = f"{font.family.heading.value_[0]} over {font.family.body.value_[0]}"
    return "\n".join(
        [
            f"Palette: {candidate.color.description_}",
            *colours,
            f"Narrow contrasts: {'; '.join(narrow) or 'none'}",
            f"Type: {families}; {font.weight.heading.value_} and {font.weight.body.value_}; "
            f"{font.size.description_}; lines {font.line_height.heading.value_:g} and "
            f"{font.line_height.body.value_:g}. {font.description_}",
            f"Layout: {layout.measure.value_:g} signs, {layout.columns.value_:g} columns; "
            f"{candidate.space.description_}. {layout.description_}",
            *(f"- {rule}" for rule in candidate.extensions_.rules),
        ]
    )


def accept(prompt: str, answer: Any, answers: Answers) -> list[str]:
    """What is wrong with one answer in the light of earlier ones, each as a sentence."""
    match answer:
        case Palette():
            return _pair_faults(_measured(answer.colours, large_headings=True))
        case TypeScale():
            palette: Palette = answers["palette"]
            sizes = build.sizes_px(answer.base_px, answer.ratio)
            large = all(
                contrast.is_large(sizes[step], answer.heading_weight) for step in build.HEADINGS
            )
            found = _pair_faults(_measured(palette.colours, large_headings=large))
            hint = "take a larger ratio, base or weight, so that all headings are large text"
            return [f"{fault}; {hint}" for fault in found]
        case Revision():
            roles = [edit.role for edit in answer.colours]
            return [f"{r} is edited twice" for r in sorted(set(roles)) if roles.count(r) > 1]
        case _:
            return []


def revise(candidate: DesignTokens, revision: Revision) -> DesignTokens:
    """The candidate with the edits in place, and everything computed from them anew."""
    colours = {
        edit.role: getattr(candidate.color, edit.role).model_copy(
            update={"value_": build.color_value(edit.hex)}
        )
        for edit in revision.colours
    }
    changes: dict[str, Any] = {"color": candidate.color.model_copy(update=colours)}
    if revision.type_scale is not None:
        changes["font"] = build.font_group(revision.type_scale)
    if revision.layout is not None:
        changes["space"] = build.space_group(revision.layout)
        changes["layout"] = build.layout_group(revision.layout)
        changes["extensions_"] = candidate.extensions_.model_copy(
            update={"rules": revision.layout.rules}
        )
    return build.with_contrast(candidate.model_copy(update=changes))


def check(brief: Brief, answers: Answers, candidate: DesignTokens) -> list[str]:
    """What code finds wrong with the tokens, each as a sentence naming what and where."""
    found = _pair_faults(build.measures(candidate))
    if candidate.extensions_.contrast != build.contrasts(candidate):
        found.append("the contrast figures are not those of these colours and sizes")
    found += [
        f"{role}: the components do not make {token.value_.hex}"
        for role, token in _colours(candidate)
        if token.value_.components != contrast.components(token.value_.hex)
    ]
    return found + list(_alias_faults(candidate))


def _measured(colours: Colours, *, large_headings: bool) -> tuple[contrast.Measure, ...]:
    by_role: Mapping[Role, str] = {role: getattr(colours, role) for role in build.PURPOSES}
    return contrast.measure(by_role, large_headings=large_headings)


def _pair_faults(measures: tuple[contrast.Measure, ...]) -> list[str]:
    return [
        f"{pair.front} on {pair.ground} has a contrast of {pair.shown}:1, "
        f"{pair.required}:1 is needed"
        for pair in measures
        if not pair.passes
    ]


def _name(token: ColorToken) -> str:
    return token.description_.partition(":")[0]


def _colours(tokens: DesignTokens) -> list[tuple[str, ColorToken]]:
    return [(role, getattr(tokens.color, role)) for role in build.PURPOSES]


def _alias_faults(candidate: DesignTokens) -> Iterator[str]:
    document = candidate.model_dump(mode="json", by_alias=True)
    tokens = dict(_tokens(document, ()))
    for path, token in tokens.items():
        for wanted, value in _references(token):
            target = tokens.get(value)
            if target is None:
                yield f"{path} refers to {value!r}, which does not exist"
            elif target["$type"] != wanted:
                yield f"{path} refers to {value!r}, which is no {wanted}"


def _tokens(group: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for name, value in group.items():
        if name.startswith("$") or not isinstance(value, Mapping):
            continue
        if "$value" in value:
            yield ".".join((*path, name)), value
        else:
            yield from _tokens(value, (*path, name))


def _references(token: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The type that is wanted and the path that is given, for each alias in a token."""
    value = token["$value"]
    parts = {token["$type"]: value}
    if token["$type"] == "typography":
        parts = {_WANTED[name]: part for name, part in value.items() if isinstance(part, str)}
    for wanted, part in parts.items():
        if isinstance(part, str) and (alias := _ALIAS.match(part)):
            yield wanted, alias[1]
