from collections.abc import Iterator

import pytest

from tests.web.site import Site, running_site


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running
