"""How picture concepts are composed, refused, revised and checked."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.content.image import bans, frames
from assets.content.image.models import ImageSet, accept, check, compose, revise, show
from tests.image.answers import answers, brief, directive, edit, image_set, revision


def changed(use: str, **changes: Any) -> ImageSet:
    good = image_set()
    pictures = tuple(p.model_copy(update=changes) if p.use == use else p for p in good.pictures)
    return good.model_copy(update={"pictures": pictures})


def faults(use: str, **changes: Any) -> list[str]:
    return check(brief(), answers(), changed(use, **changes))


def test_a_sound_set_has_no_faults_and_survives_its_file():
    assert check(brief(), answers(), image_set()) == []
    assert ImageSet.model_validate_json(image_set().model_dump_json()) == image_set()


def test_frame_focal_point_and_zone_follow_from_ratio_and_layout():
    hero, social, thumbnail = image_set().pictures
    assert (hero.width, hero.height) == (1920, 1080)
    assert (social.width, social.height) == (1080, 1350)
    assert hero.focal_point.x < 50
    assert hero.text_zone is not None and hero.text_zone.x >= 50
    assert thumbnail.text_zone is None


def test_what_the_style_forbids_stands_first_in_every_negative_directive():
    for picture in image_set().pictures:
        assert picture.negative_directive.startswith("holiday boat, sunsets, drones, sun deck, ")
    assert image_set().pictures[1].negative_directive.endswith("second hand, logo")


@pytest.mark.parametrize("layout", get_args(frames.Layout))
def test_words_are_never_set_over_the_subject(layout: frames.Layout):
    zone = frames.text_zone(layout)
    assert zone is None or not zone.holds(*frames.focal_point(layout))


@pytest.mark.parametrize("ratio", get_args(frames.Ratio))
def test_a_size_makes_its_ratio(ratio: frames.Ratio):
    across, down = (float(part) for part in ratio.split(":"))
    width, height = frames.size(ratio)
    assert width / height == pytest.approx(across / down, rel=0.01)


def test_an_alt_text_of_125_characters_passes_and_one_of_126_does_not():
    assert faults("hero", alt_text="a" * 125) == []
    assert faults("hero", alt_text="a" * 126) == [
        "hero: the alt text has 126 characters, at most 125 may be"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Image of a lock.",
        "A photo of a lock gate.",
        "the picture showing a lock",
        "Illustration of it",
    ],
)
def test_an_alt_text_does_not_announce_a_picture(text: str):
    assert "begin with what is seen" in faults("hero", alt_text=text)[0]


def test_an_alt_text_may_speak_of_pictures_that_are_in_the_picture():
    assert faults("hero", alt_text="A keeper hangs a photograph of the lock on the wall.") == []


def test_an_alt_text_stands_on_one_line():
    assert "one line" in faults("hero", alt_text="A lock-keeper\nkneels at the gate.")[0]


def test_two_pictures_with_one_alt_text_or_directive_are_found():
    social = image_set().pictures[1]
    assert faults("hero", alt_text=f"{social.alt_text[:-1]} !") == [
        "social and hero have the same alt text"
    ]
    assert faults("hero", directive=social.directive.upper()) == [
        "social and hero have the same directive"
    ]


def test_a_ratio_that_does_not_fit_its_use_is_found():
    assert faults("hero", aspect_ratio="4:5", width=1080, height=1350) == [
        "hero: 4:5 does not fit this use; 16:9, 21:9, 2:1, 3:2 do"
    ]
    assert faults("hero", width=1000) == ["hero: width and height do not make 16:9"]


def test_a_focal_point_under_the_words_is_found():
    zone = frames.Zone(x=0, y=0, width=100, height=100)
    assert faults("hero", text_zone=zone) == [
        "hero: the focal point lies where words are to be set"
    ]


@pytest.mark.parametrize("word", ["holiday boat", "Sun  deck", "DRONES"])
def test_a_directive_that_names_what_is_banned_is_found(word: str):
    found = faults("social", directive=directive(f"A hand without a {word}"))
    assert len(found) == 1
    assert "social: the directive names" in found[0]


def test_a_ban_is_looked_for_as_a_whole_word():
    assert faults("social", directive=directive("A sunsetsy, droneslike thing")) == []


def test_bans_that_are_lost_are_found():
    kept = image_set().model_copy(update={"bans": ("sunsets", "drones", "sun deck")})
    assert check(brief(), answers(), kept) == [
        "visual_style forbids 'holiday boat', and the set does not"
    ]
    assert "the negative directive does not hold 'sunsets'" in " ".join(
        faults("hero", negative_directive="holiday boat, drones, sun deck")
    )


def test_pictures_in_another_order_are_found():
    good = image_set()
    turned = good.model_copy(update={"pictures": good.pictures[::-1]})
    assert "must be hero, social, thumbnail" in check(brief(), answers(), turned)[0]


@pytest.mark.parametrize(
    ("style", "banned"),
    [
        ("Never a rider in full racing dress.", ("rider in full racing dress",)),
        ("Blue, no close-ups of unhappy children, captions.", ("close-ups of unhappy children",)),
        ("Do not use stock photos or gradients.", ("stock photos", "gradients")),
        ("Avoid drop shadows; without people.", ("drop shadows", "people")),
        ("Charts start at zero. Hand lettering only for prices.", ()),
    ],
)
def test_bans_are_read_from_the_words_of_the_style(style: str, banned: tuple[str, ...]):
    assert bans.of_style(style) == banned


@pytest.mark.parametrize("prompt", list(answers()))
def test_a_sound_answer_is_accepted(prompt: str):
    assert accept(prompt, answers()[prompt], answers()) == []


def test_equal_motifs_and_faulty_alt_texts_are_refused_early():
    motifs = answers()["motifs"]
    same = motifs.model_copy(update={"social": motifs.hero})
    assert accept("motifs", same, {}) == ["social and hero have the same motif"]
    alt = answers()["alt_texts"].model_copy(update={"hero": "Photo of a lock gate."})
    assert "begins with 'Photo of'" in accept("alt_texts", alt, {})[0]


def test_a_picture_may_be_edited_once():
    twice = revision(
        edit(composition="A calm wall fills it all."), edit(alt_text="Other alt text.")
    )
    assert accept("quality_pass", twice, {}) == ["hero is edited twice"]


def test_an_edit_replaces_what_it_names_and_nothing_else():
    new = directive("A keeper leans on the beam")
    hero, *others = revise(image_set(), revision(edit(directive=new))).pictures
    before, *unchanged = image_set().pictures
    assert hero == before.model_copy(update={"directive": new})
    assert others == unchanged


def test_the_pass_sees_bans_and_texts_and_no_pixels():
    shown = show(image_set())
    assert shown.startswith("Series: One strand")
    assert "Bans: holiday boat; sunsets; drones; sun deck" in shown
    assert "[thumbnail] 4:3, no words over it" in shown
    assert "1920" not in shown


@given(st.lists(st.sampled_from(["never", "no", "and", "boats", ".", ",", "or", "a"]), max_size=12))
def test_whatever_the_style_says_its_bans_land_in_the_set(words: list[str]):
    styled = brief(visual_style=f"Overcast. {' '.join(words)}")
    composed = compose(styled, answers())
    assert not [f for f in check(styled, answers(), composed) if "negative" in f or "forbids" in f]
