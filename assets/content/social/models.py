"""What the social prompts answer, and how their answers become six posts and a variant."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from assets.content.social import given, networks
from assets.content.social.hashtags import HASHTAG, hashtags
from assets.content.social.networks import BLUESKY_BYTES, NETWORKS, Counted, Platform
from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Score5

Answers = Mapping[str, Any]
"""Instances of the models below, by prompt name."""

PLATFORMS: tuple[Platform, ...] = tuple(NETWORKS)

Line = Annotated[str, Field(min_length=10, max_length=240)]
Topic = Annotated[str, Field(min_length=2, max_length=24)]
XText = Annotated[str, Field(min_length=60, max_length=200)]


class Answer(BaseModel):
    """What every structured answer of this library has in common: frozen, no extra keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Angle(Answer):
    """What one post is about."""

    point: Line = Field(description="The one thing said, as a sentence")
    support: Line = Field(
        description="The words of the sources it rests on, quoted; 'none' if none"
    )
    company: Line = Field(description="Who reads here, in which mood, and what makes them stop")


class Angles(Answer):
    """Six posts that one can meet in a row without reading the same thing twice."""

    tone: Line = Field(
        description="How this brand talks in a caption, as a rule that can be broken"
    )
    never: Annotated[
        tuple[Annotated[str, Field(min_length=2, max_length=60)], ...],
        Field(min_length=2, max_length=8),
    ] = Field(description="Words and turns that this account would not post")
    x: Angle = Field(description="X: the finding, said so that it can be quoted")
    linkedin: Angle = Field(description="LinkedIn: what it means for those who decide")
    instagram: Angle = Field(description="Instagram: what is seen, and the story behind it")
    facebook: Angle = Field(description="Facebook: what it means for people near the brand")
    threads: Angle = Field(description="Threads: an observation that people can add to")
    bluesky: Angle = Field(description="Bluesky: the detail that specialists like")
    off_limits: Annotated[tuple[Line, ...], Field(max_length=6)] = Field(
        description="What the brief keeps from being said; empty if nothing"
    )


class XPost(Answer):
    """A post for X."""

    text: XText = Field(description="The post's words, without hashtags, links and @-names")
    topics: Annotated[tuple[Topic, ...], Field(max_length=2)] = Field(
        description="Up to two topics in plain words, which code turns into hashtags; may be empty"
    )
    link: bool = Field(description="Whether the article's link is added; it counts 24 of 280")


class LinkedinPost(Answer):
    """A post for LinkedIn."""

    text: Annotated[str, Field(min_length=250, max_length=1_300)] = Field(
        description="The post's words in short paragraphs, without hashtags, links and @-names"
    )
    topics: Annotated[tuple[Topic, ...], Field(max_length=3)] = Field(
        description="Up to three topics in plain words; may be empty"
    )
    link: bool = Field(description="Whether the article is attached as a card")


class InstagramPost(Answer):
    """A caption for Instagram."""

    text: Annotated[str, Field(min_length=150, max_length=1_000)] = Field(
        description="The caption's words, without hashtags, links and @-names"
    )
    topics: Annotated[tuple[Topic, ...], Field(min_length=2, max_length=5)] = Field(
        description="Two to five topics in plain words, narrow ones first"
    )


class FacebookPost(Answer):
    """A post for Facebook."""

    text: Annotated[str, Field(min_length=80, max_length=500)] = Field(
        description="The post's words, without hashtags, links and @-names"
    )
    topics: Annotated[tuple[Topic, ...], Field(max_length=2)] = Field(
        description="Up to two topics in plain words; usually empty"
    )
    link: bool = Field(description="Whether the article is attached as a card")


class ThreadsPost(Answer):
    """A post for Threads."""

    text: Annotated[str, Field(min_length=60, max_length=420)] = Field(
        description="The post's words, without hashtags, links and @-names"
    )
    topics: Annotated[tuple[Topic, ...], Field(max_length=1)] = Field(
        description="The one topic this network takes, in plain words, or none"
    )
    link: bool = Field(description="Whether the article is attached as a card")


class BlueskyPost(Answer):
    """A post for Bluesky."""

    text: Annotated[str, Field(min_length=40, max_length=220)] = Field(
        description="The post's words, without hashtags, links and @-names"
    )
    topics: Annotated[tuple[Topic, ...], Field(max_length=3)] = Field(
        description="Up to three topics in plain words; may be empty"
    )
    link: bool = Field(description="Whether the article is attached as a card")


