"""The grammar of formulas, by recursive descent and precedence climbing.

    choice     = either ["if" either "else" choice]
    either     = both {"or" both}
    both       = negation {"and" negation}
    negation   = "not" negation | comparison
    comparison = sum {("<" | "<=" | ">" | ">=" | "==" | "!=") sum}       a < b < c means a < b and b < c
    sum        = product {("+" | "-") product}
    product    = signed {("*" | "/") signed}
    signed     = ("-" | "+") signed | atom [("^" | "**") signed]
    atom       = number ["[" unit "]"] | name | name "(" choice {"," choice} ")" | "(" choice ")"

The lines from `either` to `product` are one method that climbs the levels of `LEVELS`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from ...errors import SpecError, shortened
from .place import TextPlace
from .tree import Call, Name, Node, Number, Operator, Span

LONGEST = 10_000
"""Characters of a formula."""
MOST_NODES = 2_000
"""Numbers, symbols and operations of a formula."""
DEEPEST = 100
"""Levels of the tree of a formula."""
NESTED = 30
"""Levels of parentheses, exponents and choices within each other."""
LARGEST = 1e30
"""The largest number."""

TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)"
    r"|(?P<unit>\[[^\[\]]*\])|(?P<sign>\*\*|<=|>=|==|!=|[-+*/^()<>,]))",
    re.ASCII,
)
"""Letters of other alphabets are in names too, see `LETTER`."""
LETTER = re.compile(r"\s*(?P<name>[^\W\d]\w*)")
KEYWORDS = ("if", "else", "and", "or", "not")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
NOT = 2
LEVELS = {"or": 0, "and": 1, **dict.fromkeys(COMPARISONS, 3), "+": 4, "-": 4, "*": 5, "/": 5}
"""How strongly operators bind; `not` is at level `NOT`."""
INSTEAD = {
    "−": "write - (this is another character)",
    "–": "write - (this is another character)",
    "×": "write *",
    "·": "write *",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
    "=": "write == to compare",
    "|": "write abs(...) for a magnitude, `or` between conditions",
    "&": "write `and` between conditions",
    "!": "write `not`",
    "²": "write ^2",
    "³": "write ^3",
    "{": "write (",
    "}": "write )",
    "[": "a unit in brackets follows a number, as in 20 [mm/s]; write ( for a group",
    "]": "a unit in brackets follows a number, as in 20 [mm/s]; write ) for a group",
    ".": "write a number as 0.5; names have no dots",
    "'": "write der(z) for the rate of a state",
    "?": "write a if condition else b",
    "%": "write the number: 0.1 for 10 %",
}
"""What to write instead of characters that formulas do not have."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a formula: its kind (number, name, unit, sign, end), its text and its place."""

    kind: str
    text: str
    span: Span


def parse(text: str, place: TextPlace | None = None) -> Node:
    """The tree of a formula; a mistake is refused with its column.

    >>> parse("g1*tanh(g2*v)").op
    '*'
    """
    place = place or TextPlace("formula", text)
    if len(text) > LONGEST:
        raise place.error(SpecError, f"it has {len(text)} characters, the limit is {LONGEST}; give parts names in let")
    return _Parser(_tokens(text, place), place).formula()


def _tokens(text: str, place: TextPlace) -> list[Token]:
    tokens, position, end = [], 0, len(text.rstrip())
    while position < end:
        match = TOKEN.match(text, position) or LETTER.match(text, position)
        if match is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            raise place.error(SpecError, _foreign(text[start]), (start, start + 1))
        kind = str(match.lastgroup)
        if kind == "name" and not match[kind].isidentifier():
            start = next(i for i in range(*match.span(kind)) if not text[match.start(kind) : i + 1].isidentifier())
            raise place.error(SpecError, _foreign(text[start]), (start, start + 1))
        tokens.append(Token(kind, match[kind], match.span(kind)))
        position = match.end()
    return [*tokens, Token("end", "", (end, end + 1))]


def _foreign(character: str) -> str:
    way_out = INSTEAD.get(character, "a formula has numbers, names, ( ) + - * / ^ and comparisons")
    return f"{character!r} is no part of a formula; {way_out}"


