"""Where in an answer a value stands."""

from dataclasses import dataclass, replace


class Unanswerable(ValueError):
    """A schema for which the simulator can write no value."""


@dataclass(frozen=True, slots=True)
class Place:
    """The property's name and, inside an array, which of how many items it belongs to."""

    name: str = ""
    path: str = "$"
    index: int | None = None
    count: int = 1
    references: tuple[str, ...] = ()

    def member(self, name: str) -> "Place":
        """The place of a property of the object that stands here."""
        return replace(self, name=name, path=f"{self.path}.{name}")

    def item(self, index: int, count: int) -> "Place":
        """The place of an item of the array that stands here, which keeps the array's name."""
        return replace(self, index=index, count=count, path=f"{self.path}.{index}")

    def through(self, reference: str) -> "Place":
        """This place, reached by a `$ref`."""
        return replace(self, references=(*self.references, reference))

    @property
    def name_parts(self) -> frozenset[str]:
        """The words of a snake_case or camelCase name, small."""
        spaced = "".join(f"_{c.lower()}" if c.isupper() else c for c in self.name)
        return frozenset(part for part in spaced.replace("-", "_").split("_") if part)
