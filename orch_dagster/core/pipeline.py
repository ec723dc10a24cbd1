"""What a pipeline declares: steps, what each is made from, its gates, and what repairs it."""

from collections.abc import Iterable
from dataclasses import dataclass

from orch_dagster.core.gate import Gate

INPUT = "brief"
"""The name under which steps say that they are made from the registered input itself."""

RETRIES = 3
"""How often a failed step is tried again by itself (DESIGN 4.2)."""

SCORINGS = 3
"""The chain's own pass and at most two more (DESIGN 4.2)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One unit of work that ends in a record.

    `needs` are the steps (or `INPUT`) that its document is made from; `rework` names the steps
    to run, in order, when a gate of this step fails.
    """

    name: str
    needs: tuple[str, ...]
    gates: tuple[Gate, ...]
    rework: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Steps in an order in which each comes after what it needs, and the step that ends the article.

    `ended` is the word for an article that is done: assembled, or published. An `unattended`
    pipeline lets an article go out below its threshold, with a note; another waits for a person.
    """

    name: str
    ended: str
    steps: tuple[Step, ...]
    finish: Step
    unattended: bool = False

    def __post_init__(self) -> None:
        known = {INPUT}
        for step in (*self.steps, self.finish):
            if step.name in known:
                raise ValueError(f"pipeline {self.name!r}: step {step.name!r} stands twice")
            if missing := [need for need in step.needs if need not in known]:
                raise ValueError(
                    f"pipeline {self.name!r}: step {step.name!r} needs {missing[0]!r}, "
                    "which no earlier step makes"
                )
            known.add(step.name)
        for step in self.steps:
            self._check_rework(step)

    def _check_rework(self, step: Step) -> None:
        where, known = f"pipeline {self.name!r}", {other.name: other for other in self.steps}
        if missing := [name for name in step.rework if name not in known]:
            raise ValueError(
                f"{where}: rework of {step.name!r} names {missing[0]!r}, which is no step"
            )
        if (step.gates or step.rework) and step.rework[-1:] != (step.name,):
            raise ValueError(
                f"{where}: step {step.name!r} has gates or rework, so its rework must end in a new "
                "scoring by itself"
            )
        anew = self.below(step.rework)
        if between := [need for need in step.needs if need in anew and need not in step.rework]:
            raise ValueError(
                f"{where}: rework of {step.name!r} makes {between[0]!r} anew, so it must name it"
            )
        given = {need for name in step.rework for need in known[name].needs} - {*step.rework}
        if missing := sorted(given - {*step.needs}):
            raise ValueError(
                f"{where}: step {step.name!r} is repaired from {missing[0]!r}, so it must need it: "
                "its scorings are counted for one input"
            )

    def below(self, names: Iterable[str]) -> tuple[str, ...]:
        """These steps and all that is made from them, the finish included, in order."""
        found = set(names)
        for step in (*self.steps, self.finish):
            if found.intersection(step.needs):
                found.add(step.name)
        return tuple(step.name for step in (*self.steps, self.finish) if step.name in found)
