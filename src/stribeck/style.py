"""The style of pictures: figures, colours and labels as in all pictures of the package.

>>> from stribeck import style
>>> @style.styled
... def phase_plane(result: sb.Result) -> style.Picture:
...     picture = style.Picture(4, 3)
...     axes = picture.subplots()
...     axes.plot(result["mass.phi"], result["mass.w"], color=style.COLORS[0])
...     axes.set(xlabel=style.label("rad"), ylabel=style.label("rad/s"))
...     return picture.finish("Phase plane", "phase.png")
"""

from .arguments import guard
from .results.style import CHANGE, COLORS, FAINT, INK, ZERO, Picture, label, legend_above, styled

__all__ = ["CHANGE", "COLORS", "FAINT", "INK", "ZERO", "Picture", "label", "legend_above", "styled"]

guard(globals(), __all__)
