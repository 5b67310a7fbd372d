"""Small pictures for pages."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

COLORS = 256


def shrink(path: Path, to: Path, width: int) -> None:
    """Writes a picture with this width in pixels and few colours.

    >>> shrink(Path("large.png"), Path("small.png"), 900)
    """
    with Image.open(path) as picture:
        size = width, round(picture.height * width / picture.width)
        small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    few = small.quantize(COLORS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(to, optimize=True)
