"""An inbox of briefs: what its sensor registers and what it says, tick by tick."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import fsspec
import pytest
import yaml

from orch_dagster.brief_intake import brief_entry
from orch_dagster.core.inbox import Listed
from orch_dagster.inbox import Folder, Pace
from tests.dagster_glue.briefs import brief, brief_fields
from tests.fakes.scripted_model import Killed
from tests.inbox.post import Post, open_post


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    with open_post(tmp_path, "content") as opened:
        yield opened


def test_new_briefs_are_registered_once_and_bad_ones_told_once(post: Post, tmp_path: Path) -> None:
    post.drop_brief("one")
    post.drop_brief("two")
    post.drop_brief("three", title="", words=3)
    post.drop("four.yaml", b"slug: four\n\xff\n")
    first = post.tick().splitlines()
    assert first[0] == "registered one, two; 4 files in the inbox"
    assert [line.partition(":")[0] for line in first[1:]] == [
        "four.yaml",
        "three.yaml",
        "three.yaml",
    ]
    assert post.articles() == ["one", "two"]
    assert (tmp_path / "store/content/brief/one.json").exists()
    assert {path.name for path in (tmp_path / "inbox").iterdir()} == {
        "one.yaml", "two.yaml", "three.yaml", "four.yaml",
    }  # fmt: skip
    for _ in range(3):
        assert post.tick() == (
            "nothing new; 4 files in the inbox; 3 sentences about others stand ('orch status')"
        )
    assert (post.versions("one"), len(post.memory().faults())) == (1, 3)


def test_a_changed_brief_is_a_new_version_and_a_touched_one_is_not(post: Post) -> None:
    post.drop_brief("one")
    post.tick()
    post.drop_brief("one")  # the same again, with another time
    assert post.tick().startswith("nothing new")
    post.drop_brief("one", title="Another title")
    assert post.tick().startswith("registered one")
    assert post.versions("one") == 2


def test_a_bad_brief_that_is_mended_is_registered_and_its_sentence_falls(post: Post) -> None:
    post.drop_brief("one", title="")
    assert "one.yaml: field 'title' is empty" in post.tick()
    post.drop_brief("one")
    assert post.tick() == "registered one; 1 files in the inbox"
    assert post.memory().faults() == ()


def test_a_brief_that_turns_bad_leaves_its_article_as_it_was(post: Post) -> None:
    post.drop_brief("one")
    post.tick()
    post.drop_brief("one", title="")
    assert "one.yaml: field 'title' is empty" in post.tick()
    assert (post.articles(), post.versions("one")) == (["one"], 1)


def test_a_deleted_brief_changes_nothing(post: Post) -> None:
    post.drop_brief("one")
    post.tick()
    Path(post.place, "one.yaml").unlink()
    assert post.tick() == "nothing new; 0 files in the inbox"
    assert post.articles() == ["one"]


def test_what_was_added_by_hand_is_not_registered_again(post: Post) -> None:
    post.enrolment.enroll(brief_entry(brief("one")))
    post.drop_brief("one")
    assert post.tick().startswith("nothing new")
    assert post.versions("one") == 1


def test_an_article_whose_partition_was_deleted_is_registered_when_all_is_looked_at_anew(
    post: Post,
) -> None:
    post.drop_brief("one")
    post.tick()
    post.instance.delete_dynamic_partition(post.declared.articles, "one")
    assert post.tick().startswith("nothing new")
    post.cursor = None  # as a person resets it in the UI
    assert post.tick().startswith("registered one")
    assert post.articles() == ["one"]


def test_of_two_files_with_one_slug_the_second_is_told_and_named(post: Post) -> None:
    post.drop_brief("b", slug="shared")
    post.tick()
    post.drop_brief("a", slug="shared", title="Another")
    said = post.tick()
    assert said.startswith("nothing new")
    assert "a.yaml: field 'slug' makes it the article 'shared', which 'b.yaml' is already" in said
    assert post.versions("shared") == 1
    Path(post.place, "b.yaml").unlink()
    assert post.tick().startswith("registered shared")


def test_hidden_and_half_copied_files_are_not_looked_at_and_others_are_told(post: Post) -> None:
    for name in (".one.yaml", "~$one.md", "one.yaml~", "one.yaml.tmp", "one.yaml.part"):
        post.drop(name, "no brief")
    Path(post.place, "folder.yaml").mkdir()
    assert post.tick() == "nothing new; 0 files in the inbox"
    post.drop("picture.png", "no brief")
    said = "picture.png: a brief is a file that ends in .yaml, .yml, .md, .markdown"
    assert post.tick().splitlines()[1:] == [said]
    post.drop("huge.yaml", b" " * (2 * 1024 * 1024 + 1))
    assert post.tick().splitlines()[1:] == [
        "huge.yaml: 2,097,153 bytes; a brief has at most 2,097,152 bytes"
    ]


def test_a_brief_that_is_being_written_waits_until_it_stands(post: Post) -> None:
    whole = yaml.safe_dump(brief_fields("one"))
    post.drop("one.yaml", whole[:100], age=0)
    assert post.tick() == "nothing new; 1 files in the inbox"
    post.drop("one.yaml", whole[:200], age=0)
    assert post.tick() == "nothing new; 1 files in the inbox"
    post.drop("one.yaml", whole, age=0)
    assert post.tick() == "nothing new; 1 files in the inbox"
    assert post.tick() == "registered one; 1 files in the inbox"
    assert post.told == []


def test_a_file_of_a_clock_that_is_ahead_is_taken_at_the_second_look(post: Post) -> None:
    post.drop("one.yaml", yaml.safe_dump(brief_fields("one")), age=-86_400)
    assert post.tick().startswith("nothing new")
    assert post.tick().startswith("registered one")


def test_a_folder_that_is_not_there_is_told_and_found_when_it_comes(post: Post) -> None:
    folder = Path(post.place)
    folder.rmdir()
    assert post.tick() == f"ORCH_INBOX: file://{folder} is not there; make it"
    folder.mkdir()
    post.drop_brief("one")
    assert post.tick().startswith("registered one")
    folder.rename(folder.with_name("away"))
    assert "is not there" in post.tick()
    folder.with_name("away").rename(folder)
    assert post.tick().startswith("nothing new")


@dataclass
class Locked:
    """The post's own folder, of which some files cannot be opened at present."""

    folder: Folder
    locked: set[str]

    @property
    def url(self) -> str:
        return self.folder.url

    def listing(self) -> tuple[Listed, ...]:
        return self.folder.listing()

    def read(self, name: str) -> bytes:
        if name in self.locked:
            raise PermissionError(13, "Permission denied")
        return self.folder.read(name)