class Conversation(Answer):
    """The posts for the two networks where people answer each other."""

    threads: ThreadsPost = Field(description="The post for Threads")
    bluesky: BlueskyPost = Field(description="The post for Bluesky")


class VariantB(XPost):
    """The second post for X, which competes with the first."""

    differs: Line = Field(description="What this variant bets on that the first does not")


class Post(Answer):
    """One post, ready to be scheduled."""

    platform: Platform = Field(description="The network")
    text: Annotated[str, Field(min_length=1, max_length=3_000)] = Field(
        description="The post as published, hashtags included, the article's link not"
    )
    hashtags: tuple[str, ...] = Field(description="The hashtags at the end of the text")
    link: bool = Field(description="Whether the article's address goes with it")
    length: Annotated[int, Field(ge=1)] = Field(
        description="The length as the network counts it, the article's link included"
    )
    limit: Annotated[int, Field(ge=1)] = Field(description="What the network takes")
    counted: Counted = Field(description="What the network counts")


class PostSet(Answer):
    """Six posts, and another for the network of the first.

    Whoever publishes takes `posts`; with the flag `use_variant_b`, `variant_b` instead of `posts[0]`.
    """

    posts: Annotated[tuple[Post, ...], Field(min_length=6, max_length=6)] = Field(
        description="X, LinkedIn, Instagram, Facebook, Threads, Bluesky, in this order"
    )
    variant_b: Post = Field(description="Takes the place of the first post where it is stronger")
    variant_b_bets_on: Line = Field(description="What variant B bets on that the first does not")


class PostEdit(Answer):
    """The words of one post, replaced."""

    platform: Literal["linkedin", "facebook", "instagram", "threads", "bluesky", "x"] = Field(
        description="The network whose post is repaired"
    )
    text: Annotated[str, Field(min_length=80, max_length=1_300)] = Field(
        description="The whole new words, without hashtags and links; those stay as they are"
    )


class Revision(Answer):
    """What the quality pass repairs, and how good the set is once that is done."""

    posts: Annotated[tuple[PostEdit, ...], Field(max_length=6)] = Field(
        description="The repairs, at most one a network; empty if none is worth making"
    )
    variant_b: XText | None = Field(description="The whole new words of variant B, or null")
    flags: Annotated[tuple[Literal["use_variant_b"], ...], Field(max_length=1)] = Field(
        description="use_variant_b if variant B is the stronger of the two for X, else empty"
    )
    voice_consistency: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")
    coherence_score: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")


def compose(brief: Brief, answers: Answers) -> PostSet:
    """The six posts and the variant; hashtags and lengths are made by code."""
    variant: VariantB = answers["variant_b"]
    return PostSet(
        posts=tuple(_from_answer(platform, _written(platform, answers)) for platform in PLATFORMS),
        variant_b=_from_answer("x", variant),
        variant_b_bets_on=variant.differs,
    )


def show(candidate: PostSet) -> str:
    """The posts as the quality pass sees them, each under its network and length."""
    parts = [_shown(post.platform, post) for post in candidate.posts]
    variant = _shown("x, variant B", candidate.variant_b)
    return "\n\n".join([*parts, f"{variant}\n(bets on: {candidate.variant_b_bets_on})"])


def accept(prompt: str, answer: Any, answers: Answers) -> list[str]:
    """What is wrong with one answer in the light of earlier ones, each as a sentence."""
    match answer:
        case Conversation():
            return [
                *_answer_faults("threads", answer.threads),
                *_answer_faults("bluesky", answer.bluesky),
            ]
        case XPost():
            return _answer_faults("x", answer)
        case LinkedinPost():
            return _answer_faults("linkedin", answer)
        case InstagramPost():
            return _answer_faults("instagram", answer)
        case FacebookPost():
            return _answer_faults("facebook", answer)
        case Revision():
            named = [edit.platform for edit in answer.posts]
            return [f"{name} is edited twice" for name in PLATFORMS if named.count(name) > 1]
        case _:
            return []


def revise(candidate: PostSet, revision: Revision) -> PostSet:
    """The candidate with the new words in place, hashtags kept and lengths counted anew."""
    texts = {edit.platform: edit.text for edit in revision.posts}
    variant = candidate.variant_b
    if revision.variant_b is not None:
        variant = _reworded(variant, revision.variant_b)
    posts = tuple(
        _reworded(post, texts[post.platform]) if post.platform in texts else post
        for post in candidate.posts
    )
    return candidate.model_copy(update={"posts": posts, "variant_b": variant})


