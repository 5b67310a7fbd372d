"""MAT files of version 5, checked before SciPy reads them: its reader trusts sizes and tags, and crashes on wrong ones.

A file is a header of 128 bytes, then elements with a tag (type, number of bytes) and data, padded to 8 bytes; data of
up to 4 bytes may be within the tag. An array is an element that contains elements: flags, dimensions, name, data.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from struct import unpack_from

from ._columns import BrokenFile

MATRIX, COMPRESSED = 14, 15
SIZES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 9: 8, 12: 8, 13: 8, 16: 1, 17: 2, 18: 4}
"""Bytes of a number of each type of data."""
CELL, STRUCT, OBJECT, CHAR, SPARSE, FUNCTION, OPAQUE = 1, 2, 3, 4, 5, 16, 17
NUMBERS = range(6, 16)
"""Classes of arrays."""
LOGICAL_OR_COMPLEX = 0x08
DEEPEST, MOST_DIMENSIONS, MOST_PARTS = 30, 32, 1_000_000
MOST_BYTES = 4_000_000_000


def check_mat(path: Path) -> None:
    """Raises a ValueError that describes the fault of a MAT file of version 5; other versions pass.

    >>> check_mat(Path("servo.mat"))
    """
    content = path.read_bytes()
    if len(content) < 128:
        raise BrokenFile(f"it has {len(content)} bytes, less than the header of a MAT file")
    if b"\0" in content[:4]:  # version 4 has no text there
        return
    mark = content[126:128]
    if mark not in (b"IM", b"MI"):
        raise BrokenFile("its header does not state the byte order")
    _ElementWalk("<" if mark == b"IM" else ">").file(content)


@dataclass
class _ElementWalk:
    """A traversal of all elements of a file."""

    order: str
    parts: int = 0

    def file(self, content: bytes) -> None:
        """Every variable of a file."""
        for kind, data in self.elements(content, 128, padded=False):
            if kind == COMPRESSED:
                for inner, body in self.elements(_inflated(data), 0):
                    self.variable(inner, body)
            else:
                self.variable(kind, data)

    def variable(self, kind: int, data: bytes, depth: int = 0) -> None:
        """An array with its contents."""
        if kind != MATRIX:
            raise BrokenFile(f"an element of type {kind} is in the place of an array")
        self.parts += 1
        if depth > DEEPEST or self.parts > MOST_PARTS:
            raise BrokenFile("its arrays are nested too deep, or too many")
        if not data:  # an empty cell
            return
        parts = self.elements(data, 0)
        flags_kind, flags = next(parts, (0, b""))
        if flags_kind != 6 or len(flags) != 8:
            raise BrokenFile("an array has no flags")
        word = unpack_from(self.order + "I", flags)[0]
        array_class, is_complex = word & 0xFF, bool(word >> 8 & LOGICAL_OR_COMPLEX)
        if array_class == OPAQUE:  # three names and an array; it has no dimensions
            self.opaque(list(parts), depth)
            return
        count, dimensions = self.count(next(parts, (0, b"")))
        name_kind, _ = next(parts, (0, b""))
        if name_kind not in SIZES or SIZES[name_kind] != 1:
            raise BrokenFile("an array has no name")
        self.body(array_class, is_complex, count, dimensions, list(parts), depth)

    def count(self, element: tuple[int, bytes]) -> tuple[int, tuple[int, ...]]:
        """The number of entries of an array, from its dimensions."""
        kind, data = element
        n = len(data) // 4
        if kind not in (5, 6) or len(data) % 4 or not 2 <= n <= MOST_DIMENSIONS:
            raise BrokenFile("an array has no dimensions")
        sizes = unpack_from(f"{self.order}{n}i", data)
        if min(sizes) < 0 or math.prod(sizes) > MOST_BYTES:
            raise BrokenFile(f"an array has the dimensions {sizes}")
        return math.prod(sizes), sizes

    def body(
        self,
        array_class: int,
        is_complex: bool,
        count: int,
        dimensions: tuple[int, ...],
        parts: list[tuple[int, bytes]],
        depth: int,
    ) -> None:
        """The data after the name: numbers, texts, indices, or nested arrays."""
        if array_class in NUMBERS or array_class == CHAR:
            self.numbers(count, parts, 1 + is_complex)
        elif array_class == SPARSE:
            self.sparse(dimensions, parts)
            self.numbers(None, parts[2:], 1 + is_complex)
        elif array_class == FUNCTION:
            self.opaque([(1, b"")] * 3 + parts, depth)
        elif array_class not in (CELL, STRUCT, OBJECT):
            raise BrokenFile(f"array class {array_class} is unknown")
        else:
            fields = self.fields(array_class, parts) if array_class != CELL else 1
            inner = [part for part in parts if part[0] == MATRIX]
            if len(inner) != count * fields:
                raise BrokenFile(f"{count * fields} arrays are expected in an array, and it has {len(inner)}")
            for kind, data in inner:
                self.variable(kind, data, depth + 1)

    def numbers(self, count: int | None, parts: list[tuple[int, bytes]], wanted: int) -> None:
        """The numbers of an array, real and imaginary: SciPy reads the expected number of parts without a check."""
        if len(parts) < wanted:
            raise BrokenFile(f"an array has {len(parts)} of {wanted} lists of numbers")
        for kind, data in parts[:wanted]:
            size = SIZES.get(kind)
            if size is None or len(data) % size or (count is not None and kind < 16 and len(data) // size != count):
                raise BrokenFile(f"an array of {count} numbers has {len(data)} bytes of type {kind}")

    def opaque(self, parts: list[tuple[int, bytes]], depth: int) -> None:
        """A function or an object: names, and the array behind it."""
        if len(parts) != 4 or any(SIZES.get(kind) != 1 for kind, _ in parts[:3]):
            raise BrokenFile("an object has no names")
        self.variable(*parts[3], depth + 1)

    def sparse(self, dimensions: tuple[int, ...], parts: list[tuple[int, bytes]]) -> None:
        """Row indices and column pointers of a sparse matrix."""
        if len(parts) < 3 or parts[0][0] not in (5, 6) or parts[1][0] not in (5, 6) or len(dimensions) != 2:
            raise BrokenFile("a sparse matrix has no indices")
        rows, starts = (unpack_from(f"{self.order}{len(d) // 4}i", d) for _, d in parts[:2])
        rising = len(starts) == dimensions[1] + 1 and all(a <= b for a, b in zip((0, *starts), starts, strict=False))
        if not rising or starts[-1] > len(rows) or any(not 0 <= row < dimensions[0] for row in rows):
            raise BrokenFile("the indices of a sparse matrix are outside of it")

    def fields(self, array_class: int, parts: list[tuple[int, bytes]]) -> int:
        """The number of fields of a structure."""
        heads = parts[1:] if array_class == OBJECT else parts
        if len(heads) < 2 or heads[0][0] != 5 or len(heads[0][1]) != 4 or SIZES.get(heads[1][0]) != 1:
            raise BrokenFile("a structure has no names of fields")
        length: int = unpack_from(self.order + "i", heads[0][1])[0]
        if not 0 < length <= 64 or len(heads[1][1]) % length:
            raise BrokenFile(f"a structure has names of {length} characters")
        return len(heads[1][1]) // length

    def elements(self, content: bytes, at: int, padded: bool = True) -> Iterator[tuple[int, bytes]]:
        """Type and data of each element in turn."""
        end = len(content)
        while at < end:
            if end - at < 8:
                if padded and not any(content[at:]):
                    return
                raise BrokenFile(f"it ends within a tag, {end - at} bytes after the last element")
            kind, size = unpack_from(self.order + "II", content, at)
            if kind >> 16:  # a small element, within its tag
                kind, size, first, after = kind & 0xFFFF, kind >> 16, at + 4, at + 8
                if size > 4:
                    raise BrokenFile(f"a small element has {size} bytes")
            else:
                first = at + 8
                after = first + size + (-size % 8 if kind != COMPRESSED else 0)
            if first + size > end or (kind not in SIZES and kind not in (MATRIX, COMPRESSED)):
                raise BrokenFile(f"an element of type {kind} with {size} bytes begins {end - at} bytes before the end")
            yield kind, content[first : first + size]
            at = after


def _inflated(data: bytes) -> bytes:
    """The content of a compressed element."""
    inflate = zlib.decompressobj()
    content = inflate.decompress(data, MOST_BYTES)
    if not inflate.eof:
        raise BrokenFile("a compressed array is cut off, or larger than 4 GB")
    return content
