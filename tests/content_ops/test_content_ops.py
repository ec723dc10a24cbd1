"""How answers become a distribution plan: composed, revised, checked, and dated."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.content.content_ops.models import (
    DistributionPlan,
    EntryRevision,
    Owner,
    PieceRevision,
    accept,
    check,
    compose,
    dates,
    duration,
    revise,
    show,
)
from tests.content_ops.answers import ahead, answers, brief, release, revision

PLAN = compose(brief(), answers())
MONDAY = date(2027, 3, 1)


def days(plan: DistributionPlan) -> list[int]:
    return [entry.offset.days for entry in plan.timeline]


def entry_fault(number: int, /, **changes: Any) -> list[str]:
    timeline = tuple(
        entry.model_copy(update=changes) if entry.number == number else entry
        for entry in PLAN.timeline
    )
    return check(brief(), answers(), PLAN.model_copy(update={"timeline": timeline}))


def entry_revision(number: int, **changes: Any) -> EntryRevision:
    same = dict.fromkeys(("what", "owner", "days"))
    return EntryRevision(entry_number=number, **(same | changes))


def piece_revision(number: int, **changes: Any) -> PieceRevision:
    same = dict.fromkeys(("source_part", "effort_hours"))
    return PieceRevision(piece_number=number, **(same | changes))


def test_a_composed_plan_is_sound_and_in_order():
    assert check(brief(), answers(), PLAN) == []
    assert days(PLAN) == [-10, -3, 0, 0, 2, 9, 16, 28]
    assert [entry.number for entry in PLAN.timeline] == [1, 2, 0, 3, 4, 5, 6, 7]


def test_the_publication_is_entered_by_code_on_day_zero():
    publication = PLAN.timeline[2]
    assert publication.what == "Publish the article: Where a third of the hives went"
    assert publication.channel == "website"


def test_offsets_are_iso_8601_durations_and_survive_their_own_json():
    text = PLAN.model_dump_json(indent=2)
    assert '"offset": "-P10D"' in text
    assert '"offset": "P0D"' in text
    assert '"offset": "P28D"' in text
    assert DistributionPlan.model_validate_json(text) == PLAN


@given(st.integers(-400, 400))
def test_every_offset_is_read_back_from_its_duration(count: int):
    timeline = (PLAN.timeline[0].model_copy(update={"offset": timedelta(days=count)}),)
    text = PLAN.model_copy(update={"timeline": timeline}).model_dump_json()
    assert duration(timedelta(days=count)) in text
    assert DistributionPlan.model_validate_json(text).timeline == timeline


def test_a_plan_for_a_monday_lies_on_these_days():
    found = [(item.day.isoformat(), item.entry.number) for item in dates(PLAN, MONDAY)]
    assert found == [
        ("2027-02-19", 1),
        ("2027-02-26", 2),
        ("2027-03-01", 0),
        ("2027-03-01", 3),
        ("2027-03-03", 4),
        ("2027-03-10", 5),
        ("2027-03-17", 6),
        ("2027-03-29", 7),
    ]


def test_weekday_entries_move_away_from_publication_and_others_stay():
    schedule = answers()["timeline"].model_copy(
        update={
            "before": (ahead(1), ahead(2)),
            "releases": (release(1, 5), release(2, 6), release(3, 6, weekdays_only=False)),
        }
    )
    plan = compose(brief(), answers(timeline=schedule))
    found = {item.entry.what: item.day.isoformat() for item in dates(plan, MONDAY)}
    assert found["Show the orchard its paragraph, 1 days ahead."] == "2027-02-26"
    assert found["Show the orchard its paragraph, 2 days ahead."] == "2027-02-26"
    assert found["Post piece 1 in the forum of day 5."] == "2027-03-08"
    assert found["Post piece 2 in the forum of day 6."] == "2027-03-08"
    assert found["Post piece 3 in the forum of day 6."] == "2027-03-07"


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_on_any_publication_day_dates_are_in_order_on_their_side_and_off_weekends(day: date):
    dated = dates(PLAN, day)
    assert [item.day for item in dated] == sorted(item.day for item in dated)
    for item in dated:
        offset = item.entry.offset
        assert (item.day < day, item.day > day) == (offset < timedelta(0), offset > timedelta(0))
        assert abs(item.day - (day + offset)) <= timedelta(days=2)
        if item.entry.weekdays_only and offset:
            assert item.day.weekday() < 5


def test_entries_out_of_order_are_found():
    found = entry_fault(1, offset=timedelta(days=1))
    assert found == ["entry 2 (day -3) stands after entry 1 (day +1)"]


def test_a_timeline_that_begins_after_publication_is_found():
    late = PLAN.model_copy(update={"timeline": PLAN.timeline[4:]})
    assert check(brief(), answers(), late) == [
        "the timeline begins after the publication day",
        "the publication itself is not in the timeline",
    ]
    empty = PLAN.model_copy(update={"timeline": ()})
    assert "the timeline is empty" in check(brief(), answers(), empty)


def test_an_offset_of_half_a_day_is_found():
    found = entry_fault(7, offset=timedelta(days=28, hours=12))
    assert found == ["entry 7 lies 28 days, 12:00:00 from publication, which is not whole days"]


def test_an_unknown_channel_is_found_in_timeline_and_list():
    assert entry_fault(3, channel="pigeon") == ["entry 3: channel 'pigeon' is unknown"]
    listed = PLAN.channels[0].model_copy(update={"channel": "pigeon"})
    found = check(brief(), answers(), PLAN.model_copy(update={"channels": (listed,)}))
    assert found == ["the channel list: channel 'pigeon' is unknown"]


def test_a_piece_that_never_goes_out_or_does_not_exist_is_found():
    assert entry_fault(7, piece_number=9) == [
        "there is no piece 9, the last is 3",
        "piece 3 never goes out in the timeline",
    ]


def test_a_piece_before_its_article_is_found():
    assert entry_fault(1, piece_number=1) == ["entry 1 puts out piece 1 before the article"]


def test_two_entries_of_one_day_that_say_the_same_are_found():
    publication = PLAN.timeline[2]
    found = entry_fault(3, what=publication.what, channel=publication.channel)
    assert found[0].startswith("two entries of one day say the same")


def test_two_pieces_from_one_part_are_found():
    first, second, third = PLAN.pieces
    same = second.model_copy(update={"source_part": first.source_part})
    found = check(brief(), answers(), PLAN.model_copy(update={"pieces": (first, same, third)}))
    assert found == ["two pieces are made from the same part: 'the part that fits a checklist'"]


def test_an_entry_number_that_stands_twice_is_found():
    assert "entry number 2 stands twice" in entry_fault(1, number=2)


def test_a_channel_chosen_twice_is_refused():
    channels = answers()["channels"]
    twice = channels.model_copy(update={"channels": (channels.channels[0],) * 2})
    assert accept("channels", twice, answers()) == ["the channel 'community' is chosen twice"]


def test_a_timeline_that_forgets_or_invents_a_piece_is_refused():
    schedule = answers()["timeline"].model_copy(
        update={"releases": (release(1, 1), release(2, 2), release(5, 3))}
    )
    assert accept("timeline", schedule, answers()) == [
        "there is no piece 5, the last is 3",
        "piece 3 never goes out in the timeline",
    ]


def test_a_pass_moves_an_entry_on_its_side_and_the_order_follows():
    revised = revise(
        PLAN,
        revision(
            entries=(
                entry_revision(1, days=1),
                entry_revision(3, days=5, owner=Owner.AUTHOR),
                entry_revision(4, days=40, what="Send it to the orchards."),
            ),
            pieces=(piece_revision(2, effort_hours=9),),
        ),
    )
    assert days(revised) == [-3, -1, 0, 0, 9, 16, 28, 40]
    assert [entry.number for entry in revised.timeline] == [1, 2, 0, 3, 4, 5, 6, 7]
    assert revised.timeline[3].owner == "author"
    assert revised.timeline[-1].what == "Send it to the orchards."
    assert [piece.effort_hours for piece in revised.pieces] == [3, 9, 3]
    assert check(brief(), answers(), revised) == []


def test_a_pass_without_repairs_changes_nothing():
    assert revise(PLAN, revision()) == PLAN


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (revision(entries=(entry_revision(8),)), "there is no entry 8, the last is 7"),
        (revision(entries=(entry_revision(2),) * 2), "entry 2 is repaired twice"),
        (revision(pieces=(piece_revision(4),)), "there is no piece 4, the last is 3"),
        (revision(pieces=(piece_revision(3),) * 2), "piece 3 is repaired twice"),
    ],
)
def test_a_pass_that_names_what_is_not_there_is_refused(answer: Any, fault: str):
    assert accept("quality_pass", answer, {**answers(), "candidate": PLAN}) == [fault]


def test_the_pass_sees_days_owners_and_pieces():
    text = show(PLAN)
    assert "[1] -10 partner, editor: Show the orchard" in text
    assert "[5] +9 community, community_manager, piece 1: Post" in text
    assert "[piece 3] talk, 3 h: " in text
