"""Secrets kept out of the logs of the libraries below: at DEBUG they quote what a server sends."""

import logging

from resources.model.endpoint import Endpoint

_LOGGERS = (
    "openai", "openai._base_client", "httpx2", "httpcore2.connection", "httpcore2.http11",
    "httpcore2.http2", "httpcore2.proxy", "httpcore2.socks",
)  # fmt: skip


class LogFilter(logging.Filter):
    """Hides an endpoint's secrets in all that is logged while it is in place."""

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__()
        self._endpoint = endpoint
        for name in _LOGGERS:
            logging.getLogger(name).addFilter(self)

    def remove(self) -> None:
        """Let the loggers be."""
        for name in _LOGGERS:
            logging.getLogger(name).removeFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes, its words made safe."""
        record.msg, record.args = self._endpoint.hide(record.getMessage()), ()
        return True
