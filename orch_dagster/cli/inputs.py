"""What people hand in on the command line: read whole, then enrolled."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from orch_dagster.brief_file import BriefError, brief_files
from orch_dagster.cli.opening import Opened, intake_of, load_settings, open_pipeline
from orch_dagster.cli.speaking import fail
from orch_dagster.core.entry import Contents, Entry, refused
from orch_dagster.core.feed import Broken, FeedSeen, Page, sift
from orch_dagster.core.inbox import clash
from orch_dagster.enrolment import Enrolment
from orch_dagster.intake import Intake, folder_files, read_local

Registered = tuple[Opened, tuple[str, ...], tuple[str, ...]]
"""The pipeline, a sentence for every mistake, and the keys of the good articles."""

Read = tuple[tuple[Entry, ...], tuple[str, ...]]
"""The good entries, and a sentence for every mistake."""


def register_inputs(pipeline: str, inputs: Sequence[str]) -> Registered:
    """Read all inputs, then register the good ones; of a bad one nothing is written.

    Without a good one the command ends here, and not even a home is made.
    """
    entries, mistakes = read_inputs(pipeline, inputs)
    if not entries:
        fail("\n".join(mistakes) or "these inputs name no article")
    opened = open_pipeline(pipeline)
    enroll_all(opened, entries)
    return opened, mistakes, tuple(entry.article for entry in entries)


def enroll_all(opened: Opened, entries: Sequence[Entry]) -> None:
    """Make each entry known, also where it is already: a person has asked for it."""
    enrolment = Enrolment(opened.instance, opened.pipeline.declared, opened.store)
    for entry in entries:
        enrolment.enroll(entry)


def read_inputs(pipeline: str, inputs: Sequence[str]) -> Read:
    """Files, folders and addresses as entries, and a sentence for each mistake in the others."""
    intake = intake_of(pipeline)
    entries: dict[str, Entry] = {}
    holders: dict[str, str] = {}
    mistakes: list[str] = []
    for name, contents in _read(intake, pipeline, inputs):
        mistakes += contents.mistakes
        for entry in contents.entries:
            article = entry.article
            if entries.setdefault(article, entry).fingerprint != entry.fingerprint:
                mistakes.append(clash(name, article, holders[article], called=intake.called))
            holders.setdefault(article, name)
    return tuple(entries.values()), tuple(mistakes)


def _read(intake: Intake, pipeline: str, inputs: Sequence[str]) -> Iterator[tuple[str, Contents]]:
    for name in inputs:
        if "://" in name:
            yield name, _address(intake, name)
            continue
        paths = _paths(intake, pipeline, Path(name))
        if isinstance(paths, Contents):
            yield name, paths
            continue
        for path in paths:
            contents = read_local(intake, path)
            yield path.name, contents
            if contents.feeds:
                yield from _feeds(intake, contents.feeds)


def _paths(intake: Intake, pipeline: str, path: Path) -> tuple[Path, ...] | Contents:
    """The files that a path names: itself, or those in the folder; or what is wrong with it."""
    if pipeline == "content":
        try:
            return brief_files(path)
        except BriefError as error:
            return refused(*error.mistakes)
    if not path.is_dir():
        return (path,)
    looked_for = ", ".join(intake.suffixes)
    return folder_files(intake, path) or refused(
        f"{path}: no article in this folder (looked for {looked_for})"
    )


def _address(intake: Intake, address: str) -> Contents:
    found = intake.address(address)
    return refused(found) if isinstance(found, str) else Contents((found,), (), ())


def _feeds(intake: Intake, addresses: Sequence[str]) -> Iterator[tuple[str, Contents]]:
    """Every entry that these feeds have now."""
    from resources.web.feeds import FeedReader  # with all that fetching imports

    reader = FeedReader(allow_private=load_settings().fetch_allow_private)
    never = FeedSeen.never()
    known: frozenset[str] = frozenset()
    answers = reader.ask(dict.fromkeys(addresses, never))
    for address, answer in answers.items():
        if isinstance(answer, Broken):
            yield address, refused(answer.fault)
        elif isinstance(answer, Page):
            sifted = sift(address, answer, known, intake.address)
            known = known.union(*(new.keys for new in sifted.new))
            yield address, Contents(tuple(new.entry for new in sifted.new), (), sifted.faults)
