"""What the folder's `settings.yaml` declares: languages, categories, the length of a piece."""

from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from assets.translation.structure.language import Pair
from orch_dagster.strict_yaml import read_mapping


class TranslationSettings(BaseModel):
    """The settings of the translation pipeline; codes are BCP-47."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source_language: str
    source_code: str
    target_language: str
    target_code: str
    piece_words: Annotated[int, Field(ge=50, le=5_000)]
    categories: Annotated[tuple[str, ...], Field(min_length=1)]

    @property
    def pair(self) -> Pair:
        """The two languages for checks by code."""
        return Pair(self.source_code, self.target_code)

    @property
    def languages(self) -> dict[str, str]:
        """The names of both, as prompts read them."""
        return {"source_language": self.source_language, "target_language": self.target_language}


@cache
def translation_settings() -> TranslationSettings:
    """The settings, read once a process."""
    text = files("assets.translation").joinpath("settings.yaml").read_text("utf-8")
    return TranslationSettings.model_validate(read_mapping(text))
