"""Articles to be translated as the pipeline's input: files, addresses, feeds."""

from assets.translation.addresses import SUFFIX, ArticleKey, Line, address_fault, read_lines
from assets.translation.source import Source, source_of_file, source_of_url
from orch_dagster.core.entry import Contents, Entry, refused

LARGEST_ARTICLE = 10 * 1024 * 1024
"""Bytes of a file to be translated, as the fetcher takes them."""


class SourceIntake:
    """Takes in articles: one a file, or the addresses that a `.urls` file lists."""

    suffixes = (".md", ".markdown", ".html", ".htm", ".xhtml", ".txt", SUFFIX)
    largest = LARGEST_ARTICLE
    noun = "an article to be translated"
    called = "the file's name"

    def __init__(self, article_key: ArticleKey) -> None:
        self._key = article_key

    def read(self, name: str, data: bytes) -> Contents:
        """The entry of an article's file, or those of all addresses in a file of them."""
        if name.endswith(SUFFIX):
            return self._addresses(name, data)
        return Contents((source_entry(source_of_file(self._key(name), name, data)),), (), ())

    def address(self, address: str) -> Entry | str:
        """The entry of an address, or what is wrong with it."""
        if fault := address_fault(address):
            return fault
        return source_entry(source_of_url(self._key(address), address))

    def _addresses(self, name: str, data: bytes) -> Contents:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            return refused(f"{name}: not UTF-8 (byte {error.start}); save the file as UTF-8")
        articles: dict[str, Entry] = {}
        feeds: dict[str, None] = {}
        mistakes: list[str] = []
        for line in read_lines(text):
            match line:
                case Line(address=address, feed=True):
                    feeds[address] = None
                case Line(address=address):
                    entry = source_entry(source_of_url(self._key(address), address))
                    articles[entry.article] = entry
                case wrong:
                    mistakes.append(f"{name}: {wrong.fault}")
        return Contents(tuple(articles.values()), tuple(feeds), tuple(mistakes))


def source_entry(source: Source) -> Entry:
    """What is registered of a source."""
    return Entry(
        article=source.article,
        fingerprint=source.fingerprint(),
        data=(source.model_dump_json() + "\n").encode(),
        metadata={"source": source.url or source.name or ""},
    )
