"""What each library's template shows of a deliverable."""

import json
import re
from dataclasses import replace
from datetime import date

from assets.content.content_ops.models import DistributionPlan, dates
from assets.content.crm.models import NurtureSequence
from assets.content.design.tokens import DesignTokens
from assets.content.image.models import ImageSet
from assets.content.seo.models import SeoPackage
from assets.content.social.models import PostSet
from assets.content.task.models import TaskList
from assets.content.video.models import VideoSet
from orch_dagster.core.episode import Flag
from orch_dagster.page.wording import day
from tests.page import dom, samples


def test_the_article_is_rendered_with_its_meta_and_its_pull_quote() -> None:
    html = samples.section("article")
    words = dom.words(html)
    assert len(dom.named(html, "blockquote")) == 1
    assert "Meta: title" in words
    assert "Meta: description" in words
    assert "Meta: keywords" in words
    assert "the brief asks for 2,500 of running text" in words


def test_footnotes_of_the_article_lead_there_and_back() -> None:
    html = samples.section("article")
    ids = {element.get("id") for element in dom.elements(html)}
    marks = [e for e in dom.named(html, "a") if "sup" in e.inside]
    backs = dom.named(html, "a", class_="footnote-backref")
    assert marks
    assert len(backs) == len(marks)
    assert all(link.get("href")[1:] in ids for link in (*marks, *backs))
    assert all(link.get("aria-label") == "Back to the text" for link in backs)


def test_the_articles_headings_stand_below_the_librarys() -> None:
    tags = [e.tag for e in dom.elements(samples.section("article")) if re.fullmatch(r"h\d", e.tag)]
    assert tags[:2] == ["h2", "h3"]
    assert set(tags[2:]) == {"h4"}


def test_social_posts_are_cards_with_network_and_count() -> None:
    posts: PostSet = samples.candidate("social")
    words = dom.words(samples.section("social"))
    for post in (*posts.posts, posts.variant_b):
        assert " ".join(post.text.split()) in words
        assert f"{post.length:,} of {post.limit:,} {post.counted}" in words
    for network in ("X, variant A", "LinkedIn", "Instagram", "Facebook", "Threads", "Bluesky"):
        assert network in words
    assert f"Variant B bets on: {posts.variant_b_bets_on}" in words


def test_the_row_takes_variant_a_unless_the_flag_says_b() -> None:
    words = dom.words(samples.section("social"))
    assert "X, variant A ✓ the row takes this one" in words
    assert "X, variant B not taken" in words
    words = dom.words(samples.section("social", samples.flagged("social", Flag.USE_VARIANT_B)))
    assert "X, variant A not taken" in words
    assert "X, variant B ✓ the row takes this one" in words


def test_a_post_over_its_limit_says_so() -> None:
    posts: PostSet = samples.candidate("social")
    long = posts.posts[0].model_copy(update={"length": 281})
    text = posts.model_copy(update={"posts": (long, *posts.posts[1:])}).model_dump_json()
    parts = (
        replace(part, text=text) if part.library.name == "social" else part
        for part in samples.package().parts
    )
    html = samples.section("social", samples.package(*parts))
    assert "281 of 280 weighted characters: ✕ too long" in dom.words(html)


def test_colours_are_swatches_and_pairs_have_their_contrast() -> None:
    tokens: DesignTokens = samples.candidate("design")
    html = samples.section("design")
    shown = {swatch.get("style") for swatch in dom.named(html, "span", class_="swatch")}
    assert f"background: {tokens.color.accent.value_.hex}" in shown
    assert len(dom.named(html, "span", class_="swatch")) == 9
    words = dom.words(html)
    for pair in tokens.extensions_.contrast:
        assert f"{pair.ratio:.2f} : 1" in words
    assert "✓ AAA" in words
    assert "fails" not in words


def test_the_level_of_a_pair_follows_from_its_ratio_and_what_it_is() -> None:
    tokens: DesignTokens = samples.candidate("design")
    text, ring = tokens.extensions_.contrast[0], tokens.extensions_.contrast[8]
    assert (text.criterion, ring.criterion) == ("1.4.3", "1.4.11")
    levels = [
        _level(text, ratio=4.49, required=4.5),
        _level(text, ratio=6.99, required=4.5),
        _level(text, ratio=7.0, required=4.5),
        _level(text, ratio=4.5, required=3.0),
        _level(text, ratio=3.0, required=3.0),
        _level(ring, ratio=21.0, required=3.0),
    ]
    assert levels == ["✕ fails AA", "✓ AA", "✓ AAA", "✓ AAA", "✓ AA", "✓ AA"]


def _level(pair: object, **figures: float) -> str:
    tokens: DesignTokens = samples.candidate("design")
    changed = pair.model_copy(update=figures)  # type: ignore[attr-defined]
    extensions = tokens.extensions_.model_copy(update={"contrast": (changed,)})
    text = tokens.model_copy(update={"extensions_": extensions}).model_dump_json(by_alias=True)
    [part] = [part for part in samples.package().parts if part.library.name == "design"]
    html = samples.section("design", samples.package(replace(part, text=text)))
    [level] = dom.named(html, "td", data_label="Level")
    return level.words


