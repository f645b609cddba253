"""What the guard says to a URL, without sending anything to its site."""

from typing import TYPE_CHECKING

from safefetch_cli.errors import PolicyRejected
from safefetch_cli.net import urls
from safefetch_cli.net.addresses import Address, judge
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.policy import Policy, Refusal
from safefetch_cli.net.urls import Target
from safefetch_cli.verdicts import JudgedAnswer, Verdict

if TYPE_CHECKING:
    from safefetch_cli.net.resolve import Lookup


def check(url: str, policy: Policy, budget: Budget, lookup: "Lookup | None" = None) -> Verdict:
    """Parse the URL, apply the rules, look its host up and judge every answer.

    `lookup` stands in for the system's look-up. Raises InvalidInput for what is not a URL,
    DnsResolutionFailed or Timeout when the host has no answer; a refusal is a verdict.
    """
    try:
        target = urls.parse(url)
    except PolicyRejected as error:
        return Verdict(url=url.strip(), allowed=False, rule=error.rule, reason=error.message)
    refusal = policy.refuse_target(target)
    addresses: tuple[Address, ...] = () if target.address is None else (target.address,)
    if refusal is None and not addresses:
        # A literal address needs no look-up, nor the modules that do it.
        from safefetch_cli.net.resolve import find, system_lookup

        addresses = find(target, budget, lookup or system_lookup)
    answers = tuple(_answer(address, policy, target) for address in addresses)
    refusals = (policy.refuse_address(address, target) for address in addresses)
    return _verdict(target, refusal or next(filter(None, refusals), None), answers)


def _answer(address: Address, policy: Policy, target: Target) -> JudgedAnswer:
    return JudgedAnswer(
        address=str(address),
        address_class=judge(address).address_class,
        allowed=policy.refuse_address(address, target) is None,
    )


def _verdict(target: Target, refusal: Refusal | None, answers: tuple[JudgedAnswer, ...]) -> Verdict:
    if refusal is None:
        return Verdict(url=target.url, allowed=True, addresses=answers)
    return Verdict(
        url=target.url,
        allowed=False,
        rule=refusal.rule,
        address_class=refusal.address_class,
        reason=refusal.reason,
        hint=refusal.hint,
        addresses=answers,
    )
