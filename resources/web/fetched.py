"""What a fetch brings back, and what it says when it brings nothing."""

from dataclasses import dataclass

from orch_dagster.step import StepError


@dataclass(frozen=True, slots=True)
class Fetched:
    """An article as clean Markdown, without a head.

    `url` is what was asked for, `canonical_url` what the page calls itself (data, never fetched) or
    where redirects led; `date` is ISO 8601; `language` is a tag such as `en`, as far as the source
    declares one.
    """

    title: str
    author: str | None
    date: str | None
    url: str
    canonical_url: str | None
    markdown: str
    language: str | None


class FetchError(StepError):
    """No article; one sentence names the source, what is wrong and what to do.

    `retryable` says whether the same request may well succeed later.
    """

    def __init__(self, sentence: str, *, retryable: bool) -> None:
        super().__init__(sentence)
        self.retryable = retryable
