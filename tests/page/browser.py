"""Headless Chromium: a page as a browser sees it, in a frame of any width."""

import shutil
import subprocess
from pathlib import Path

import pytest
from markupsafe import escape

from tests.page import dom

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--window-size=1600,1000",
)

HOST = """<!doctype html>
<iframe srcdoc="{page}" style="width: {width}px; height: 900px; border: 0" onload="look(this)">
</iframe>
<script>
function look(frame) {{
  const found = frame.contentDocument, root = found.documentElement;
  const here = document.documentElement;
  for (const name of root.getAttributeNames()) here.setAttribute(name, root.getAttribute(name));
  found.querySelectorAll("details").forEach(folded => folded.open = true);
  here.dataset.client = root.clientWidth;
  here.dataset.scroll = root.scrollWidth;
  here.dataset.sections = [...found.querySelectorAll("section.library")].map(s => s.id).join(" ");
  here.dataset.wide = [...found.body.querySelectorAll("*")]
    .filter(element => !element.closest(".stack thead, .visually-hidden"))
    .filter(element => element.getBoundingClientRect().right > root.clientWidth + 1)
    .map(element => element.tagName + "." + element.getAttribute("class")).slice(0, 5).join(" ");
}}
</script>
"""
"""A window is never narrower than 500 px, a frame is; the page keeps its own policy in it."""


def looked_at(html: str, folder: Path, *, width: int) -> dom.Element:
    """The page's root element after it was opened at this width, with what was measured.

    `data-client` and `data-scroll` are the widths of window and page, `data-wide` names elements
    that stick out and are not hidden, `data-sections` the libraries' sections; folded parts are open.
    """
    file = folder / "host.html"
    file.write_text(HOST.format(page=escape(html), width=width), encoding="utf-8")
    [tag, *_] = _dump_dom(file, folder / "profile").partition("<html")[2].split(">")
    return dom.elements(f"<html{tag}></html>")[0]


def _dump_dom(file: Path, profile: Path) -> str:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("Chromium is missing: install the Debian package 'chromium'")
    done = subprocess.run(
        [chromium, *FLAGS, f"--user-data-dir={profile}", "--dump-dom", file.as_uri()],
        capture_output=True,
        check=True,
        timeout=300,
    )
    return done.stdout.decode()
