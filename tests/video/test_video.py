"""How films are composed, timed, refused, revised and checked."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.content.video.figures import invented
from assets.content.video.formats import FORMATS, count_words, seconds
from assets.content.video.models import (
    BeatEdit,
    CallEdit,
    HookEdit,
    Platform,
    Video,
    VideoSet,
    accept,
    check,
    revise,
    show,
)
from tests.video.answers import answers, brief, revision, spoken, video_set


def film(platform: Platform) -> Video:
    return next(video for video in video_set().videos if video.platform == platform)


def faults(platform: Platform, **changes: Any) -> list[str]:
    good = video_set()
    videos = tuple(
        v.model_copy(update=changes) if v.platform == platform else v for v in good.videos
    )
    return check(brief(), answers(), good.model_copy(update={"videos": videos}))


def after_edit(platform: Platform, words: int, *, beats: int) -> list[str]:
    """What is found when this many beats of a film are replaced by this many words."""
    film_now = film(platform)
    new = tuple(
        beat.model_copy(update={"spoken": f"{number} {spoken('loaf', words - 1)}"})
        for number, beat in enumerate(film_now.beats[:beats], start=1)
    )
    return faults(platform, beats=new)


def test_a_sound_set_has_no_faults_and_survives_its_file():
    assert check(brief(), answers(), video_set()) == []
    assert VideoSet.model_validate_json(video_set().model_dump_json()) == video_set()


def test_150_words_take_a_minute():
    assert seconds(150) == 60.0
    assert seconds(0) == 0.0


def test_a_dash_is_no_word():
    assert count_words("We bake - at night, 18 hours \u2013 long.") == 7


def test_times_are_computed_from_words():
    video = film("linkedin")
    assert video.words == 6 + 4 * 25 + count_words(video.call_to_action)
    assert video.seconds == seconds(video.words)
    assert [beat.starts_at for beat in video.beats] == [seconds(6 + 25 * n) for n in range(4)]
    assert video.beats[0].seconds == 10.0
    assert (video.hook.words, video.hook.seconds) == (6, 2.4)


def test_each_platform_has_its_frame():
    assert [video.aspect_ratio for video in video_set().videos] == ["16:9", "4:5", "9:16"]


@pytest.mark.parametrize("platform", list(FORMATS))
def test_a_films_range_lies_within_what_the_platform_takes(platform: Platform):
    form = FORMATS[platform]
    assert form.hook_seconds < form.shortest < form.longest <= form.cap_seconds


def test_a_film_that_runs_too_long_or_too_short_is_found():
    assert any("asked for" in fault for fault in after_edit("instagram_reels", 48, beats=3))
    assert any("asked for" in fault for fault in after_edit("linkedin", 25, beats=1))


def test_a_hook_of_seven_words_passes_in_a_vertical_film_and_one_of_eight_does_not():
    hook = film("instagram_reels").hook
    seven = hook.model_copy(update={"spoken": "This one crooked loaf costs half today."})
    eight = hook.model_copy(update={"spoken": "This one crooked loaf costs a half today."})
    assert not any("hook" in fault for fault in faults("instagram_reels", hook=seven))
    assert "instagram_reels: the hook takes 3.2 s, at most 3 s (7 words) may be" in faults(
        "instagram_reels", hook=eight
    )


def test_two_beats_with_the_same_words_are_found():
    first, second, *others = film("youtube").beats
    same = (first, second.model_copy(update={"spoken": f"{first.spoken.upper()}"}), *others)
    assert faults("youtube", beats=same) == ["youtube: two beats say the same words"]


def test_a_time_that_does_not_follow_from_the_words_is_found():
    assert "take" in faults("youtube", seconds=99.0)[0]


def test_a_frame_that_does_not_fit_the_platform_is_found():
    assert faults("youtube", aspect_ratio="9:16") == ["youtube: the frame is 16:9 here"]


def test_a_call_on_two_lines_is_found():
    assert "one line" in " ".join(
        faults("youtube", call_to_action="The recipe is\nin the article.")
    )


def test_films_in_another_order_are_found():
    good = video_set()
    turned = good.model_copy(update={"videos": good.videos[::-1]})
    assert "needed: youtube, linkedin, instagram_reels" in check(brief(), answers(), turned)[0]


def test_a_figure_that_the_brief_does_not_have_is_found():
    call = "All 37 recipes are in the article."
    assert "youtube: the figure '37' stands nowhere in the brief" in faults(
        "youtube", call_to_action=call
    )


def test_figures_are_compared_without_thousands_marks():
    assert invented("1204 loaves, 9% of 1,204, 18 hours", brief()) == []
    assert invented("12 loaves in 1.5 hours", brief()) == ["12", "1.5"]


@pytest.mark.parametrize("prompt", list(answers()))
def test_a_sound_answer_is_accepted(prompt: str):
    assert accept(prompt, answers()[prompt], answers()) == []


def test_a_long_hook_and_repeated_beats_are_refused_early():
    script = answers()["vertical"]
    long = script.model_copy(update={"hook": "A loaf of bread as we do it now"})
    assert "the hook takes 3.6 s" in accept("vertical", long, {})[0]
    same = script.model_copy(update={"beats": (script.beats[0],) * 3})
    assert accept("vertical", same, {}) == ["instagram_reels: two beats say the same words"]


def test_a_call_on_two_lines_is_refused_early():
    calls = answers()["calls_to_action"].model_copy(update={"linkedin_cta": "Ask us\nfor it."})
    assert accept("calls_to_action", calls, {}) == [
        "linkedin: the call to action must stand on one line"
    ]


def test_an_edit_of_a_missing_beat_and_a_second_edit_are_refused():
    known = {"candidate": video_set()}
    text = "The bench is empty at four, and then at five it is full of loaves and of people."
    missing = revision(beats=[BeatEdit(platform="instagram_reels", beat=7, spoken=text)])
    assert accept("quality_pass", missing, known) == [
        "instagram_reels: there is no beat 7, the last is 3"
    ]
    twice = revision(beats=[BeatEdit(platform="youtube", beat=1, spoken=text)] * 2)
    assert accept("quality_pass", twice, known) == ["beat 1 of youtube is edited twice"]
    assert accept("quality_pass", revision(), known) == []


def test_edits_replace_words_and_all_times_follow():
    text = "The bench is empty at four, and then at five it is full of loaves and of people."
    edited = revise(
        video_set(),
        revision(
            hooks=[HookEdit(platform="youtube", spoken="Stale on day two?")],
            beats=[BeatEdit(platform="youtube", beat=2, spoken=text)],
            calls=[CallEdit(platform="linkedin", call_to_action="Ask for our ledger.")],
        ),
    )
    youtube, linkedin, reels = edited.videos
    assert youtube.hook.spoken == "Stale on day two?"
    assert youtube.beats[1].spoken == text
    assert youtube.beats[2].starts_at == seconds(4 + 40 + count_words(text))
    assert linkedin.call_to_action == "Ask for our ledger."
    assert reels == video_set().videos[2]
    assert check(brief(), answers(), edited) == []


def test_the_pass_sees_words_and_times():
    shown = show(video_set())
    assert "[instagram_reels] Half price, same dough" in shown
    assert "hook (2.0 s, at most 3): This crooked loaf costs half." in shown
    assert "\n3. The rack" in shown


@given(st.integers(min_value=8, max_value=60), st.integers(min_value=1, max_value=6))
def test_a_film_is_as_long_as_its_words_say(words: int, beat: int):
    text = f"{spoken('loaf', words)} And now it is really four in the morning, as it was planned."
    edit = BeatEdit.model_construct(platform="youtube", beat=beat, spoken=text)
    video = revise(video_set(), revision(beats=[edit])).videos[0]
    said = [video.hook.spoken, *(b.spoken for b in video.beats), video.call_to_action]
    assert video.seconds == seconds(sum(count_words(part) for part in said))
    last = video.beats[-1]
    end = last.starts_at + last.seconds + seconds(count_words(video.call_to_action))
    assert end == pytest.approx(video.seconds, abs=0.2)