def check(brief: Brief, answers: Answers, candidate: PostSet) -> list[str]:
    """What code finds wrong with the posts, each as a sentence naming what and where."""
    found: list[str] = []
    platforms = tuple(post.platform for post in candidate.posts)
    if platforms != PLATFORMS:
        found.append(f"the posts are for {', '.join(platforms)}; needed: {', '.join(PLATFORMS)}")
    if candidate.variant_b.platform != "x":
        found.append("variant B must be for x, like the first post")
    named = {f"the post for {post.platform}": post for post in candidate.posts}
    named["variant B"] = candidate.variant_b
    for name, post in named.items():
        found += _post_faults(name, post)
        found += _invention_faults(name, post, brief)
    return found + _repeats({name: _words(post) for name, post in named.items()})


def _written(platform: Platform, answers: Answers) -> Any:
    if platform in ("threads", "bluesky"):
        return getattr(answers["conversation"], platform)
    return answers[platform]


def _from_answer(platform: Platform, answer: Any) -> Post:
    """A post from an answer's words and topics; Instagram's has no link to give."""
    link = NETWORKS[platform].takes_links and answer.link
    return _post(platform, answer.text, hashtags(answer.topics), link=link)


def _post(platform: Platform, words: str, tags: Iterable[str], *, link: bool) -> Post:
    network = NETWORKS[platform]
    tags = tuple(tags)
    gap = " " if platform in ("x", "bluesky", "threads") else "\n\n"
    text = gap.join([words.strip(), *([" ".join(tags)] if tags else [])])
    return Post(
        platform=platform,
        text=text,
        hashtags=tags,
        link=link,
        length=network.count(text) + (network.link if link else 0),
        limit=network.limit,
        counted=network.counted,
    )


def _reworded(post: Post, words: str) -> Post:
    return _post(post.platform, words, post.hashtags, link=post.link)


def _words(post: Post) -> str:
    """A post's text without the hashtags that code has put at its end."""
    return post.text.removesuffix(" ".join(post.hashtags)).strip()


def _shown(name: str, post: Post) -> str:
    link = ", link" if post.link else ""
    return f"[{name}] {post.length} of {post.limit} {post.counted}{link}\n{post.text}"


def _answer_faults(platform: Platform, answer: Any) -> list[str]:
    return _post_faults(f"the post for {platform}", _from_answer(platform, answer))


def _post_faults(name: str, post: Post) -> list[str]:
    network = NETWORKS[post.platform]
    length = network.count(post.text) + (network.link if post.link else 0)
    words = _words(post)
    found: list[str] = []
    if length > network.limit:
        found.append(
            f"{name} has {length} {network.counted} with hashtags and link, "
            f"{post.platform} takes {network.limit}"
        )
    if post.length != length:
        found.append(f"{name} has {length} {network.counted}, not {post.length}")
    if post.platform == "bluesky" and len(post.text.encode()) > BLUESKY_BYTES:
        found.append(f"{name} has more than {BLUESKY_BYTES} bytes")
    if len(post.hashtags) > network.most_hashtags:
        found.append(
            f"{name} has {len(post.hashtags)} hashtags, at most {network.most_hashtags} may be"
        )
    if HASHTAG.search(words):
        found.append(f"{name} has a hashtag among its words; give topics instead")
    if post.link and not network.takes_links:
        found.append(f"{name} has a link, which nobody can follow on {post.platform}")
    return found


def _invention_faults(name: str, post: Post, brief: Brief) -> list[str]:
    words = _words(post)
    said = given.said(brief)
    addresses = [link for link in networks.links(words) if link not in said]
    return [
        *(
            f"the figure {figure!r} in {name} stands nowhere in the brief"
            for figure in given.invented_figures(networks.without_links(words), brief)
        ),
        *(
            f"{name} holds the address {link!r}, which the brief does not give"
            for link in addresses
        ),
        *(
            f"{name} names {handle!r}, which the brief does not give"
            for handle in given.invented_handles(words, brief)
        ),
    ]


def _repeats(words: Mapping[str, str]) -> list[str]:
    seen: dict[str, str] = {}
    found = []
    for name, text in words.items():
        other = seen.setdefault(" ".join(text.casefold().split()), name)
        if other != name:
            found.append(f"{name} says the same words as {other}")
    return found
