"""A brief of about 300 words, laid out as prompts carry it."""

FIELDS = {
    "brand_voice": (
        "Warm and exact. We name the month and the price. Never talk down to people who store "
        "their onions in the wrong cupboard."
    ),
    "core_thesis": (
        "A shared cold cellar keeps more harvest edible than a freezer in every house, and it pays "
        "for itself before the second spring."
    ),
    "primary_audience": (
        "Allotment holders within a walk of the cellar who grow more than they can eat in October."
    ),
    "seo_cluster": "Pillar: community root cellar. Supporting: store carrots in sand, cellar humidity.",
    "sources": (
        "The cellar under the old dairy holds 4.2 tonnes in 61 crates, and 38 households rent one "
        "each. A crate costs 24 a year; a freezer of the same volume costs about 70 in power alone. "
        "We logged the temperature every hour from October to April: it stayed between 3 and 6 "
        "degrees, but one door left open in January took it to 11 for a night. Carrots in damp sand "
        "kept 23 weeks, beetroot 21, and winter pears 14. Apples sit behind their own door because "
        "they give off ethylene and make everything near them ripen early.\n\n"
        "Last season members threw away 6 per cent of what they had stored, by weight. The year "
        "before the cellar opened the same people guessed 30 per cent, which is a guess and should "
        "be called one. Two volunteers check the crates each Sunday and write what they find on the "
        "slate by the stairs. Mice came once, in the second winter, through a drain that now has a "
        "grate. The loan for the insulation was 2,900 and was paid back after 19 months.\n\n"
        "Humidity is the hard part: the floor is bare earth, so it rarely falls below 88 per cent, "
        "and onions rot at that. Onions and garlic hang in the loft of the dairy instead, where it "
        "is dry and cold. New members get one hour of training and a card with nine dates. The card "
        "says when to sort, when to turn and when to eat up what is left. People with no garden may "
        "rent a crate too, for what the market has too much of on the last Saturday of October."
    ),
}


def block(**changes: str) -> str:
    """The brief as the block that stands at the start of a prompt."""
    fields = {**FIELDS, **changes}
    inside = "\n".join(f'<field name="{name}">{text}</field>' for name, text in fields.items())
    return f"<brief>\n{inside}\n</brief>\n\n"
