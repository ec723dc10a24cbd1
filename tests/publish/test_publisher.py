"""Articles in their folder: one file each, whatever they are called."""

import asyncio
import json
import os
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import fsspec
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from orch_dagster.core.ledger import Document
from orch_dagster.publication import Publication
from orch_dagster.strict_yaml import read_mapping, split_head
from resources.publish.failure import PublishError
from resources.publish.folder import file_name
from resources.publish.publisher import Publisher
from resources.publish.rendering import rendered

ARTICLE = Publication(
    key="low-water-1a2b3c4d",
    title="Низька вода в порту",
    author="Ana Lee",
    date="2024-03-05",
    canonical_url="https://example.com/news/low-water?a=1&b=2#c",
    category="travel",
    language="uk",
    score=9,
    note=None,
    body="Перший абзац.\n\n---\n\nДругий абзац: `x`.\n",
)

TITLES = [
    'He said "no"', "it's", "back\\slash \\n", "a: b", "# no comment", "---", "...", "no", "yes",
    "null", "~", "2024-03-05", "1e3", "0x1F", "12:30:45", "1_000", "- a", "? a", "!tag x", "&a *a",
    "{a: b}", "[a, b]", "@x", "`x`", "%x", "| x", "> x", "Emoji 🙂 👩‍👩‍👧", "שלום עולם \u202bx\u202c", "x\u2028y",
    "\ufeffx", "a\u0085b", "\u200b", "=", "<<", "x #y", "trailing:", "'", '"', "\\", "{{ title }}",
    "Низька вода " * 12,
]  # fmt: skip


def publish(url: str, *articles: Publication) -> list[Document]:
    publisher = Publisher(url, webhook_url=None, webhook_secret=None)
    return [asyncio.run(publisher.publish(article)) for article in articles]


def head_and_body(text: str) -> tuple[dict, str]:
    parts = split_head(text)
    assert parts is not None
    return read_mapping(parts[0]), parts[1]


def _with_title(title: str) -> Publication:
    return replace(ARTICLE, title=title)


def _survives(title: str) -> bool:
    head, body = head_and_body(rendered(_with_title(title)))
    return head["title"] == " ".join(title.split()) and body == f"\n{ARTICLE.body}"


@pytest.mark.parametrize("title", TITLES)
def test_a_title_survives_the_head(title: str) -> None:
    assert _survives(title)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_title_survives_the_head(title: str) -> None:
    assert _survives(title)


@pytest.mark.parametrize("title", TITLES)
def test_every_text_of_the_head_is_in_quotes_that_no_parser_reads_otherwise(title: str) -> None:
    """JSON is YAML 1.2, where `1e3` is a number and in YAML 1.1 is not."""
    document = rendered(_with_title(title))
    head = document.split("\n---\n")[0].removeprefix("---\n")
    fields = dict(line.split(": ", 1) for line in head.split("\n"))
    assert {name: json.loads(value) for name, value in fields.items()} == yaml.safe_load(head)


def test_the_head_says_what_is_known_and_leaves_out_the_rest() -> None:
    head, _ = head_and_body(rendered(replace(ARTICLE, author=None, note="below the threshold: 6")))
    assert head == {
        "title": "Низька вода в порту",
        "date": "2024-03-05",
        "canonical_url": "https://example.com/news/low-water?a=1&b=2#c",
        "category": "travel",
        "language": "uk",
        "score": 9,
        "note": "below the threshold: 6",
        "key": "low-water-1a2b3c4d",
    }


@given(st.text(), st.text())
@example("no", "key")
def test_a_file_name_is_a_short_slug(title: str, key: str) -> None:
    name = file_name(replace(ARTICLE, title=title, key=key))
    assert set(name.removesuffix(".md")) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert len(os.fsencode(name)) <= 120
    assert not name.startswith("-")


def test_a_title_in_any_script_gives_a_name_that_can_be_read() -> None:
    assert file_name(ARTICLE).startswith("nizka-voda-v-portu-")
    assert file_name(_with_title("🙂")) != ".md"
    assert 100 < len(file_name(_with_title("Вода " * 28))) < 120


@pytest.mark.parametrize("scheme", ["memory", "file"])
def test_an_article_published_again_replaces_itself_also_under_another_title(
    scheme: str, tmp_path: Path
) -> None:
    url = f"memory://{uuid4()}" if scheme == "memory" else (tmp_path / "out").as_uri()
    other = replace(ARTICLE, key="other")
    publish(url, ARTICLE, other)
    [document] = publish(url, _with_title("Новий заголовок"))
    fs, root = fsspec.url_to_fs(url)
    names = sorted(path.rpartition("/")[2] for path in fs.ls(root, detail=False))
    assert names == sorted([file_name(other), file_name(_with_title("Новий заголовок"))])
    data = fs.cat_file(f"{root}/{file_name(_with_title('Новий заголовок'))}")
    assert (document.bytes, document.sha256) == (len(data), sha256(data).hexdigest())
    assert document.url.endswith(file_name(_with_title("Новий заголовок")))


def test_two_articles_of_one_title_have_two_files() -> None:
    url = f"memory://{uuid4()}"
    publish(url, ARTICLE, replace(ARTICLE, key="low-water"))
    fs, root = fsspec.url_to_fs(url)
    assert len(fs.ls(root)) == 2


def test_a_file_that_somebody_else_wrote_is_never_removed(tmp_path: Path) -> None:
    ending = file_name(ARTICLE)[-16:]
    strangers = [tmp_path / f"notes{ending}", tmp_path / f"other{ending}"]
    strangers[0].write_text("My own notes.", encoding="utf-8")
    strangers[1].write_text("---\nkey: another\n---\n", encoding="utf-8")
    publish(tmp_path.as_uri(), ARTICLE)
    assert all(stranger.exists() for stranger in strangers)


def test_the_same_article_gives_the_same_bytes() -> None:
    one, again = publish(f"memory://{uuid4()}", ARTICLE, ARTICLE)
    assert one == again


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    publish(tmp_path.as_uri(), ARTICLE)
    assert [path.name for path in tmp_path.iterdir()] == [file_name(ARTICLE)]


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(
        PublishError, match=r"the folder of published articles: .*cannot be written"
    ):
        publish((tmp_path / "file").as_uri(), ARTICLE)


def test_an_unknown_scheme_is_told() -> None:
    with pytest.raises(PublishError, match="'nosuch://x' cannot be opened"):
        publish("nosuch://x", ARTICLE)


def test_what_is_rendered_is_what_is_published() -> None:
    url = f"memory://{uuid4()}"
    publisher = Publisher(url, webhook_url=None, webhook_secret=None)
    document = asyncio.run(publisher.publish(ARTICLE))
    assert document.sha256 == sha256(publisher.render(ARTICLE).encode()).hexdigest()
