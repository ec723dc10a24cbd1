"""How tokens are composed, measured, refused, revised and checked."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.content.design import build, contrast
from assets.content.design.answers import ColourEdit, Colours
from assets.content.design.models import accept, check, revise, show
from assets.content.design.tokens import DesignTokens
from orch_dagster.candidate import render
from tests.design.answers import answers, brief, layout, palette, revision, tokens, type_scale

HEX = st.integers(min_value=0, max_value=0xFFFFFF).map(lambda value: f"#{value:06x}")


def document() -> dict[str, Any]:
    return json.loads(render(tokens()))


def faults(candidate: DesignTokens) -> list[str]:
    return check(brief(), answers(), candidate)


def test_sound_tokens_have_no_faults_and_survive_their_file():
    assert faults(tokens()) == []
    assert DesignTokens.model_validate_json(render(tokens())) == tokens()


def test_the_file_has_the_forms_of_the_dtcg_format_2025_10():
    found = document()
    assert found["$schema"].endswith("/2025.10/format.json")
    assert found["color"]["text-muted"] == {
        "$description": "dust: captions, notes and dates on background and surface",
        "$type": "color",
        "$value": {
            "colorSpace": "srgb",
            "components": [0.3333, 0.3137, 0.3725],
            "hex": "#55505f",
        },
    }
    assert found["font"]["size"]["body"]["$value"] == {"value": 1.125, "unit": "rem"}
    assert found["font"]["family"]["body"]["$value"] == ["Literata", "serif"]
    assert found["type"]["heading"]["$value"] == {
        "fontFamily": "{font.family.heading}",
        "fontSize": "{font.size.heading}",
        "fontWeight": "{font.weight.heading}",
        "letterSpacing": {"value": 0.0, "unit": "rem"},
        "lineHeight": "{font.line-height.heading}",
    }
    assert found["layout"]["gutter"]["$value"] == "{space.m}"


def test_names_begin_with_a_dollar_only_where_the_format_says_so():
    known = {"$schema", "$description", "$type", "$value", "$extensions"}

    def names(value: Any) -> set[str]:
        if isinstance(value, dict):
            return set(value) | {name for part in value.values() for name in names(part)}
        return set()

    assert {name for name in names(document()) if name.startswith("$")} == known
    assert not {name for name in document() if set(name) & set("{}.")}


def test_sizes_are_steps_of_the_ratio_and_distances_multiples_of_the_unit():
    sizes = build.sizes_px(16, "major third")
    assert (sizes["caption"], sizes["body"], sizes["heading"]) == (12.8, 16, 31.25)
    space = tokens().space
    assert space.m.value_ == build.DimensionValue(value=2, unit="rem")


@pytest.mark.parametrize("ratio", list(build.RATIOS))
def test_no_size_is_under_12_px_and_each_is_larger_than_the_one_before(ratio: build.Ratio):
    sizes = list(build.sizes_px(16, ratio).values())
    assert sizes == sorted(sizes)
    assert round(sizes[0], 6) >= 12


@pytest.mark.parametrize(
    ("front", "ground", "expected"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#ffffff", "#ffffff", 1.0),
        ("#777777", "#ffffff", 4.47),
        ("#767676", "#ffffff", 4.54),
        ("#ff0000", "#ffffff", 3.99),
        ("#0000ff", "#ffffff", 8.59),
    ],
)
def test_contrast_is_that_of_wcag(front: str, ground: str, expected: float):
    pair = contrast.Measure("text", "background", contrast.ratio(front, ground), 4.5)
    assert pair.shown == expected


def test_a_ratio_just_under_the_limit_is_not_rounded_up_to_pass():
    pair = contrast.Measure("text", "background", 4.4999, 4.5)
    assert (pair.shown, pair.passes) == (4.49, False)


@given(HEX, HEX)
def test_contrast_has_no_direction_and_lies_between_1_and_21(front: str, ground: str):
    ratio = contrast.ratio(front, ground)
    assert ratio == contrast.ratio(ground, front)
    assert 1 - 1e-9 <= ratio <= 21 + 1e-9


@given(HEX)
def test_components_make_the_hex_again(colour: str):
    made = "".join(f"{round(part * 255):02x}" for part in contrast.components(colour))
    assert f"#{made}" == colour


def test_every_front_is_measured_on_every_ground_it_stands_on():
    pairs = {(pair.text, pair.background) for pair in tokens().extensions_.contrast}
    assert len(pairs) == 11
    assert ("{color.on-accent}", "{color.accent}") in pairs
    assert ("{color.text-muted}", "{color.surface}") in pairs


def test_the_figures_are_part_of_the_file():
    first = document()["$extensions"]["orch-dagster.contrast"][0]
    assert first == {
        "text": "{color.text}",
        "background": "{color.background}",
        "criterion": "1.4.3",
        "ratio": 16.0,
        "required": 4.5,
        "passes": True,
    }


@pytest.mark.parametrize(
    ("px", "weight", "large"),
    [(24, 400, True), (23.9, 400, False), (19, 700, True), (18.6, 700, False), (19, 600, False)],
)
def test_large_text_is_18_point_or_14_point_bold(px: float, weight: int, large: bool):
    assert contrast.is_large(px, weight) is large


def test_headings_need_less_contrast_only_where_all_of_them_are_large():
    pale = palette(heading="#b07a3a")
    assert accept("palette", pale, {}) == []
    assert accept("type_scale", type_scale(), {"palette": pale}) == []
    small = type_scale(base_px=16, ratio="major second", heading_weight=700)
    assert small.base_px * 1.125**2 > 18.67
    assert accept("type_scale", small, {"palette": pale}) == []
    light = small.model_copy(update={"heading_weight": 600})
    found = accept("type_scale", light, {"palette": pale})
    assert "heading on background has a contrast of" in found[0]
    assert "4.5:1 is needed; take a larger ratio" in found[0]
    assert "heading on background" in faults(tokens(palette=pale, type_scale=light))[0]


@pytest.mark.parametrize(
    ("role", "colour", "pairs"),
    [
        ("text", "#999999", 2),
        ("text_muted", "#8d8899", 2),
        ("heading", "#d9b98c", 2),
        ("link", "#6aa0e0", 2),
        ("focus", "#c9d6e6", 2),
        ("on_accent", "#d08a80", 1),
        ("surface", "#777777", 3),
    ],
)
def test_a_pair_that_fails_is_refused_early_and_found_later(role: str, colour: str, pairs: int):
    faulty = palette(**{role: colour})
    assert len(accept("palette", faulty, {})) >= pairs
    found = faults(tokens(palette=faulty))
    assert len(found) >= pairs
    assert all(":1 is needed" in fault for fault in found)


def test_every_example_palette_passes_whatever_the_type_scale():
    examples = Colours.model_json_schema()["examples"]
    assert len(examples) == 4
    for example in examples:
        measures = contrast.measure(example, large_headings=False)
        assert [pair for pair in measures if not pair.passes] == []


def test_every_example_colour_of_an_edit_can_be_text_on_every_example_palette():
    dark = ColourEdit.model_json_schema()["properties"]["hex"]["examples"]
    for example in Colours.model_json_schema()["examples"]:
        for colour in dark:
            changed = example | {"text": colour, "heading": colour}
            assert all(p.passes for p in contrast.measure(changed, large_headings=False))


def test_figures_that_are_not_those_of_the_colours_are_found():
    good = tokens()
    praised = good.extensions_.contrast[0].model_copy(update={"ratio": 20.0})
    extensions = good.extensions_.model_copy(
        update={"contrast": (praised, *good.extensions_.contrast[1:])}
    )
    assert faults(good.model_copy(update={"extensions_": extensions})) == [
        "the contrast figures are not those of these colours and sizes"
    ]


def test_components_that_do_not_make_the_hex_are_found():
    good = tokens()
    value = good.color.link.value_.model_copy(update={"components": (0.0, 0.0, 0.0)})
    link = good.color.link.model_copy(update={"value_": value})
    color = good.color.model_copy(update={"link": link})
    assert faults(good.model_copy(update={"color": color})) == [
        "link: the components do not make #1f4f86"
    ]


@pytest.mark.parametrize(
    ("alias", "fault"),
    [
        ("{space.huge}", "layout.gutter refers to 'space.huge', which does not exist"),
        ("{color.text}", "layout.gutter refers to 'color.text', which is no dimension"),
    ],
)
def test_an_alias_that_leads_nowhere_or_to_another_type_is_found(alias: str, fault: str):
    good = tokens()
    gutter = good.layout.gutter.model_copy(update={"value_": alias})
    page = good.layout.model_copy(update={"gutter": gutter})
    assert faults(good.model_copy(update={"layout": page})) == [fault]


def test_an_alias_in_a_text_style_is_followed_too():
    good = tokens()
    value = good.type.body.value_.model_copy(update={"line_height": "{font.size.body}"})
    body = good.type.body.model_copy(update={"value_": value})
    styles = good.type.model_copy(update={"body": body})
    assert faults(good.model_copy(update={"type": styles})) == [
        "type.body refers to 'font.size.body', which is no number"
    ]


@pytest.mark.parametrize("prompt", list(answers()))
def test_a_sound_answer_is_accepted(prompt: str):
    assert accept(prompt, answers()[prompt], answers()) == []


def test_a_colour_may_be_edited_once():
    edit = ColourEdit(role="link", hex="#123456")
    assert accept("quality_pass", revision(edit, edit), {}) == ["link is edited twice"]


def test_an_edited_colour_keeps_its_name_and_is_measured_anew():
    edited = revise(tokens(), revision(ColourEdit(role="text", hex="#000000")))
    assert edited.color.text.description_ == tokens().color.text.description_
    assert edited.extensions_.contrast[0].ratio > tokens().extensions_.contrast[0].ratio
    assert edited.font == tokens().font
    assert faults(edited) == []


def test_a_new_scale_and_layout_replace_the_old_ones_whole():
    scale, page = type_scale(base_px=20), layout(unit_px=4, radius_px=8)
    edited = revise(tokens(), revision(scale=scale, page=page))
    assert edited == tokens(type_scale=scale, layout=page)


def test_a_bad_edit_is_found():
    edited = revise(tokens(), revision(ColourEdit(role="link", hex="#faf7f2")))
    assert "link on background has a contrast of 1.0:1, 4.5:1 is needed" in faults(edited)


def test_the_pass_sees_narrow_contrasts_and_no_aliases():
    narrow = tokens(palette=palette(text_muted="#6b6675"))
    shown = show(narrow)
    assert "text_muted on surface 4." in shown
    assert "accent #a3231f torch red" in shown
    assert "{" not in shown
    assert "Narrow contrasts: none" in show(tokens(palette=palette(text_muted="#3a3644")))


@given(HEX, HEX, HEX)
def test_the_check_finds_a_palette_exactly_when_a_pair_fails(text: str, ground: str, accent: str):
    candidate = tokens(palette=palette(text=text, background=ground, accent=accent))
    failed = [pair for pair in candidate.extensions_.contrast if not pair.passes]
    assert len(faults(candidate)) == len(failed)
