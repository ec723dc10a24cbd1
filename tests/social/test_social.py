"""How posts are composed, refused, revised and checked."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.content.social.models import (
    Platform,
    Post,
    PostEdit,
    PostSet,
    Revision,
    XPost,
    accept,
    check,
    compose,
    revise,
    show,
)
from assets.content.social.networks import NETWORKS
from tests.social.answers import B_TEXT, X_TEXT, answers, brief, post_set, revision


def post(platform: Platform) -> Post:
    return next(post for post in post_set().posts if post.platform == platform)


def with_post(platform: Platform, **changes: Any) -> PostSet:
    good = post_set()
    posts = tuple(p.model_copy(update=changes) if p.platform == platform else p for p in good.posts)
    return good.model_copy(update={"posts": posts})


def worded(platform: Platform, words: str) -> list[str]:
    """What is found when a post has these words instead of its own."""
    edit = PostEdit.model_construct(platform=platform, text=words)
    return check(brief(), answers(), revise(post_set(), revision(edit)))


def test_a_sound_set_has_no_faults_and_survives_its_file():
    assert check(brief(), answers(), post_set()) == []
    assert PostSet.model_validate_json(post_set().model_dump_json()) == post_set()


def test_the_first_post_and_its_variant_are_for_the_same_network():
    assert post_set().posts[0].platform == post_set().variant_b.platform == "x"
    assert post_set().posts[0].text == f"{X_TEXT} #ToolLibrary"
    assert post_set().variant_b.text == B_TEXT
    assert post_set().variant_b_bets_on == "Bets on an admitted mistake."


def test_lengths_are_counted_with_hashtags_and_link():
    assert post("x").length == len(f"{X_TEXT} #ToolLibrary") + 24
    assert post("bluesky").length == len(post("bluesky").text)
    assert (post("x").limit, post("x").counted) == (280, "weighted characters")


def test_equal_topics_make_one_hashtag():
    assert post("bluesky").hashtags == ("#ToolLibrary",)


def test_instagram_carries_no_link():
    assert post("instagram").link is False
    assert check(brief(), answers(), with_post("instagram", link=True)) == [
        "the post for instagram has a link, which nobody can follow on instagram"
    ]


@pytest.mark.parametrize(("words", "found"), [(243, 0), (244, 1)])
def test_x_takes_280_weighted_characters_with_hashtag_and_link(words: int, found: int):
    faults = worded("x", "a" * words)
    assert len(faults) == found
    if found:
        assert faults[0] == (
            "the post for x has 281 weighted characters with hashtags and link, x takes 280"
        )


def test_signs_that_weigh_two_count_twice_on_x():
    assert worded("x", "語" * 121) == []
    assert "x takes 280" in worded("x", "語" * 122)[0]


@pytest.mark.parametrize("platform", [name for name in NETWORKS if name != "x"])
def test_a_post_at_its_limit_passes_and_one_over_it_does_not(platform: Platform):
    tags = " ".join(post(platform).hashtags)
    gap = 0 if not tags else 1 if platform in ("threads", "bluesky") else 2
    room = NETWORKS[platform].limit - len(tags) - gap
    edit = PostEdit.model_construct(platform=platform, text="a" * room)
    at = _forced(edit)
    assert check(brief(), answers(), at) == []
    over = _forced(edit.model_copy(update={"text": "a" * (room + 1)}))
    assert f"{platform} takes {NETWORKS[platform].limit}" in check(brief(), answers(), over)[0]


def _forced(edit: PostEdit) -> PostSet:
    """The set with a post of any length, past the length of the file's own model."""
    network = NETWORKS[edit.platform]
    old = post(edit.platform)
    gap = " " if edit.platform in ("threads", "bluesky") else "\n\n"
    text = gap.join([edit.text, *([" ".join(old.hashtags)] if old.hashtags else [])])
    return with_post(edit.platform, text=text, length=network.count(text))


def test_bluesky_takes_no_more_than_3000_bytes():
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
    assert "more than 3000 bytes" in worded("bluesky", family * 130)[0]


def test_too_many_hashtags_are_found():
    tags = tuple(f"#Tag{letter}" for letter in "abcdef")
    text = f"{post('instagram').text} {' '.join(tags)}"
    crowded = with_post("instagram", hashtags=tags, text=text, length=len(text))
    assert "the post for instagram has 6 hashtags, at most 5 may be" in check(
        brief(), answers(), crowded
    )


