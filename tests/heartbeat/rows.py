"""Tables of rows that break, as a database may, at the very end of a run."""

from orch_dagster.core.row import Row


class BreakingTable:
    """Breaks the first times, each with all the run's other work done; keeps rows after that."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.kept: list[Row] = []

    def upsert(self, row: Row) -> None:
        """Break, or keep it."""
        if self.left:
            self.left -= 1
            raise ConnectionError("the table of rows is away")
        self.kept.append(row)
