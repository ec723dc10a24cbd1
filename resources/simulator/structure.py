"""A value for a JSON schema, written out of given material."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from resources.simulator import numbers, strings
from resources.simulator.numbers import Scores
from resources.simulator.place import Place, Unanswerable
from resources.simulator.writer import Writer, slug

Schema = Mapping[str, Any]

_ITEMS = 2
_LEAN_AFTER = 2
_END_AFTER = 12
_UNIQUE_TRIES = 30
_KIND_BY_KEY = {
    "properties": "object",
    "additionalProperties": "object",
    "required": "object",
    "items": "array",
    "prefixItems": "array",
    "minItems": "array",
    "pattern": "string",
    "minLength": "string",
    "maxLength": "string",
    "format": "string",
    "minimum": "number",
    "maximum": "number",
    "multipleOf": "number",
}
_SIMPLE = (str, int, float, bool)


class Structure:
    """Fills one schema; properties come in the schema's order.

    Understood: types, enum, const, examples, default, anyOf, oneOf, allOf, local `$ref` (also
    recursive), bounds, lengths, patterns, the usual formats, and the array and object keywords but
    for `contains`, `not`, `if`, `patternProperties` and `dependent*`.
    """

    def __init__(self, root: Schema, *, writer: Writer, scores: Scores) -> None:
        """`root` is where `$ref` starts from."""
        self._root = root
        self._writer = writer
        self._scores = scores
        self._makers: dict[str, Callable[[Schema, Place], Any]] = {
            "object": self._object,
            "array": self._array,
            "string": self._string,
            "integer": self._integer,
            "number": self._number,
            "boolean": self._boolean,
            "null": lambda _schema, _place: None,
        }

    def value(self, schema: Schema | bool, place: Place) -> Any:
        """A value that `schema` accepts.

        Raises:
            Unanswerable: the schema accepts nothing, or nothing that the simulator can write.
        """
        if schema is False:
            raise Unanswerable(f"the schema allows no value at {place.path}")
        plain, place = self._resolved({} if schema is True else schema, place)
        if "const" in plain:
            return plain["const"]
        if "enum" in plain:
            return self._picked([v for v in plain["enum"] if v is not None] or [None], place)
        kind = _kind(plain)
        given = self._given(plain, kind, place)
        if given:
            return self._picked(given, place)
        if kind not in self._makers:
            raise Unanswerable(f"type {kind!r} at {place.path} is unknown")
        return self._makers[kind](plain, place)

    def _given(self, schema: Schema, kind: str, place: Place) -> list[Any]:
        if kind in ("number", "integer") and numbers.is_score(schema, place):
            return []
        examples = [v for v in schema.get("examples", ()) if _is_of(kind, v)]
        if (
            not examples
            and isinstance(schema.get("default"), _SIMPLE)
            and _is_of(kind, schema["default"])
        ):
            return [schema["default"]]
        return examples

    def _picked(self, values: list[Any], place: Place) -> Any:
        """In an array's items one after the other, so that they differ; elsewhere by the seed."""
        if place.index is not None:
            return values[place.index % len(values)]
        return self._writer.rng.choice(values)

    def _resolved(self, schema: Schema, place: Place) -> tuple[Schema, Place]:
        while True:
            if "$ref" in schema:
                reference = schema["$ref"]
                place = place.through(reference)
                if place.references.count(reference) > _END_AFTER:
                    raise Unanswerable(f"{reference!r} at {place.path} contains itself without end")
                schema = _merged(self._target(reference), _without(schema, "$ref"))
            elif "allOf" in schema:
                parts, rest = schema["allOf"], _without(schema, "allOf")
                schema = rest
                for part in parts:
                    schema = _merged(self._target(part["$ref"]) if "$ref" in part else part, schema)
            elif options := schema.get("anyOf") or schema.get("oneOf"):
                branch = self._branch(options, place)
                schema = _merged(branch, _without(schema, "anyOf", "oneOf"))
            else:
                return schema, place

    def _branch(self, options: list[Schema], place: Place) -> Schema:
        if _is_lean(place):
            ends = [
                option
                for option in options
                if "$ref" not in option and option.get("type") != "array"
            ]
            return (ends or options)[-1]
        return next((option for option in options if option.get("type") != "null"), options[0])

    def _target(self, reference: str) -> Schema:
        found: Any = self._root
        for part in reference.removeprefix("#").split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            if not reference.startswith("#") or not isinstance(found, dict) or key not in found:
                raise Unanswerable(f"the schema has no {reference!r}")
            found = found[key]
        return found

    def _object(self, schema: Schema, place: Place) -> dict[str, Any]:
        properties: Mapping[str, Any] = schema.get("properties", {})
        required = schema.get("required", ())
        names = [n for n in properties if n in required or not _is_lean(place)]
        names = [*names, *(name for name in required if name not in properties)]
        extra = schema.get("additionalProperties", True)
        filled = {
            n: self.value(properties.get(n, extra), place.member(n)) for n in names[: _most(schema)]
        }
        wanted = schema.get("minProperties", 0)
        if isinstance(extra, dict) and not properties and not _is_lean(place):
            wanted = max(wanted, min(_ITEMS, schema.get("maxProperties", _ITEMS)))
        while len(filled) < wanted:
            name = slug(f"{self._writer.phrase()} {len(filled) + 1}").replace("-", "_")
            filled[name] = self.value(extra, place.member(name))
        return filled

    def _array(self, schema: Schema, place: Place) -> list[Any]:
        prefix, items = schema.get("prefixItems", []), schema.get("items", True)
        count = self._count(schema, place)
        values: list[Any] = []
        for index in range(count):
            item = prefix[index] if index < len(prefix) else items
            new = self._item(
                item, place.item(index, count), values if schema.get("uniqueItems") else []
            )
            if new is not None:
                values.append(new[0])
        if len(values) < schema.get("minItems", 0):
            raise Unanswerable(f"too few different items for {place.path}")
        return values

    def _item(self, schema: Schema | bool, place: Place, others: list[Any]) -> tuple[Any] | None:
        known = {json.dumps(other, sort_keys=True) for other in others}
        for turn in range(_UNIQUE_TRIES if others else 1):
            value = self.value(schema, place.item((place.index or 0) + turn, place.count + turn))
            if not others or json.dumps(value, sort_keys=True) not in known:
                return (value,)
        return None

    def _count(self, schema: Schema, place: Place) -> int:
        least = max(schema.get("minItems", 0), len(schema.get("prefixItems", ())))
        if least > 0 or _is_lean(place) or place.name == "flags" or "items" not in schema:
            return least
        items, _ = self._resolved(schema["items"] if schema["items"] is not True else {}, place)
        usual = _ITEMS if _kind(items) in ("object", "string") else 0
        if "enum" in items and schema.get("uniqueItems"):
            usual = min(usual, len(items["enum"]))
        return min(usual, schema.get("maxItems", usual))

    def _string(self, schema: Schema, place: Place) -> str:
        return strings.text(schema, place, self._writer)

    def _integer(self, schema: Schema, place: Place) -> int | float:
        if numbers.is_score(schema, place):
            return numbers.score(schema, place, self._scores)
        return numbers.integer(schema, place, self._writer.rng)

    def _number(self, schema: Schema, place: Place) -> int | float:
        if numbers.is_score(schema, place):
            return numbers.score(schema, place, self._scores)
        return numbers.number(schema, place, self._writer.rng)

    def _boolean(self, _schema: Schema, place: Place) -> bool:
        return not place.name.startswith(("needs_", "requires_"))


def _kind(schema: Schema) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        return next((k for k in kind if k != "null"), "null")
    if kind is None:
        return next((k for key, k in _KIND_BY_KEY.items() if key in schema), "string")
    return kind


def _is_of(kind: str, value: Any) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "array":
            return isinstance(value, list)
        case _:
            return kind == "object" and isinstance(value, dict)


def _is_lean(place: Place) -> bool:
    """Whether a recursive schema has gone round often enough to be ended."""
    return any(place.references.count(r) >= _LEAN_AFTER for r in place.references[-1:])


def _merged(part: Schema, rest: Schema) -> Schema:
    merged = {**part, **rest}
    if "properties" in part and "properties" in rest:
        merged["properties"] = {**part["properties"], **rest["properties"]}
    if "required" in part and "required" in rest:
        merged["required"] = [*part["required"], *rest["required"]]
    return merged


def _without(schema: Schema, *keys: str) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key not in keys}


def _most(schema: Schema) -> int | None:
    return schema.get("maxProperties")
