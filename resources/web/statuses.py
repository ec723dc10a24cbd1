"""What an HTTP status says of an article that is not there."""

from resources.web.fetched import FetchError

_SAYS = {
    401: "asks for a login; {instead}",
    402: "asks for a payment; {instead}",
    403: "refuses to be read by a program; {instead}",
    404: "there is no page; check the address",
    410: "the page has been taken away; find where it went",
    429: "too many requests; try later",
    451: "is withheld for legal reasons where this machine stands",
}
_PASSING = (408, 425, 429)


def refuse_status(url: str, status: int, *, instead: str) -> None:
    """Nothing for an answer that carries a page; `instead` is what people can do without it.

    Raises:
        FetchError: for every other; server errors and limits are worth another try.
    """
    if status in (200, 203):
        return
    if status >= 500:
        says = "the server is out of order; try later"
    else:
        says = _SAYS.get(status, "no page came with it; check the address in a browser")
    retryable = status >= 500 or status in _PASSING
    raise FetchError(f"{url}: status {status}: {says.format(instead=instead)}", retryable=retryable)
