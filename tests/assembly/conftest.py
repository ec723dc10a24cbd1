"""Studios of the nine libraries, as in the tests of the Dagster glue."""

from tests.dagster_glue.conftest import instance, studio

__all__ = ["instance", "studio"]
