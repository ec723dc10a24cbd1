"""Briefs as a pipeline's input."""

from orch_dagster.brief_file import LARGEST_FILE, NOUN, SUFFIXES, BriefError, parse_brief
from orch_dagster.core.brief import Brief
from orch_dagster.core.entry import Contents, Entry, refused
from orch_dagster.shelf import brief_bytes


class BriefIntake:
    """Takes in briefs, one a file."""

    suffixes = SUFFIXES
    largest = LARGEST_FILE
    noun = NOUN
    called = "field 'slug'"

    def read(self, name: str, data: bytes) -> Contents:
        """The one entry of a brief, or a sentence for each of its mistakes."""
        try:
            return Contents((brief_entry(parse_brief(name, data)),), (), ())
        except BriefError as error:
            return refused(*error.mistakes)

    def address(self, address: str) -> str:
        """A sentence: briefs are not fetched."""
        return f"{address}: a brief is a file; save it and give the file"


def brief_entry(brief: Brief) -> Entry:
    """What is registered of a brief."""
    return Entry(
        article=brief.slug,
        fingerprint=brief.fingerprint(),
        data=brief_bytes(brief),
        metadata={"title": brief.title, "words": brief.words},
    )
