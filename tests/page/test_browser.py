"""The page of a real run in headless Chromium."""

import re
from pathlib import Path

import pytest

from orch_dagster.page.document import Structured
from orch_dagster.page.page import render_document
from tests.end_to_end.orch import Orch
from tests.page import audit, dom, samples
from tests.page.browser import looked_at
from tests.page.payloads import MARK, PAYLOADS, injected, markdown

ARTICLE = "lift-modernisation-in-stages"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The demo brief's page, made by the command line."""
    orch = Orch(tmp_path_factory.mktemp("desk"))
    assert orch.run("demo").status == 0
    done = orch.run("show", ARTICLE, "--html", "page.html", "--published", "2027-01-18")
    assert done.status == 0, done.err
    return (orch.folder / "page.html").read_text(encoding="utf-8")


def test_every_library_of_a_real_run_is_on_the_page(page: str, tmp_path: Path) -> None:
    sections = looked_at(page, tmp_path, width=1400).get("data-sections").split()
    assert sections == [library.name for library in samples.libraries()]
    assert len(sections) >= 9
    assert audit.faults(page) == []
    words = dom.words(page)
    assert "Nothing to show yet." not in words
    assert "Mind:" not in words
    assert "Mon 18 Jan 2027" in words


@pytest.mark.parametrize("width", [320, 400, 800, 940, 1160, 1400])
def test_nothing_is_wider_than_the_window(page: str, tmp_path: Path, width: int) -> None:
    root = looked_at(page, tmp_path, width=width)
    client = root.get("data-client")
    assert width - 20 <= int(client) <= width
    assert (root.get("data-scroll"), root.get("data-wide")) == (client, "")


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_no_hostile_text_runs_even_without_the_pages_policy(tmp_path: Path) -> None:
    """The Content-Security-Policy is taken out of the copy: escaping alone must hold."""
    html = samples.page().replace("<main>", "<main>" + "".join(_hostile_bodies()))
    html = re.sub(r"<meta http-equiv=[^>]*>", "", html)
    control = "<script>document.documentElement.dataset.control = 1</script></body>"
    root = looked_at(html.replace("</body>", control), tmp_path, width=400)
    assert root.get("data-control") == "1", "scripts do not run here, so this proves nothing"
    assert MARK not in root.attributes


def _hostile_bodies() -> list[str]:
    bodies: list[str] = []
    for payload in PAYLOADS:
        for library in samples.libraries():
            part = samples.part(library, markdown(payload))
            whole = samples.package(part)
            if library.suffix == ".md":
                bodies.append(samples.section(library.name, whole))
            else:
                hostile = Structured(injected(samples.candidate(library.name), payload))
                bodies.append(render_document(hostile, part=part, package=whole, published=None))
    return bodies
