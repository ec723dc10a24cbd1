"""Pages as sites make them, by hand."""

PARAGRAPHS = tuple(
    f"Paragraph {number}: the harbour office counted {number * 37} barges this week, and the pilot "
    "who has watched the lock for thirty years says that the river has never been so low in May."
    for number in (1, 2, 3)
)


def page(body: str, *, head: str = "", title: str = "Low water in the harbour") -> str:
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{head}</head>'
        f"<body>{body}</body></html>"
    )


def article(extra: str = "", *, head: str = "") -> str:
    """An article among the furniture of a site, with `extra` between its paragraphs."""
    first, second, third = (f"<p>{text}</p>" for text in PARAGRAPHS)
    return page(
        "<nav><ul><li><a href='/'>Home</a></li><li><a href='/news'>News</a></li></ul></nav>"
        f"<main><article><h1>Low water in the harbour</h1>{first}{extra}{second}{third}</article>"
        "<div class='related'><h3><a href='/a'>Other story</a></h3></div></main>"
        "<footer><p>Copyright the Harbour Gazette. All rights reserved.</p></footer>",
        head=head,
    )


TEASERS = page(
    "<main>"
    + "".join(
        f"<div class='card'><h2><a href='/story/{n}'>Story number {n} of the day</a></h2>"
        f"<p>In a few words what story {n} is about, and why you should read on.</p></div>"
        for n in range(12)
    )
    + "</main>",
    title="The Harbour Gazette",
)

CONSENT = page(
    "<div><h1>Before you continue</h1><p>We and our 842 partners use cookies to store personal data "
    "on your device.</p><p>With your consent we process personal data for advertising.</p><p>You can "
    "manage options or see our privacy policy at any time.</p><button>Reject all</button>"
    "<button>Accept all</button></div>",
    title="Before you continue",
)

PAYWALL = page(
    f"<article><h1>Low water in the harbour</h1><p>{PARAGRAPHS[0]}</p><p>{PARAGRAPHS[1]}</p>"
    "<div class='gate'><h2>Subscribe to continue reading</h2><p>Already a subscriber? "
    "<a href='/login'>Log in</a></p></div></article>"
)

LOGIN = page(
    "<form action='/login'><h1>Members</h1><p>Please log in with your name and password.</p>"
    "<input name='user'><input type='password' name='p'><button>Log in</button></form>",
    title="Log in",
)

SCRIPTED = page(
    "<noscript>You need to enable JavaScript to run this app.</noscript><div id='root'></div>"
    "<script src='/static/main.js'></script>",
    title="App",
)

CHALLENGE = page(
    "<h1>Just a moment...</h1><p>Verifying you are human. This may take a few seconds.</p>"
    "<script>run()</script>",
    title="Just a moment...",
)

LOST = page("<h1>404</h1><p>The page was not found. Try the search, or go home.</p>", title="Oops")
