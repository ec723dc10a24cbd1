"""Where the cells of a table's row stand."""

from assets.translation.structure.content import Span


def cell_spans(source: str, start: int, end: int) -> tuple[tuple[Span, ...], ...]:
    r"""The stretches of each cell of the row from `start` to `end`, as GitHub divides it.

    A cell has several stretches where it holds `\|`, which stands for a pipe even in code.
    """
    while start < end and source[start] in " \t":
        start += 1
    while start < end and source[end - 1] in " \t":
        end -= 1
    cells: list[list[Span]] = [[]]
    from_here = start
    for position in range(start, end):
        if source[position] != "|":
            continue
        if position > start and source[position - 1] == "\\":
            cells[-1].append(Span(from_here, position - 1, "|"))
        else:
            cells[-1].append(Span(from_here, position, ""))
            cells.append([])
        from_here = position + 1
    cells[-1].append(Span(from_here, end, ""))
    return tuple(tuple(cell) for cell in _without_outer(cells))


def _without_outer(cells: list[list[Span]]) -> list[list[Span]]:
    if cells and _is_void(cells[0]):
        cells = cells[1:]
    if cells and _is_void(cells[-1]):
        cells = cells[:-1]
    return cells


def _is_void(cell: list[Span]) -> bool:
    return all(span.start == span.end and not span.shown for span in cell)
