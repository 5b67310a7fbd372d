"""MDF files of version 4, checked before asammdf reads them: every linked block, and the sizes it states.

A block has a header (## and two letters, length, number of links), links to other blocks by their offsets in the file,
and data. asammdf trusts these numbers, partly in C.
"""

from __future__ import annotations

from pathlib import Path
from struct import unpack_from

from ._columns import BrokenFile

HEADER = 64
"""Bytes of the identification, after which the first block begins."""
HEAD = 24
MOST_LINKS = 1_000_000
MOST_RECORD = 10_000_000
LIST_BLOCKS = (b"##DL", b"##LD", b"##HL")
LEAST = {b"##HD": 104, b"##DG": 64, b"##CG": 104, b"##CN": 160, b"##CC": 80, b"##DZ": 48, b"##SI": 56}
"""Minimum size of blocks of these kinds in bytes."""
INFLATION = 1100
"""Largest expansion of deflated data."""


def check_mdf(path: Path) -> None:
    """Raises a ValueError that describes the fault of an MDF file of version 4.

    >>> check_mdf(Path("drive.mf4"))
    """
    content = path.read_bytes()
    if len(content) < HEADER or content[:3] not in (b"MDF", b"UnF"):
        raise BrokenFile("it does not begin with MDF")
    version = unpack_from("<H", content, 28)[0]
    if not 300 <= version < 500:
        raise BrokenFile(f"it is of version {version / 100:g}, and versions 3 and 4 are known")
    if version >= 400:
        _walk(content)
    elif content[HEADER : HEADER + 2] != b"HD":
        raise BrokenFile("its first block is missing")


def _walk(content: bytes) -> None:
    """Every block that is reachable from the first."""
    waiting, seen = [(HEADER, b"##HD")], {HEADER}
    links_seen = 0
    while waiting:
        at, wanted = waiting.pop()
        name, links = _block(content, at)
        if wanted and name != wanted:
            raise BrokenFile(f"at byte {at} is a block {_word(name)} where {_word(wanted)} belongs")
        _check(content, at, name, links)
        links_seen += len(links)
        if links_seen > MOST_LINKS:
            raise BrokenFile("it has too many links")
        for place, link in enumerate(links):
            if link and link not in seen:
                seen.add(link)
                waiting.append((link, WANTED.get((name, place), b"")))


WANTED = {
    (b"##HD", 0): b"##DG", (b"##DG", 0): b"##DG", (b"##DG", 1): b"##CG", (b"##CG", 0): b"##CG", (b"##CG", 1): b"##CN",
    (b"##CN", 0): b"##CN", (b"##CN", 2): b"##TX", (b"##CN", 4): b"##CC",
}  # fmt: skip
"""Kinds of blocks that certain links must lead to."""


def _block(content: bytes, at: int) -> tuple[bytes, tuple[int, ...]]:
    """Name and links of the block at an offset."""
    if at + HEAD > len(content):
        raise BrokenFile(f"a link leads to byte {at}, beyond the end")
    name = content[at : at + 4]
    length, count = unpack_from("<QQ", content, at + 8)
    if name[:2] != b"##" or not name[2:].isalnum():
        raise BrokenFile(f"there is no block at byte {at}")
    if length < max(HEAD, LEAST.get(name, 0)) or at + length > len(content):
        raise BrokenFile(
            f"the block {_word(name)} at byte {at} has {length} bytes, more than the file or less than required"
        )
    if HEAD + 8 * count > length:
        raise BrokenFile(f"the block {_word(name)} at byte {at} has {count} links in {length} bytes")
    return name, unpack_from(f"<{count}Q", content, at + HEAD)


def _check(content: bytes, at: int, name: bytes, links: tuple[int, ...]) -> None:
    """Checks the data of a block."""
    data = at + HEAD + 8 * len(links)
    if name == b"##CG":
        cycles, flags = unpack_from("<QH", content, data + 8)
        record, invalid = unpack_from("<II", content, data + 24)
        if record > MOST_RECORD or invalid > MOST_RECORD:
            raise BrokenFile(f"records of {record} and {invalid} bytes are too long")
        if not flags & 1 and cycles * max(record, 1) > INFLATION * len(content):
            raise BrokenFile(f"{cycles} records of {record} bytes are more than the file holds")
        _check_channels(content, links[1] if len(links) > 1 else 0, record + invalid, flags)
    elif name == b"##DG" and len(links) > 2 and links[1] and links[2]:
        _check_empty(content, links[1], links[2])
    elif name == b"##DZ":
        inflated, deflated = unpack_from("<QQ", content, data + 8)
        if deflated > len(content) or inflated > INFLATION * max(deflated, 1):
            raise BrokenFile(f"{deflated} bytes are said to inflate to {inflated}")
    elif name in LIST_BLOCKS and len(links) > MOST_LINKS:
        raise BrokenFile("a list of data has too many parts")


def _check_empty(content: bytes, group: int, data: int) -> None:
    """Data require records: asammdf never ends on a group that has data and states no record."""
    name, links = _block(content, group)
    cycles = unpack_from("<Q", content, group + HEAD + 8 * len(links) + 8)[0]
    block, _ = _block(content, data)
    length = unpack_from("<Q", content, data + 8)[0]
    alone = name == b"##CG" and links and not links[0]
    if alone and not cycles and (block != b"##DT" or length > HEAD):
        raise BrokenFile("a group that states no record has data")


def _check_channels(content: bytes, at: int, record: int, flags: int) -> None:
    """The channels of a group: each must lie within its record."""
    seen: set[int] = set()
    while at and not flags & 1:
        if at in seen:
            raise BrokenFile("its channels are linked in a cycle")
        seen.add(at)
        name, links = _block(content, at)
        if name != b"##CN" or len(links) < 8:
            raise BrokenFile(f"there is no channel at byte {at}")
        kind, _, data_type, bit_offset, byte_offset, bits = unpack_from("<BBBBII", content, at + HEAD + 8 * len(links))
        virtual = kind in (3, 6)
        if data_type > 16 or bit_offset > 7:
            raise BrokenFile(f"the channel at byte {at} has the type {data_type} from bit {bit_offset} on")
        if not virtual and (byte_offset * 8 + bit_offset + bits > 8 * record or (bits == 0 and data_type < 6)):
            raise BrokenFile(f"the channel at byte {at} has {bits} bits at byte {byte_offset} of {record}")
        if data_type in (4, 5) and bits not in (16, 32, 64):
            raise BrokenFile(f"the channel at byte {at} has a floating-point number of {bits} bits")
        if data_type < 4 and bits > 64:
            raise BrokenFile(f"the channel at byte {at} has a whole number of {bits} bits")
        at = links[0]


def _word(name: bytes) -> str:
    return name.decode("ascii", "backslashreplace")
