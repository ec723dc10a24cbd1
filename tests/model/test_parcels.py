"""Rows by file: every row in one, within the limits of the API."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from resources.model.batch.row import BatchRow, Room, batch_row, parcels
from resources.model.dialect import Dialect
from resources.model.verdicts import Sent
from tests.model.asks import ask


def made(trace: str, model: str, size: int) -> BatchRow:
    sent = Sent(ask(trace=trace), model, "http://127.0.0.1/v1", 10, Dialect(), {})
    row = batch_row(sent)
    assert isinstance(row, BatchRow)
    return replace(row, line=b"x" * size)


ROWS = st.lists(
    st.builds(made, st.sampled_from("abcdef"), st.sampled_from(["m", "n"]), st.integers(1, 9)),
    max_size=30,
)


@given(rows=ROWS)
def test_every_row_is_in_one_file_within_the_limits(rows: list[BatchRow]) -> None:
    packed = parcels(rows, Room(rows=4, bytes=20))
    files = [tuple(parcel.rows.values()) for parcel in packed]
    assert Counter(row for file in files for row in file) == Counter(rows)
    for file in files:
        assert len({row.custom_id for row in file}) == len(file) <= 4
        assert len({row.sent.model for row in file}) == 1
        assert sum(len(row.line) for row in file) <= 20


def test_a_row_that_is_too_large_for_any_file_is_sent_alone() -> None:
    packed = parcels([made("a", "m", 30), made("b", "m", 5)], Room(rows=4, bytes=20))
    assert [len(parcel.rows) for parcel in packed] == [1, 1]


def test_the_hash_is_of_the_whole_body() -> None:
    sent = Sent(ask(), "m", "http://127.0.0.1/v1", 10, Dialect(), {})
    others = [
        replace(sent, model="n"),
        replace(sent, max_tokens=11),
        replace(sent, options={"temperature": 1}),
        replace(sent, request=ask("Another.")),
        replace(sent, dialect=Dialect(frozenset({"system role"}))),
    ]
    rows = [batch_row(one) for one in (sent, *others)]
    assert len({row.digest for row in rows if isinstance(row, BatchRow)}) == 6
    again = batch_row(replace(sent, base_url="http://elsewhere/v1"))
    assert isinstance(again, BatchRow)
    assert isinstance(rows[0], BatchRow)
    assert again.digest == rows[0].digest
