"""Reasons for people: each is said once, whatever number of steps it holds for."""

from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.report import in_short

names = st.from_regex(r"[a-z]{1,8}(/draft)?", fullmatch=True)


def test_what_holds_for_several_steps_is_said_once() -> None:
    reasons = ["seo/draft: not made yet", "crm: failed, retry 1 of 3", "task/draft: not made yet"]
    assert in_short(reasons) == "seo/draft, task/draft: not made yet; crm: failed, retry 1 of 3"
    assert in_short(["a run is in flight"]) == "a run is in flight"
    assert in_short([]) == ""


@given(st.lists(st.tuples(names, st.sampled_from(["not made yet", "failed twice"])), unique=True))
def test_no_step_and_no_reason_is_lost(found: list[tuple[str, str]]) -> None:
    said = in_short(f"{name}: {why}" for name, why in found)
    assert said.count("failed twice") == any(why == "failed twice" for _, why in found)
    for name, why in found:
        [part] = [part for part in said.split("; ") if part.endswith(f": {why}")]
        assert name in part.removesuffix(f": {why}").split(", ")
