"""Enrolment: the one place where what is handed in becomes an article, or a new version of one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import dagster as dg

from orch_dagster.core.entry import Entry
from orch_dagster.event_log import FINGERPRINT, newest, register
from orch_dagster.step import DeclaredPipeline
from orch_dagster.store import Store

ASKED_AT_ONCE = 200
"""Articles in one query: of a long list only as many are looked up as can be enrolled."""


@dataclass(frozen=True, slots=True)
class Enrolment:
    """Enrols articles of one pipeline."""

    instance: dg.DagsterInstance
    declared: DeclaredPipeline
    store: Store

    def enroll(self, entry: Entry) -> None:
        """Put an entry into the store and make it known: a partition, a version of the input.

        The document comes first, so that nothing is known that cannot be read.
        """
        path = self.declared.input.location.path(entry.article)
        document = self.store.write(path, entry.data)
        register(
            self.instance,
            self.declared,
            article=entry.article,
            fingerprint=entry.fingerprint,
            metadata={**entry.metadata, "url": dg.MetadataValue.url(document.url)},
        )

    def due(self, entries: Sequence[Entry]) -> tuple[Entry, ...]:
        """The entries that are not what is registered of their articles now."""
        articles = [entry.article for entry in entries]
        inputs = newest(self.instance, self.declared.input.key, articles)
        known = {article: event.metadata[FINGERPRINT].value for article, event in inputs.items()}
        return tuple(
            entry
            for entry in entries
            if known.get(entry.article) != entry.fingerprint or not self._is_partition(entry)
        )

    def _is_partition(self, entry: Entry) -> bool:
        return self.instance.has_dynamic_partition(self.declared.articles, entry.article)


@dataclass
class Allowance:
    """What may still be enrolled: so many entries, until `clock` says so; at least one."""

    enrolment: Enrolment
    entries: int
    until: float
    clock: Callable[[], float]
    enrolled: list[str] = field(default_factory=list)

    def is_spent(self) -> bool:
        """Whether nothing more may be enrolled."""
        late = bool(self.enrolled) and self.clock() > self.until
        return len(self.enrolled) >= self.entries or late

    def take(self, entries: Sequence[Entry]) -> frozenset[str]:
        """Enrol what is not yet, as much of it as may be; the articles that now are enrolled."""
        each = tuple({entry.article: entry for entry in entries}.values())
        done: set[str] = set()
        for start in range(0, len(each), ASKED_AT_ONCE):
            if self.is_spent():
                break
            done |= self._take(each[start : start + ASKED_AT_ONCE])
        return frozenset(done)

    def _take(self, entries: Sequence[Entry]) -> set[str]:
        due = self.enrolment.due(entries)
        done = {entry.article for entry in entries} - {entry.article for entry in due}
        for entry in due:
            if self.is_spent():
                break
            self.enrolment.enroll(entry)
            self.enrolled.append(entry.article)
            done.add(entry.article)
        return done