def test_a_file_that_cannot_be_opened_is_told_once_and_read_when_it_can(post: Post) -> None:
    folder = Locked(post.inbox.folder, {"one.yaml"})
    post.inbox = replace(post.inbox, folder=folder)
    post.drop_brief("one")
    post.drop_brief("two")
    assert post.tick() == (
        "registered two; 2 files in the inbox\none.yaml: cannot be read (Permission denied)"
    )
    assert len(post.tick().splitlines()) == 1
    folder.locked.clear()
    assert post.tick() == "registered one; 2 files in the inbox"
    assert post.memory().faults() == ()


def test_a_tick_that_is_cut_off_repeats_nothing(post: Post) -> None:
    post.drop_brief("one")
    post.tick(keep=False)
    assert post.cursor is None
    assert post.tick().startswith("nothing new")
    assert post.versions("one") == 1


def test_a_look_that_is_killed_between_two_briefs_goes_on_after_it(post: Post) -> None:
    post.tick()
    post.drop_brief("one")
    post.drop_brief("two")
    post.pace = Pace(clock=_clock_that_ends())
    with pytest.raises(Killed):
        post.tick()
    assert post.articles() == ["one"]
    post.pace = Pace()
    assert post.tick() == "registered two; 2 files in the inbox"
    assert [post.versions(article) for article in ("one", "two")] == [1, 1]


def _clock_that_ends() -> Callable[[], float]:
    """Asked as the look begins, before the second file and after the first entry."""
    left = iter((0.0, 0.0))

    def clock() -> float:
        for time in left:
            return time
        raise Killed

    return clock


def test_many_files_are_worked_off_in_bounded_looks(post: Post) -> None:
    for number in range(7):
        post.drop_brief(f"brief-{number}")
    post.drop_brief("zz-bad", title="")
    post.pace = Pace(files=4, entries=3)
    registered: list[str] = []
    while not (said := post.tick()).startswith("nothing new"):
        found = said.splitlines()[0].partition(";")[0].removeprefix("registered ").split(", ")
        assert len(found) <= 3
        registered += found
    assert sorted(registered) == [f"brief-{number}" for number in range(7)]
    assert post.told == ["zz-bad.yaml: field 'title' is empty"]
    assert {post.versions(article) for article in registered} == {1}


def test_a_look_that_is_out_of_time_takes_one_file_all_the_same(post: Post) -> None:
    post.drop_brief("one")
    post.drop_brief("two")
    post.pace = Pace(clock=iter(float(100 * n) for n in range(1_000)).__next__)
    assert post.tick() == ("registered one; 2 files in the inbox; 1 of them wait for the next look")
    assert post.tick().startswith("registered two; 2 files")


def test_an_inbox_on_an_object_store_is_watched_too(tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    with open_post(tmp_path, "content", place="memory://inbox-of-briefs") as post:
        assert post.tick() == "nothing new; 0 files in the inbox"
        memory.pipe_file("/inbox-of-briefs/one.yaml", yaml.safe_dump(brief_fields("one")).encode())
        assert post.tick() == "nothing new; 1 files in the inbox"  # written a moment ago
        assert post.tick() == "registered one; 1 files in the inbox"
        memory.pipe_file("/inbox-of-briefs/one.yaml", b"slug: one\n")
        post.tick()
        assert "one.yaml: field 'title' is missing" in post.tick()
        memory.rm("/inbox-of-briefs", recursive=True)


def test_another_folder_is_another_inbox(post: Post, tmp_path: Path) -> None:
    post.drop_brief("one", title="")
    post.tick()
    other = tmp_path / "other"
    other.mkdir()
    with open_post(tmp_path, "content", place=str(other)) as moved:
        post.inbox, post.place = moved.inbox, moved.place
        assert post.tick() == "nothing new; 0 files in the inbox"
        assert post.memory().faults() == ()
