"""Progress bars: one an article, or one a library where there is a single article."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress

from orch_dagster.cli.speaking import err
from orch_dagster.library import Library
from orch_dagster.progress import Moment, Progress, listening
from orch_dagster.waiting import Waiting, watching


class Bars:
    """Prompts answered so far, of those that the libraries have."""

    def __init__(self, libraries: tuple[Library, ...], articles: tuple[str, ...]) -> None:
        self.display = RichProgress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TextColumn("{task.fields[doing]}", markup=False),
            TimeElapsedColumn(),
            console=err,
        )
        self._by_library = len(articles) == 1 and bool(libraries)
        self._done: dict[str, set[tuple[str, str]]] = {}
        totals = self._totals(libraries, articles)
        self._tasks = {
            name: self.display.add_task(name, total=total, doing="")
            for name, total in totals.items()
        }

    def _totals(
        self, libraries: tuple[Library, ...], articles: tuple[str, ...]
    ) -> Mapping[str, int | None]:
        """Prompts by bar; None where only the text says how many there are, as in translation."""
        prompts = {library.name: len(library.prompts) for library in libraries}
        return (
            prompts if self._by_library else dict.fromkeys(articles, sum(prompts.values()) or None)
        )

    def heard(self, progress: Progress) -> None:
        """Take note of one prompt."""
        name = progress.library if self._by_library else progress.article
        if name not in self._tasks:
            return
        done = self._done.setdefault(name, set())
        if progress.moment is not Moment.ASKED:
            done.add((progress.library, progress.prompt))
        doing = progress.prompt.replace("_", " ")
        self.display.update(self._tasks[name], completed=len(done), doing=doing)


class BatchBars:
    """Rows done of the batches that are waited for: a bar each, or a line where something changed."""

    def __init__(self, display: RichProgress) -> None:
        self._display = display
        self._tasks: dict[str, TaskID] = {}
        self._said: dict[str, Waiting] = {}

    def saw(self, waiting: Waiting) -> None:
        """Take note of one look at a batch."""
        if not err.is_terminal:
            self._say(waiting)
            return
        name = f"batch {waiting.batch}"
        if name not in self._tasks:
            self._tasks[name] = self._display.add_task(name, total=waiting.rows, doing="")
        task = self._tasks[name]
        self._display.update(task, completed=waiting.done, doing=waiting.status)
        if waiting.is_over:
            self._display.remove_task(self._tasks.pop(name))

    def _say(self, waiting: Waiting) -> None:
        if self._said.get(waiting.batch) == waiting:
            return
        self._said[waiting.batch] = waiting
        said = f"{waiting.status}, {waiting.done:,} of {waiting.rows:,} rows done"
        err.print(f"batch {waiting.batch}: {said}", markup=False, highlight=False)


@contextmanager
def progress_bars(libraries: tuple[Library, ...], articles: tuple[str, ...]) -> Iterator[Bars]:
    """Shows bars on standard error while the block runs, where it is a terminal."""
    bars = Bars(libraries, articles)
    with listening(bars.heard), watching(BatchBars(bars.display).saw):
        if err.is_terminal:
            with bars.display:
                yield bars
        else:
            yield bars