class _Parser:
    """Reads tokens from left to right; one method per line of the grammar."""

    def __init__(self, tokens: list[Token], place: TextPlace) -> None:
        self.tokens, self.place = tokens, place
        self.position, self.depth = 0, 0
        self.heights: dict[int, int] = {}
        """Levels of each node, by its identity."""
        self.made: list[Node] = []
        """All nodes, which keeps their identities."""

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    def formula(self) -> Node:
        """The whole text."""
        if self.next.kind == "end":
            raise self.error("the formula is empty; write for instance mu_c*tanh(v/v_0)")
        node = self.choice()
        if self.next.kind != "end":
            raise self.error(self.surplus())
        return node

    def choice(self) -> Node:
        """One value, or one of two by a condition."""
        self.depth += 1
        if self.depth > NESTED:
            raise self.error(f"it is nested deeper than {NESTED} levels; give parts names in let")
        node = self.operators(0)
        if self.took("if"):
            condition = self.operators(0)
            if not self.took("else"):
                raise self.error(f"{self.found()} where `else` is expected; write a if condition else b")
            other = self.choice()
            node = self.operation("if", (condition, node, other), (node.span[0], other.span[1]))
        self.depth -= 1
        return node

    def operators(self, weakest: int) -> Node:
        """Operands and the operators between them, as far as these bind at least as strongly as `weakest`."""
        if weakest <= NOT and self.next.text == "not":
            return self.negation(weakest)
        node, last = self.signed(), None
        while (level := LEVELS.get(self.next.text, -1)) >= weakest:
            op = self.take().text
            right = self.operators(level + 1)
            if op in COMPARISONS and last is not None:  # a < b < c
                node = self.joined("and", node, self.joined(op, last, right))
            else:
                node = self.joined(op, node, right)
            last = right if op in COMPARISONS else None
        return node

    def negation(self, weakest: int) -> Node:
        """A condition that must not hold, and the conditions joined to it."""
        start, odd = self.next.span[0], False
        while self.took("not"):
            odd = not odd
        node = self.operators(NOT + 1)
        node = self.operation("not", (node,), (start, node.span[1])) if odd else node
        while (level := LEVELS.get(self.next.text, -1)) >= weakest:
            node = self.joined(self.take().text, node, self.operators(level + 1))
        return node

    def signed(self) -> Node:
        """A factor with signs before it."""
        start, minus = self.next.span[0], False
        while self.next.text in ("+", "-"):
            minus ^= self.take().text == "-"
        node = self.atom()
        if self.next.text in ("^", "**"):
            self.take()
            self.depth += 1
            if self.depth > NESTED:
                raise self.error(f"it is nested deeper than {NESTED} levels; give parts names in let")
            node = self.joined("^", node, self.signed())
            self.depth -= 1
        return self.operation("neg", (node,), (start, node.span[1])) if minus else node

    def atom(self) -> Node:
        """A number, a symbol, a function of arguments, or a formula in parentheses."""
        token = self.next
        if token.kind == "number":
            return self.number()
        if token.kind == "name" and token.text not in KEYWORDS:
            self.take()
            return self.call(token) if self.next.text == "(" else self.node(Name(token.text, token.span))
        if token.text != "(":
            raise self.error(f"{self.found()} where a number, a name or ( is expected{self.hint()}")
        self.take()
        node = self.choice()
        return self.node(replace(node, span=(token.span[0], self.close(token))))

    def number(self) -> Node:
        """A number, with its unit if one follows."""
        token = self.take()
        value = float(token.text)
        if not math.isfinite(value) or value > LARGEST:
            raise self.place.error(SpecError, f"{token.text} is too large; the limit is {LARGEST:g}", token.span)
        unit, span = "", token.span
        if self.next.kind == "unit":
            bracket = self.take()
            unit, span = bracket.text[1:-1].strip(), (token.span[0], bracket.span[1])
            if not unit:
                raise self.place.error(SpecError, "the unit is empty; write for instance 20 [mm/s]", bracket.span)
        return self.node(Number(value, unit, span))

    def call(self, name: Token) -> Node:
        """The arguments of a function."""
        opened = self.take()
        arguments = [self.choice()]
        while self.next.text == ",":
            self.take()
            arguments.append(self.choice())
        end = self.close(opened)
        return self.node(Call(name.text, tuple(arguments), (name.span[0], end)))

    def close(self, opened: Token) -> int:
        """The closing parenthesis; returns where it ends."""
        if self.next.text != ")":
            if self.next.kind == "end":
                raise self.place.error(SpecError, "this ( is never closed; add a )", opened.span)
            raise self.error(self.surplus())
        return self.take().span[1]

    # --- tokens and nodes ---

    def take(self) -> Token:
        """The next token, which is used up."""
        token = self.next
        self.position += 1
        return token

    def took(self, keyword: str) -> bool:
        """Whether this keyword comes next; if so, it is used up."""
        if self.next.kind == "name" and self.next.text == keyword:
            self.position += 1
            return True
        return False

    def joined(self, op: str, a: Node, b: Node) -> Node:
        """An operation on two operands."""
        return self.operation(op, (a, b), (a.span[0], b.span[1]))

    def operation(self, op: str, parts: tuple[Node, ...], span: Span) -> Node:
        """An operator with its operands."""
        return self.node(Operator(op, parts, span))

    def node(self, node: Node) -> Node:
        """The node, if there are not too many."""
        height = 1 + max((self.heights[id(part)] for part in node.parts), default=0)
        self.made.append(node)
        self.heights[id(node)] = height
        if len(self.made) > MOST_NODES or height > DEEPEST:
            limit = f"{MOST_NODES} operations" if height <= DEEPEST else f"{DEEPEST} operations that need each other"
            raise self.place.error(SpecError, f"it has more than {limit}; give parts names in let", node.span)
        return node

    # --- messages ---

    def error(self, message: str) -> SpecError:
        """An error at the next token."""
        return self.place.error(SpecError, message, self.next.span)

    def found(self) -> str:
        """The next token, for a message."""
        return "the formula ends" if self.next.kind == "end" else f"'{shortened(self.next.text, 40)}' comes"

    def hint(self) -> str:
        """What may have been meant with the next token."""
        if self.next.kind == "name" and self.next.text == "if":
            return "; write a if condition else b"
        if self.next.kind == "unit":
            return "; a unit in brackets follows a number, as in 20 [mm/s]"
        if self.next.text == ")" and self.tokens[self.position - 1].text == "(":
            return "; a function has at least one argument"
        return ""

    def surplus(self) -> str:
        """The message for a token that does not belong where it is."""
        token, before = self.next, self.tokens[self.position - 1]
        shown = shortened(token.text, 40)
        if token.text == ")":
            return "this ) has no ("
        if token.text == "else":
            return "`else` comes without `if`; write a if condition else b"
        if token.text == ",":
            return "a comma separates the arguments of a function; write 0.5 for a decimal comma"
        if token.kind in ("name", "number") or token.text == "(":
            return f"an operator is missing before '{shown}'; write {shortened(before.text, 40)}*{shown} for a product"
        return f"'{shown}' comes where the formula should end or go on with an operator{self.hint()}"
