"""The brief: what one article is to be made from."""

from hashlib import sha256
from typing import Annotated

from pydantic import AnyHttpUrl, BaseModel, ConfigDict, Field, StringConstraints

DEFAULT_WORDS = 2500

Slug = Annotated[
    str, StringConstraints(strict=True, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=120)
]
Title = Annotated[
    str, StringConstraints(strict=True, strip_whitespace=True, min_length=1, max_length=300)
]
FieldText = Annotated[
    str, StringConstraints(strict=True, strip_whitespace=True, min_length=1, max_length=20_000)
]
Sources = Annotated[
    str, StringConstraints(strict=True, strip_whitespace=True, min_length=1, max_length=200_000)
]


class Related(BaseModel):
    """An article that the new one may link to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Title
    url: Annotated[AnyHttpUrl, Field(max_length=2_000)]


class Brief(BaseModel):
    """One article's nine required fields, its name, and what it may state and link to.

    `words` is the length asked for, 300 to 12,000; `sources` are the facts the article may state.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    slug: Slug
    title: Title
    brand_identity: FieldText
    brand_voice: FieldText
    core_thesis: FieldText
    primary_audience: FieldText
    secondary_audience: FieldText
    competitive_context: FieldText
    visual_style: FieldText
    seo_cluster: FieldText
    crm_trigger: FieldText
    sources: Sources | None = None
    related: Annotated[tuple[Related, ...], Field(max_length=50)] = ()
    words: Annotated[int, Field(strict=True, ge=300, le=12_000)] = DEFAULT_WORDS

    def fingerprint(self) -> str:
        """The hash of all that the brief says, 16 hex digits: its Dagster data version."""
        return sha256(self.model_dump_json().encode()).hexdigest()[:16]


PROMPT_FIELDS = tuple(name for name in Brief.model_fields if name not in ("slug", "words"))
"""The fields that a prompt can declare to read, in the order of the brief."""
