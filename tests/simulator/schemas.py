"""Random JSON schemas of the kinds that response formats use."""

from typing import Any

from hypothesis import strategies as st

_NAMES = st.sampled_from(
    [
        "title",
        "text",
        "score",
        "id",
        "keywords",
        "flags",
        "slug",
        "items",
        "note",
        "needs_work",
        "url",
    ]
)
_PATTERNS = [
    r"^#[0-9A-Fa-f]{6}$",
    r"^[a-z0-9]+(?:-[a-z0-9]+)*$",
    r"^(?:GET|POST) /[a-z]{2,8}(\?q=\d+)?$",
    r"^\d{4}-\d{2}-\d{2}$",
    r"[A-Z][a-z]+ [^aeiou\s]{3}",
    r"^@?\w{1,15}$",
    r"^[\w.+-]+@[\w-]+\.[a-z]{2,}$",
    r"^(?=.)[\u0430-\u044f]{3,5}$",
]


def _strings() -> st.SearchStrategy[dict[str, Any]]:
    lengths = st.tuples(st.integers(0, 90), st.integers(0, 90)).map(
        lambda pair: {"type": "string", "minLength": pair[0], "maxLength": sum(pair)}
    )
    formats = st.sampled_from(["date", "date-time", "uri", "email", "uuid"])
    return st.one_of(
        st.just({"type": "string"}),
        lengths,
        st.sampled_from(_PATTERNS).map(lambda p: {"type": "string", "pattern": p}),
        formats.map(lambda f: {"type": "string", "format": f}),
        st.lists(st.sampled_from("abcdef"), min_size=1, unique=True).map(lambda e: {"enum": e}),
        st.just({"type": "string", "examples": ["one", "two", "three"]}),
        st.integers(5, 40).map(lambda n: {"type": "string", "description": f"about {n} words"}),
    )


def _numbers() -> st.SearchStrategy[dict[str, Any]]:
    bounds = st.tuples(st.integers(-50, 50), st.integers(2, 60), st.booleans(), st.booleans())
    kinds = st.sampled_from(["integer", "number"])
    return st.one_of(
        kinds.map(lambda kind: {"type": kind}),
        st.tuples(kinds, bounds).map(lambda pair: _bounded(pair[0], *pair[1])),
        st.sampled_from([2, 5, 0.5, 0.25, 0.1]).map(lambda m: {"type": "number", "multipleOf": m}),
        st.sampled_from([1, 3, 7]).map(
            lambda m: {"type": "integer", "multipleOf": m, "minimum": 4, "maximum": 400}
        ),
        st.sampled_from([5, 10, 100, 1]).map(
            lambda top: {"type": "number", "minimum": 0, "maximum": top}
        ),
    )


def _bounded(kind: str, low: int, width: int, open_low: bool, open_high: bool) -> dict[str, Any]:
    return {
        "type": kind,
        "exclusiveMinimum" if open_low else "minimum": low,
        "exclusiveMaximum" if open_high else "maximum": low + width,
    }


def _leaves() -> st.SearchStrategy[dict[str, Any]]:
    return st.one_of(
        _strings(),
        _numbers(),
        st.sampled_from([{"type": "boolean"}, {"type": "null"}, {"const": {"a": [1]}}, {}]),
        st.just({"type": ["string", "null"]}),
    )


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    def build(properties: dict[str, Any], required: bool, extra: bool) -> dict[str, Any]:
        names = list(properties) if required else list(properties)[:1]
        return {
            "type": "object",
            "properties": properties,
            "required": names,
            "additionalProperties": extra,
        }

    return st.builds(
        build, st.dictionaries(_NAMES, inner, max_size=4), st.booleans(), st.booleans()
    )


def _compounds(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    sizes = st.tuples(st.integers(0, 3), st.integers(0, 3))
    return st.one_of(
        _objects(inner),
        st.tuples(inner, sizes).map(
            lambda p: {"type": "array", "items": p[0], "minItems": p[1][0], "maxItems": sum(p[1])}
        ),
        inner.map(lambda items: {"type": "array", "items": items}),
        inner.map(lambda branch: {"anyOf": [branch, {"type": "null"}]}),
        inner.map(lambda values: {"type": "object", "additionalProperties": values}),
        st.tuples(_objects(inner), _objects(st.just({"type": "string"}))).map(_all_of),
        st.tuples(inner, inner).map(
            lambda pair: {"type": "array", "prefixItems": list(pair), "items": False, "minItems": 2}
        ),
    )


def _all_of(parts: tuple[dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
    first, second = ({**part, "additionalProperties": True} for part in parts)
    second["properties"] = {f"other_{name}": s for name, s in second["properties"].items()}
    second["required"] = [f"other_{name}" for name in second["required"]]
    return {"allOf": [first, second]}


def _recursive(schema: dict[str, Any]) -> dict[str, Any]:
    node = {
        "type": "object",
        "properties": {
            "value": schema,
            "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
            "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
        },
        "required": ["value", "children", "next"],
        "additionalProperties": False,
    }
    return {"$ref": "#/$defs/node", "$defs": {"node": node}}


_ANY = st.recursive(_leaves(), _compounds, max_leaves=10)
SCHEMAS = st.one_of(_ANY, _objects(_ANY), _ANY.map(_recursive))
