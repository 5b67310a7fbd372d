r"""Formulas of LaTeX as MathML, which browsers show without a script.

The plain subset that printed equations need: fractions, roots, indices and powers, Greek letters, dots and other
accents, fences that grow, cases and other tables, functions, texts, and the usual signs. What is not in it is refused.
"""

from __future__ import annotations

import re
from html import escape

_TOKEN = re.compile(
    r"\\(?P<word>text|mathrm|operatorname)\s*\{(?P<text>[^{}]*)\}"
    r"|\\(?P<table>begin|end)\{(?P<kind>\w+)\*?\}"
    r"|(?P<command>\\(?:[A-Za-z]+|.))|(?P<number>\d+(?:\.\d+)?)|(?P<letter>[^\W\d_])|(?P<sign>\S)"
)
_GREEK = (
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ kappa κ lambda λ mu μ nu ν xi "
    "ξ pi π rho ρ sigma σ tau τ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Pi Π Sigma "
    "Σ Phi Φ Psi Ψ Omega Ω infty ∞ partial ∂ ell ℓ nabla ∇ "
)
_SIGNS = (
    "cdot · times × pm ± mp ∓ le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ sim ∼ simeq ≃ equiv ≡ ll ≪ gg ≫ to → "
    "rightarrow → Rightarrow ⇒ leftarrow ← land ∧ lor ∨ wedge ∧ vee ∨ neg ¬ in ∈ notin ∉ forall ∀ exists ∃ "
    "ldots … dots … cdots ⋯ int ∫ sum ∑ prod ∏ mid | vert | lvert | rvert | circ ∘ propto ∝ cup ∪ cap ∩ prime "
    "′ "
)
_FUNCTIONS = {
    "sin",
    "cos",
    "tan",
    "tanh",
    "sinh",
    "cosh",
    "arctan",
    "arcsin",
    "arccos",
    "exp",
    "ln",
    "log",
    "max",
    "min",
    "lim",
    "sup",
    "inf",
    "sgn",
    "sign",
    "arg",
    "det",
}
_ACCENTS = {"dot": "˙", "ddot": "¨", "hat": "^", "bar": "¯", "tilde": "~", "vec": "→", "overline": "¯"}
_SPACES = {"quad": 1.0, "qquad": 2.0, ",": 0.17, ";": 0.28, ":": 0.22, " ": 0.28, "!": 0.0}
_FENCES = {"{": "{", "}": "}", "langle": "⟨", "rangle": "⟩", "|": "‖", "vert": "|", "lvert": "|", "rvert": "|"}
_TABLES = {"cases": ("{", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "vmatrix": ("|", "|")}
_TABLES |= dict.fromkeys(("matrix", "aligned", "array", "align", "split"), ("", ""))
_LIMITS = {"sum", "prod", "max", "min", "lim", "sup", "inf"}
"""What has its indices below and above it."""
_IGNORED = {"displaystyle", "textstyle", "nonumber", "limits"}


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


GREEK, SIGNS = _pairs(_GREEK), _pairs(_SIGNS)


def mathml(latex: str, *, block: bool = True) -> str:
    r"""A formula in MathML; in its own line, unless `block` is false.

    >>> mathml(r"\dot z = v", block=False)
    '<math><mover accent="true"><mi>z</mi><mo>˙</mo></mover><mo>=</mo><mi>v</mi></math>'
    """
    reader = _Reader(latex)
    inside = reader.row(())
    return f'<math display="block">{inside}</math>' if block else f"<math>{inside}</math>"


class _Reader:
    """Reads a formula from left to right."""

    def __init__(self, latex: str) -> None:
        self.latex = latex
        self.tokens = list(_TOKEN.finditer(latex))
        self.at = 0

    def peek(self) -> str:
        """The next token, or nothing at the end."""
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def row(self, ends: tuple[str, ...]) -> str:
        """Everything up to one of the ends, which stays."""
        parts = []
        while (token := self.peek()) and token not in ends:
            parts.append(self.scripted())
        if ends and not token:
            raise ValueError(f"'{self.latex}': {ends[0]} is missing")
        return "".join(parts)

    def scripted(self) -> str:
        """An atom with its indices and powers."""
        limits = self.peek().lstrip("\\") in _LIMITS
        base, below, above = self.atom(), "", ""
        while self.peek() in ("_", "^", "'"):
            mark = self.peek()
            self.at += 1
            if mark == "_":
                below = self.atom()
            else:
                above += "<mo>′</mo>" if mark == "'" else self.atom()
        if not below and not above:
            return base
        above = f"<mrow>{above}</mrow>" if above else ""
        kind = {(True, True): "subsup", (True, False): "sub", (False, True): "sup"}[bool(below), bool(above)]
        kind = kind.replace("sub", "under").replace("sup", "over") if limits else kind
        return f"<m{kind}>{base}{below}{above}</m{kind}>"

    def atom(self) -> str:
        """One letter, number, sign, group or command."""
        if self.at >= len(self.tokens):
            raise ValueError(f"'{self.latex}' ends where something should follow")
        token = self.tokens[self.at]
        self.at += 1
        if token["word"]:
            return _text(token["word"], token["text"])
        if token["table"]:
            return self.table(token["table"], token["kind"])
        if token["command"]:
            return self.command(token["command"][1:])
        if token["number"]:
            return f"<mn>{token[0]}</mn>"
        if token["letter"]:
            return f"<mi>{token[0]}</mi>"
        return self.group() if token[0] == "{" else self.sign(token[0])

    def sign(self, sign: str) -> str:
        if sign in "}_^&$%#":
            raise ValueError(f"'{self.latex}': '{sign}' has no meaning here")
        return f"<mo>{escape(sign.replace('-', '−'))}</mo>"

    def group(self) -> str:
        """What is between braces, of which the first is read."""
        inside = self.row(("}",))
        self.at += 1
        return f"<mrow>{inside}</mrow>"

    def command(self, name: str) -> str:
        """A command with its arguments."""
        if name == "left":
            return self.fenced()
        if name in ("frac", "dfrac", "tfrac"):
            return f"<mfrac>{self.atom()}{self.atom()}</mfrac>"
        if name == "sqrt":
            return self.root()
        if name in _ACCENTS:
            return f'<mover accent="true">{self.atom()}<mo>{_ACCENTS[name]}</mo></mover>'
        if name in _SPACES:
            return f'<mspace width="{_SPACES[name]:g}em"/>'
        if name in _FUNCTIONS:
            return f"<mi>{name}</mi>"
        if name in GREEK:
            return f"<mi>{GREEK[name]}</mi>"
        if name in SIGNS or name in _FENCES:
            return f"<mo>{SIGNS.get(name) or _FENCES[name]}</mo>"
        if name in _IGNORED:
            return ""
        raise ValueError(f"'{self.latex}': the formulas of pages have no \\{name}")

    def root(self) -> str:
        if self.peek() != "[":
            return f"<msqrt>{self.atom()}</msqrt>"
        self.at += 1
        order = self.row(("]",))
        self.at += 1
        return f"<mroot>{self.atom()}<mrow>{order}</mrow></mroot>"

    def fenced(self) -> str:
        opening = self.fence()
        inside = self.row(("\\right",))
        self.at += 1
        return f"<mrow>{opening}{inside}{self.fence()}</mrow>"

    def fence(self) -> str:
        sign = self.peek()
        self.at += 1
        name = sign.lstrip("\\") or sign
        shown = "" if sign == "." else _FENCES.get(name, name)
        return f'<mo fence="true" stretchy="true">{escape(shown)}</mo>'

    def table(self, mark: str, kind: str) -> str:
        """Rows of cells up to the end of the table."""
        if mark == "end" or kind not in _TABLES:
            raise ValueError(f"'{self.latex}': the formulas of pages have no {mark} of {kind} here")
        end, rows = f"\\end{{{kind}}}", [[self.cell(kind)]]
        while (mark := self.peek()) != end:
            self.at += 1
            if mark == "&":
                rows[-1].append(self.cell(kind))
            elif self.peek() != end:  # the last line may end like the others
                rows.append([self.cell(kind)])
        self.at += 1
        lines = "".join(f"<mtr>{''.join(row)}</mtr>" for row in rows)
        opening, closing = (f'<mo fence="true" stretchy="true">{sign}</mo>' if sign else "" for sign in _TABLES[kind])
        return f'<mrow>{opening}<mtable columnalign="left">{lines}</mtable>{closing}</mrow>'

    def cell(self, kind: str) -> str:
        return f"<mtd>{self.row(('&', chr(92) * 2, f'{chr(92)}end{{{kind}}}'))}</mtd>"


def _text(word: str, text: str) -> str:
    shown = escape(text, quote=False)
    if word == "text":
        return f"<mtext>{shown.replace(' ', '&#160;')}</mtext>"
    return f'<mi mathvariant="normal">{shown}</mi>' if len(text) == 1 else f"<mi>{shown}</mi>"
