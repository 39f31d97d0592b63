"""No definition can make our server talk to our own network."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.effects.guard import Allowed, is_public, pin
from holdfast.effects.model import Undelivered

PRIVATE = [
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
]


@pytest.mark.parametrize("text", PRIVATE)
def test_an_address_that_is_not_of_the_public_internet_is_refused(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("text", ["93.184.216.34", "1.1.1.1", "2606:2800:220:1:248:1893:25c8:1946"])
def test_a_public_address_passes(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))


@given(st.ip_addresses(v=4, network="10.0.0.0/8"))
def test_nothing_hides_a_private_address_inside_another(inner: ipaddress.IPv4Address) -> None:
    for outer in (f"::ffff:{inner}", ipaddress.IPv6Address(int(ipaddress.IPv6Address("64:ff9b::")) | int(inner))):
        assert not is_public(ipaddress.ip_address(str(outer)))


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f000001", "[::1]".strip("[]")])
async def test_every_way_of_writing_loopback_is_refused(host: str) -> None:
    with pytest.raises(Undelivered) as caught:
        await pin(host, 80, Allowed())
    assert caught.value.code in ("address_refused", "host_unknown")
    assert caught.value.code == "host_unknown" or not caught.value.again


async def test_a_network_or_a_host_may_be_allowed() -> None:
    assert str(await pin("127.0.0.1", 80, Allowed.parse(["127.0.0.0/8"]))) == "127.0.0.1"
    assert (await pin("localhost", 80, Allowed.parse(["localhost"]))).is_loopback
    with pytest.raises(Undelivered):
        await pin("127.0.0.1", 80, Allowed.parse(["10.0.0.0/8", "localhost"]))


async def test_a_name_without_an_address_is_tried_again() -> None:
    with pytest.raises(Undelivered) as caught:
        await pin("no-such-host.invalid", 80, Allowed())
    assert caught.value.again


@pytest.mark.parametrize("word", ["10.0.0.0/99", "300.1.1.1", "::zz/8", ""])
def test_what_is_neither_a_network_nor_a_host_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="neither a network"):
        Allowed.parse([word])


@pytest.mark.parametrize("address", ["fec0::1", "feff::1", "3fff::1", "5f00::1", "192.0.0.8"])
def test_what_older_versions_of_python_take_for_global_is_refused(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
