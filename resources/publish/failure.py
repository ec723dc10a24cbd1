"""What can go wrong when an article goes out."""


class PublishError(Exception):
    """The article is not out, or not everywhere; the sentence says where and what to do."""
