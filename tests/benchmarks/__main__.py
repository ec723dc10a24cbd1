"""The speed of the whole: `python -m tests.benchmarks [--only a,b] [--out FOLDER]`.

(a) one article, (b) 30 articles at 500 ms and 2 s a prompt beside a bare script, (c) Dagster's default
executor, (d) CPU, events, memory, (e) the sensor's tick by history, (f) PostgreSQL. Prints one table;
writes `speed.json` (all samples) and `speed.png` into the folder. Parts that are not asked for keep
what `speed.json` says of them. All of it takes about half an hour on two busy cores. (f) needs the
Debian package postgresql-15 and to be root, for a server of its own.
"""

import argparse
import sys
from pathlib import Path

from tests.benchmarks.speed.drawing import draw
from tests.benchmarks.speed.parts import PARTS
from tests.benchmarks.speed.result import Result, load, save
from tests.benchmarks.speed.table import line, table

DOCS = Path(__file__).parents[2] / "docs"


def main() -> int:
    """Measure, print, write, draw; 1 where a bar is missed."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--only", type=_letters, default=tuple(PARTS), help="such as a,b")
    options.add_argument("--out", type=Path, default=DOCS)
    chosen = options.parse_args()
    file = chosen.out / "speed.json"
    chosen.out.mkdir(parents=True, exist_ok=True)
    for letter in chosen.only:
        found: list[Result] = []
        for result in PARTS[letter]():
            _say(line(result))
            found.append(result)
        others = [one for one in load(file) if one.part != letter]
        save(sorted([*others, *found], key=lambda one: one.part), file)
    results = load(file)
    draw(results, chosen.out / "speed.png")
    _say(f"\n{table(results)}")
    return 1 if any(one.verdict == "MISSED" for one in results) else 0


def _letters(text: str) -> tuple[str, ...]:
    letters = tuple(dict.fromkeys(text.split(",")))
    if unknown := [letter for letter in letters if letter not in PARTS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(PARTS)}")
    return letters


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
