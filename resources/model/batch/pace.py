"""How long things are waited for around a batch."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """Times in seconds.

    Requests are gathered until none has come for `quiet_s`, at most `gather_s` long. A batch is
    looked at every tenth of the time that it has taken, at least every `longest_look_s` and at most
    every `first_look_s`; where the server gives no word for `patience_s`, it is left alone, and one
    that cannot be sent for `send_s` is given up. A batch that a process was about to send when it
    was killed is looked for until that is `doubt_s` ago.
    """

    quiet_s: float = 2.0
    gather_s: float = 60.0
    first_look_s: float = 1.0
    longest_look_s: float = 60.0
    send_s: float = 120.0
    patience_s: float = 3600.0
    doubt_s: float = 60.0

    def until_next_look(self, waited_s: float) -> float:
        """Seconds to the next look at a batch that has been waited for so long."""
        return min(self.longest_look_s, max(self.first_look_s, waited_s / 10))
