"""The folder of published articles, on any fsspec URL."""

from hashlib import sha256

from fsspec.core import url_to_fs

from orch_dagster.core.ledger import Document
from orch_dagster.publication import Publication
from orch_dagster.strict_yaml import YamlError, read_mapping, split_head
from resources.output_store import OutputStore, StoreError
from resources.publish.failure import PublishError
from resources.publish.rendering import rendered
from resources.secret import hide, secrets_of_url, without_login
from resources.web.article_key import slug

_LONGEST_TITLE = 100
_DIGITS = 12
"""Hex digits of the key's hash: among 10,000 articles two agree once in five million folders."""


def file_name(article: Publication) -> str:
    """The title as a slug, then the hash of the key: no two articles share a name."""
    title = slug(article.title, longest=_LONGEST_TITLE)
    return "-".join(filter(None, (title, _digits(article.key)))) + ".md"


class Folder:
    """One file an article, whatever its title was the last time."""

    def __init__(self, url: str) -> None:
        """Nothing is read or written yet.

        Raises:
            PublishError: no file system is known for the URL.
        """
        try:
            self._store = OutputStore(url)
            self._fs, self._root = url_to_fs(url)
        except (StoreError, ValueError, ImportError, OSError) as error:
            raise PublishError(_sentence(error, url)) from None
        self._url = url

    def put(self, article: Publication) -> Document:
        """Write the article in one piece, then remove what it was under an earlier title.

        Raises:
            PublishError: the folder cannot be written.
        """
        name = file_name(article)
        try:
            document = self._store.write(name, rendered(article).encode())
            for earlier in self._earlier(article.key, name):
                self._fs.rm_file(f"{self._root.rstrip('/')}/{earlier}")
        except (StoreError, OSError) as error:
            raise PublishError(_sentence(error, self._url)) from None
        return document

    def _earlier(self, key: str, name: str) -> list[str]:
        self._fs.invalidate_cache()
        paths = (str(path).rstrip("/") for path in self._fs.ls(self._root, detail=False))
        names = (path.rpartition("/")[2] for path in paths)
        ours = (other for other in names if other.endswith(f"{_digits(key)}.md") and other != name)
        return [other for other in ours if self._key(other) == key]

    def _key(self, name: str) -> str | None:
        """The key in a file's head: a file that we did not write is never removed."""
        text = (self._store.read(name) or b"").decode("utf-8", "replace")
        try:
            parts = split_head(text)
            return None if parts is None else read_mapping(parts[0]).get("key")
        except YamlError:
            return None


def _digits(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _sentence(error: Exception, url: str) -> str:
    said = without_login(hide(str(error), secrets_of_url(url))).removeprefix("ORCH_STORE: ")
    return f"the folder of published articles: {said}; check ORCH_PUBLISH_URL and its permissions"