def test_a_hashtag_among_the_words_is_found():
    assert worded("facebook", "From Saturday by the #afternoon, for half the fee. Ring us.") == [
        "the post for facebook has a hashtag among its words; give topics instead"
    ]


def test_a_length_that_was_not_counted_is_found():
    assert "not 7" in check(brief(), answers(), with_post("x", length=7))[0]


def test_a_figure_address_or_name_that_the_brief_does_not_give_is_found():
    invented = "We lent 37 drills, see https://other.example/x or ask @someone about it."
    assert worded("facebook", invented) == [
        "the figure '37' in the post for facebook stands nowhere in the brief",
        "the post for facebook holds the address 'https://other.example/x', which the brief does not "
        "give",
        "the post for facebook names '@someone', which the brief does not give",
    ]


def test_what_the_brief_gives_may_be_said():
    given_words = "214 loans, see https://bench.example/meter or ask @thebench about it."
    assert worded("facebook", given_words) == []


def test_posts_that_say_the_same_are_found():
    assert worded("bluesky", X_TEXT.upper()) == [
        "the post for bluesky says the same words as the post for x"
    ]
    same = revise(post_set(), revision(variant_b=X_TEXT))
    assert check(brief(), answers(), same) == ["variant B says the same words as the post for x"]


def test_posts_in_another_order_and_a_stray_variant_are_found():
    good = post_set()
    turned = good.model_copy(update={"posts": good.posts[::-1], "variant_b": good.posts[4]})
    found = check(brief(), answers(), turned)
    assert "needed: x, linkedin, instagram, facebook, threads, bluesky" in found[0]
    assert "variant B must be for x, like the first post" in found


@pytest.mark.parametrize("prompt", list(answers()))
def test_a_sound_answer_is_accepted(prompt: str):
    assert accept(prompt, answers()[prompt], answers()) == []


def test_a_post_over_its_limit_is_refused_early():
    heavy = XPost(text="語" * 200, topics=(), link=True)
    assert "424 weighted characters" in accept("x", heavy, {})[0]
    conversation = answers()["conversation"]
    tagged = conversation.threads.model_copy(update={"text": "A #hashtag among the words here."})
    faulty = conversation.model_copy(update={"threads": tagged})
    assert "hashtag among its words" in accept("conversation", faulty, {})[0]


def test_a_post_may_be_edited_once():
    edit = PostEdit(platform="x", text="Another text of some length for the first post, " * 2)
    assert accept("quality_pass", revision(edit, edit), {}) == ["x is edited twice"]


def test_an_edit_keeps_hashtags_and_link_and_counts_anew():
    words = (
        "The drill we lend most runs 11 minutes a loan, by our own meter, over 214 loans so far."
    )
    edited = revise(
        post_set(), revision(PostEdit(platform="x", text=f"{words}\n"), variant_b=B_TEXT)
    )
    assert edited.posts[0].text == f"{words} #ToolLibrary"
    assert edited.posts[0].length == len(words) + len(" #ToolLibrary") + 24
    assert edited.posts[1:] == post_set().posts[1:]
    assert edited.variant_b == post_set().variant_b


def test_the_pass_can_choose_variant_b_and_raise_no_other_flag():
    chosen = revision().model_dump() | {"flags": ("use_variant_b",)}
    assert Revision.model_validate(chosen).flags == ("use_variant_b",)
    with pytest.raises(ValueError, match="use_variant_b"):
        Revision.model_validate(chosen | {"flags": ("footnote_requires_review",)})


def test_the_pass_sees_each_post_under_its_length():
    shown = show(post_set())
    assert f"[x] {post('x').length} of 280 weighted characters, link\n{X_TEXT}" in shown
    assert "[x, variant B]" in shown
    assert "(bets on: Bets on an admitted mistake.)" in shown


@given(st.text(min_size=1, max_size=220), st.lists(st.text(max_size=24), max_size=2))
def test_whatever_is_written_the_length_given_is_the_length_counted(text: str, topics: list[str]):
    x = XPost.model_construct(text=text, topics=tuple(topics), link=True)
    first = compose(brief(), answers(x=x)).posts[0] if text.strip() else post("x")
    assert first.length == NETWORKS["x"].count(first.text) + 24
    assert (first.length > first.limit) == any("x takes" in f for f in accept("x", x, {})) or (
        not text.strip()
    )
