"""What an HTTP status says of an article that is not there."""

from resources.web.fetched import FetchError

_SAVE = "open it in a browser, save the page and give the file"
_SAYS = {
    401: f"asks for a login; {_SAVE}",
    402: f"asks for a payment; {_SAVE}",
    403: f"refuses to be read by a program; {_SAVE}",
    404: "there is no page; check the address",
    410: "the page has been taken away; find where it went",
    429: "too many requests; try later",
    451: "is withheld for legal reasons where this machine stands",
}
_PASSING = (408, 425, 429)


def refuse_status(url: str, status: int) -> None:
    """Nothing for an answer that carries a page.

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
    raise FetchError(f"{url}: status {status}: {says}", retryable=retryable)
