"""What people hand in: briefs, or articles to be translated; read whole, then registered."""

from collections.abc import Sequence
from pathlib import Path

from assets.translation.source import SOURCE, Source, source_of_file, source_of_url
from orch_dagster.brief_file import BriefError, brief_files, read_brief
from orch_dagster.cli.opening import Opened, open_pipeline
from orch_dagster.cli.speaking import fail
from orch_dagster.core.brief import Brief
from orch_dagster.event_log import register, register_brief
from orch_dagster.shelf import Shelf
from resources.secret import without_login
from resources.web.article_key import article_key

LARGEST_ARTICLE = 10 * 1024 * 1024
"""Bytes of a file to be translated."""

Registered = tuple[Opened, tuple[str, ...], tuple[str, ...]]
"""The pipeline, a sentence for every mistake, and the keys of the good articles."""


def register_inputs(pipeline: str, inputs: Sequence[str]) -> Registered:
    """Read all inputs, then register the good ones; of a bad one nothing is written.

    Without a good one the command ends here, and not even a home is made.
    """
    if pipeline == "content":
        briefs, mistakes = read_briefs([Path(name) for name in inputs])
        if not briefs:
            fail("\n".join(mistakes))
        opened = open_pipeline(pipeline)
        register_briefs(opened, briefs)
        return opened, mistakes, tuple(brief.slug for brief in briefs)
    sources, mistakes = read_sources(inputs)
    if not sources:
        fail("\n".join(mistakes))
    opened = open_pipeline(pipeline)
    register_sources(opened, sources)
    return opened, mistakes, tuple(source.article for source in sources)


def read_sources(inputs: Sequence[str]) -> tuple[tuple[Source, ...], tuple[str, ...]]:
    """Addresses and files as sources, and a sentence for each that is none."""
    found: dict[str, Source] = {}
    mistakes: list[str] = []
    for name in inputs:
        source = _source(name)
        if isinstance(source, str):
            mistakes.append(source)
        elif found.get(source.article, source) != source:
            mistakes.append(f"{name}: its key {source.article!r} is that of another input")
        else:
            found[source.article] = source
    return tuple(found.values()), tuple(mistakes)


def _source(name: str) -> Source | str:
    if "://" in name:
        if (shown := without_login(name)) != name:  # it would be registered, and published
            return f"{shown}: holds a user name; give the address without what stands before '@'"
        if not name.lower().startswith(("http://", "https://")):
            return f"{name}: only http and https addresses are fetched"
        return source_of_url(article_key(name), name)
    path = Path(name)
    try:
        if path.stat().st_size > LARGEST_ARTICLE:
            return f"{path}: larger than {LARGEST_ARTICLE:,} bytes"
        return source_of_file(article_key(name), path.name, path.read_bytes())
    except OSError as error:
        return f"{path}: cannot be read ({error.strerror})"


def register_sources(opened: Opened, sources: Sequence[Source]) -> None:
    """Put sources into the store and make their articles known."""
    declared = opened.pipeline.declared
    shelf = Shelf(opened.store, declared.name)
    for source in sources:
        data = (source.model_dump_json() + "\n").encode()
        opened.store.write(shelf.path(SOURCE, article=source.article), data)
        register(
            opened.instance,
            declared,
            article=source.article,
            fingerprint=source.fingerprint(),
            metadata={"source": source.url or source.name or ""},
        )


def read_briefs(paths: Sequence[Path]) -> tuple[tuple[Brief, ...], tuple[str, ...]]:
    """The good briefs of these files and folders, and a sentence for every mistake in the others."""
    briefs: dict[str, Brief] = {}
    mistakes: list[str] = []
    for path in paths:
        try:
            for file in brief_files(path):
                _take(file, briefs, mistakes)
        except BriefError as error:
            mistakes += error.mistakes
    return tuple(briefs.values()), tuple(mistakes)


def _take(file: Path, briefs: dict[str, Brief], mistakes: list[str]) -> None:
    try:
        brief = read_brief(file)
    except BriefError as error:
        mistakes += error.mistakes
        return
    if briefs.get(brief.slug, brief) != brief:
        mistakes.append(f"{file.name}: field 'slug' is {brief.slug!r}, as in another brief")
        return
    briefs[brief.slug] = brief


def register_briefs(opened: Opened, briefs: Sequence[Brief]) -> None:
    """Put briefs into the store and make their articles known."""
    declared = opened.pipeline.declared
    shelf = Shelf(opened.store, declared.name)
    for brief in briefs:
        register_brief(opened.instance, declared, brief, shelf.write_brief(brief))
