"""What is read, who gives which article, and what is told: over any history of a folder."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.entry import Contents, Entry
from orch_dagster.core.inbox import QUIET_S, Listed, Memory, Reading, judge, miss, plan

NAMES, ARTICLES = ("a.yaml", "b.yaml", "c.yaml"), ("x", "y")


@dataclass(frozen=True)
class Text:
    """What a file holds: a version of an article, or a mistake, or both."""

    article: str | None
    version: int
    mistake: bool


@dataclass
class Folder:
    """A folder in memory that is looked into, and what was told."""

    texts: dict[str, Text] = field(default_factory=dict)
    memory: Memory = field(default_factory=lambda: Memory.blank("memory://inbox"))
    writes: int = 0
    stamps: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, text: Text) -> None:
        self.writes += 1
        self.texts[name], self.stamps[name] = text, f"stamp {self.writes}"

    def delete(self, name: str) -> None:
        self.texts.pop(name, None)

    def look(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names that were read, and what was news."""
        planned = plan(self.memory, self.listing(), now=1_000_000.0)
        readings = [reading(file, self.texts[file.name]) for file in planned.read]
        judged = judge(planned.memory, readings, called="field 'slug'")
        self.memory = judged.memory
        return tuple(file.name for file in planned.read), judged.news

    def listing(self) -> list[Listed]:
        return [Listed(name, self.stamps[name], 0.0, 10) for name in self.texts]

    def given(self) -> dict[str, dict[str, str]]:
        """By article, the files that give it and the version they give."""
        found: dict[str, dict[str, str]] = {}
        for name, seen in self.memory.files.items():
            for article, made in seen.articles.items():
                found.setdefault(article, {})[name] = made
        return found

    def settle(self) -> None:
        for _ in range(len(NAMES) + 1):
            self.look()


def reading(file: Listed, text: Text) -> Reading:
    """The file as it is read."""
    entries = [Entry(text.article, f"{text.version}", b"", {})] if text.article else []
    mistakes = (f"{file.name}: wrong {text.version}",) if text.mistake else ()
    return Reading(file, f"{text}", Contents(tuple(entries), (), mistakes))


TEXTS = st.builds(
    Text,
    article=st.sampled_from([None, *ARTICLES]),
    version=st.integers(1, 3),
    mistake=st.booleans(),
)
DELETION = st.none()
CHANGES = st.lists(
    st.dictionaries(st.sampled_from(NAMES), TEXTS | DELETION, max_size=3), max_size=8
)


def change(folder: Folder, changes: dict[str, Text | None]) -> None:
    for name, text in changes.items():
        if text is None:
            folder.delete(name)
        else:
            folder.write(name, text)


@given(CHANGES)
def test_an_article_never_has_two_versions_at_once(history: list[dict[str, Text | None]]) -> None:
    folder = Folder()
    for changes in history:
        change(folder, changes)
        folder.look()
        assert all(len(set(files.values())) == 1 for files in folder.given().values())


@given(CHANGES)
def test_when_nothing_changes_nothing_is_read_and_nothing_is_told(
    history: list[dict[str, Text | None]],
) -> None:
    folder = Folder()
    for changes in history:
        change(folder, changes)
        folder.settle()
        assert folder.look() == ((), ())


@given(CHANGES)
def test_every_article_in_the_folder_is_given_by_a_file_that_holds_it(
    history: list[dict[str, Text | None]],
) -> None:
    folder = Folder()
    for changes in history:
        change(folder, changes)
        folder.settle()
        held = {text.article for text in folder.texts.values() if text.article}
        assert set(folder.given()) == held
        for article, files in folder.given().items():
            for name, made in files.items():
                text = folder.texts[name]
                assert (text.article, f"{text.version}") == (article, made)


