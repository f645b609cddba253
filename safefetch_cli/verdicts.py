"""What the guard says to a URL, as frozen values. Apart from `models`, for a quick verdict."""

from typing import Any, NamedTuple


class JudgedAnswer(NamedTuple):
    """One address of a host and what the guard thinks of it."""

    address: str
    address_class: str
    allowed: bool

    def to_dict(self) -> dict[str, Any]:
        """As in the field `addresses` of a verdict."""
        return {"address": self.address, "class": self.address_class, "allowed": self.allowed}


class Verdict(NamedTuple):
    """What the guard says to a URL, and which rule decided."""

    url: str  # canonical
    allowed: bool
    rule: str = ""  # of a refusal: scheme, userinfo, host, https-only, port, denylist, ...
    address_class: str = ""  # of a refusal by the rule "address"
    reason: str = ""  # of a refusal, in a few words
    hint: str = ""  # for a person: what would open it
    addresses: tuple[JudgedAnswer, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The object that `check-url --json` prints."""
        refusal = {
            "code": "POLICY_REJECTED",
            "rule": self.rule,
            "class": self.address_class or None,
            "reason": self.reason,
        }
        return {
            "url": self.url,
            "verdict": "allowed" if self.allowed else "refused",
            **({} if self.allowed else refusal),
            "addresses": [answer.to_dict() for answer in self.addresses],
        }