def test_the_type_scale_stands_in_its_own_sizes() -> None:
    tokens: DesignTokens = samples.candidate("design")
    styles = " ".join(e.get("style") for e in dom.named(samples.section("design"), "p"))
    for step in ("display", "heading", "subheading", "lead", "body", "caption"):
        assert f"font-size: {getattr(tokens.font.size, step).value_.value:g}rem" in styles


def test_e_mails_are_folded_with_both_variants_inside() -> None:
    sequence: NurtureSequence = samples.candidate("crm")
    html = samples.section("crm")
    folded = dom.named(html, "details")
    assert len(folded) == len(sequence.steps) == 5
    for mail, step in zip(folded, sequence.steps, strict=True):
        assert "open" not in mail.attributes
        assert mail.words.startswith(f"Day {step.delay_days}: {step.subject} {step.preview}")
        assert step.variants.primary.subject in mail.words
        assert " ".join(step.variants.secondary.opening.split()) in mail.words
        assert step.call_to_action.label in mail.words


def test_the_search_result_is_previewed_with_its_lengths() -> None:
    made: SeoPackage = samples.candidate("seo")
    html = samples.section("seo")
    [preview] = dom.named(html, "div", class_="result")
    assert made.title in preview.words
    assert made.description in preview.words
    assert made.slug in preview.words
    words = dom.words(html)
    assert f"{len(made.title)} characters; 15 to 60 are asked for: ✓ fits" in words
    for item in made.questions:
        assert f"{item.question} {item.answer}" in words


def test_json_ld_is_folded_and_can_be_copied_as_it_stands() -> None:
    made: SeoPackage = samples.candidate("seo")
    copied = [json.loads(pre.text) for pre in dom.named(samples.section("seo"), "pre")]
    assert copied == [json.loads(node.model_dump_json(by_alias=True)) for node in made.json_ld]


def test_pictures_have_a_drawn_frame_of_their_ratio_and_their_alt_text() -> None:
    made: ImageSet = samples.candidate("image")
    html = samples.section("image")
    frames = dom.named(html, "svg")
    assert [frame.get("viewbox") for frame in frames] == [
        f"0 0 {picture.width} {picture.height}" for picture in made.pictures
    ]
    words = dom.words(html)
    for picture, frame in zip(made.pictures, frames, strict=True):
        assert picture.alt_text in words
        assert picture.directive in words
        assert f"focal point at {picture.focal_point.x} % from the left" in frame.get("aria-label")


def test_scripts_are_tables_of_beats_with_seconds() -> None:
    made: VideoSet = samples.candidate("video")
    html = samples.section("video")
    tables = dom.named(html, "table")
    assert len(tables) == len(made.videos)
    for table, video in zip(tables, made.videos, strict=True):
        assert f"Hook 0:00 {video.hook.seconds:.1f} {video.hook.spoken}" in table.words
        assert video.call_to_action in table.words
        for number, beat in enumerate(video.beats, start=1):
            minutes, seconds = divmod(round(beat.starts_at), 60)
            assert f"{number} {minutes}:{seconds:02} {beat.seconds:.1f}" in table.words
            assert " ".join(beat.seen.split()) in table.words


def test_the_timeline_is_drawn_by_distance_from_publication() -> None:
    plan: DistributionPlan = samples.candidate("content_ops")
    html = samples.section("content_ops")
    [timeline] = dom.named(html, "ol", class_="timeline")
    for entry in plan.timeline:
        assert day(entry.offset.days).capitalize() in timeline.words
        assert entry.what in timeline.words
    marks = [e for e in dom.named(html, "span") if e.get("class").startswith("mark")]
    assert len(marks) == len(plan.timeline)


def test_with_a_publication_day_the_timeline_has_real_days() -> None:
    plan: DistributionPlan = samples.candidate("content_ops")
    published = date(2027, 1, 18)
    [timeline] = dom.named(
        samples.section("content_ops", published=published), "ol", class_="timeline"
    )
    for dated in dates(plan, published):
        assert dated.day.strftime("%a %d %b %Y") in timeline.words
    assert "Mon 18 Jan 2027" in timeline.words


def test_tasks_are_a_table_with_dependencies_and_bars_by_day() -> None:
    made: TaskList = samples.candidate("task")
    html = samples.section("task")
    [table] = dom.named(html, "table")
    for task in made.tasks:
        assert f"{task.id} {task.title}" in table.words
        assert day(task.offset_days) in table.words
    waits = [cell.words for cell in dom.named(html, "td", data_label="Waits for")]
    assert [", ".join(task.depends_on) for task in made.tasks if task.depends_on] == [
        text.split(", then")[0] for text in waits if text.startswith("t")
    ]
    bars = [e for e in dom.named(html, "span") if e.get("class").startswith("bar")]
    assert len(bars) == len(made.tasks)