@given(CHANGES)
def test_every_mistake_stands_until_its_file_changes_and_was_told_once(
    history: list[dict[str, Text | None]],
) -> None:
    folder, told = Folder(), list[str]()
    for number, changes in enumerate(history):
        for name, text in changes.items():
            if text is not None:
                changes[name] = Text(text.article, number + 100, text.mistake)
        change(folder, changes)
        for _ in range(4):
            told += folder.look()[1]
        for name, text in folder.texts.items():
            mistake = f"{name}: wrong {text.version}"
            assert told.count(mistake) == int(text.mistake)
            assert (mistake in folder.memory.faults()) == text.mistake


@given(CHANGES, st.sampled_from(ARTICLES))
def test_who_gives_an_article_first_keeps_it_whatever_others_do(
    history: list[dict[str, Text | None]], article: str
) -> None:
    folder = Folder()
    folder.write("b.yaml", Text(article, 7, mistake=False))
    folder.look()
    for changes in history:
        changes.pop("b.yaml", None)
        change(folder, changes)
        folder.settle()
        assert folder.given()[article]["b.yaml"] == "7"


def test_both_files_of_one_slug_are_named_and_the_second_is_not_taken() -> None:
    folder = Folder()
    folder.write("b.yaml", Text("x", 1, mistake=False))
    folder.look()
    folder.write("a.yaml", Text("x", 2, mistake=False))
    _, [told] = folder.look()
    assert told == (
        "a.yaml: field 'slug' makes it the article 'x', which 'b.yaml' is already; that one "
        "stands, this one is not taken: change it here"
    )
    folder.delete("b.yaml")
    assert folder.look() == (("a.yaml",), ())
    assert folder.given() == {"x": {"a.yaml": "2"}}
    assert folder.memory.faults() == ()


def test_touching_a_bad_file_tells_nothing_anew_and_changing_it_does() -> None:
    folder = Folder()
    folder.write("a.yaml", Text(None, 1, mistake=True))
    assert folder.look() == (("a.yaml",), ("a.yaml: wrong 1",))
    folder.write("a.yaml", Text(None, 1, mistake=True))  # a new stamp, the same content
    assert folder.look() == (("a.yaml",), ())
    folder.write("a.yaml", Text(None, 2, mistake=True))
    assert folder.look() == (("a.yaml",), ("a.yaml: wrong 2",))


@given(age=st.floats(-1e6, 1e6), waited=st.booleans())
def test_a_file_is_read_when_it_was_quiet_or_stands_as_at_the_last_look(
    age: float, waited: bool
) -> None:
    memory, now = Memory.blank("memory://inbox"), 1e9
    if waited:
        memory = plan(memory, [Listed("a.yaml", "s", None, 1)], now).memory
    planned = plan(memory, [Listed("a.yaml", "s", now - age, 1)], now)
    assert bool(planned.read) == (waited or now - (now - age) >= QUIET_S)


def test_a_file_that_is_still_written_is_not_read_until_it_stands() -> None:
    memory = Memory.blank("memory://inbox")
    for size in range(5):
        planned = plan(memory, [Listed("a.yaml", f"{size} bytes", None, size)], now=0.0)
        assert planned.read == ()
        memory = planned.memory
    assert plan(memory, [Listed("a.yaml", "4 bytes", None, 4)], now=0.0).read


def test_a_file_that_cannot_be_opened_keeps_its_article_and_is_tried_again() -> None:
    folder = Folder()
    folder.write("a.yaml", Text("x", 1, mistake=False))
    folder.look()
    folder.write("a.yaml", Text("x", 2, mistake=False))
    first = miss(folder.memory, {"a.yaml": "a.yaml: cannot be read"})
    again = miss(first.memory, {"a.yaml": "a.yaml: cannot be read"})
    assert (first.news, again.news) == (("a.yaml: cannot be read",), ())
    folder.memory = again.memory
    folder.write("b.yaml", Text("x", 3, mistake=False))
    assert folder.look()[0] == ("a.yaml", "b.yaml")
    assert folder.given() == {"x": {"a.yaml": "2"}}
