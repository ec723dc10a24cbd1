"""What the categorizer answers."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from assets.translation.languages import translation_settings


def _configured(category: str) -> str:
    known = translation_settings().categories
    if category not in known:
        raise ValueError(f"{category!r} is not on the list: {', '.join(known)}")
    return category


class Category(BaseModel):
    """The one category of an article; an answer outside the configured list is no answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    category: Annotated[str, AfterValidator(_configured)] = Field(
        description="One word of the list, exactly as it stands there",
        json_schema_extra={"enum": list(translation_settings().categories)},
    )
