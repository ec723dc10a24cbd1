"""The simulator as a command."""

import json
import signal
from pathlib import Path

import httpx2

from resources.simulator.log import read_log
from tests.end_to_end.orch import Orch

CHAT = {"model": "simulator", "messages": [{"role": "user", "content": "Write 20 words."}]}


def test_it_says_where_it_listens_and_answers_there(orch: Orch, empty: Path) -> None:
    script = empty / "script.json"
    script.write_text(json.dumps([{"content": "On cue.", "times": 1}]), encoding="utf-8")
    words = ("--port", "0", "--log", "log.jsonl", "--script", "script.json")
    with orch.start("simulate", *words) as process:
        try:
            assert process.stdout is not None
            notice, address, model = (process.stdout.readline().strip() for _ in range(3))
            assert "no language model" in notice
            assert model == "ORCH_MODEL=simulator"
            url = f"{address.removeprefix('OPENAI_BASE_URL=')}/chat/completions"
            first, second = (httpx2.post(url, json=CHAT).json() for _ in range(2))
            process.send_signal(signal.SIGINT)
            _, err = process.communicate()
        finally:
            process.kill()
    assert first["choices"][0]["message"]["content"] == "On cue."
    assert second["choices"][0]["message"]["content"] != "On cue."
    assert (process.returncode, err) == (0, "")
    assert [r["event"] for r in read_log(empty / "log.jsonl")] == ["asked", "answered"] * 2


def test_a_script_that_cannot_be_followed_is_refused_in_words(orch: Orch, empty: Path) -> None:
    (empty / "script.yaml").write_text("- {statuss: 500}\n", encoding="utf-8")
    done = orch.run("simulate", "--port", "0", "--script", "script.yaml")
    assert done.status == 2
    assert "script.yaml: rule 1" in done.err
    assert "statuss" in done.err
