"""What the polisher answers: segments, in the translator's form."""

from assets.translation.translate.models import Segments, Translated

__all__ = ["Segments", "Translated"]
