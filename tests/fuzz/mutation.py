"""Broken inputs from good ones: cuts, flips, copies, and extreme numbers."""

import random
import re

EXTREMES = [
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e-308",
    "nan",
    ".inf",
    "1e999",
    "9" * 400,
    "0x7f",
    "2001-01-01",
    "1:30",
    "~",
]
WORDS = [
    *("", "null", "true", "[]", "{}", "[[]]", "{type: Inertia}", "'", '"', "*a", "&a", "<<", "!!python/object:os.x"),
    *("\x00", "\u202e", "\ud7ff", "$x$", "%s%n", "<b>", "\t", "- ", ": ", "? ", "#", "|", ">", "type: Sine", "ground"),
    *("1 N.m", "3 rpm/s^9", "m0.w", "((((", "on", "No", "mass.mass", "\r", "é", "x" * 300),
]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def mutated_bytes(content: bytes, rng: random.Random) -> bytes:
    """One to four faults in a binary file."""
    data = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 4])):
        if not data:
            break
        at, length = rng.randrange(len(data)), rng.choice([1, 2, 4, 8, 64])
        kind = rng.randrange(7)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at : at + length] = rng.randbytes(length)
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at : at + length]
        elif kind == 4:
            data[at:at] = data[at : at + length]
        elif kind == 5:
            data[at : at + length] = rng.choice([b"\xff", b"\x00", b"\x7f", b"\x80"]) * length
        else:
            other = rng.randrange(len(data))
            data[at : at + length] = data[other : other + length]
    return bytes(data)


def mutated_text(text: str, rng: random.Random) -> str:
    """One to four faults in a text: other numbers and words, lines that move, are missing or come twice, cuts."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        kind, at = rng.randrange(8), rng.randrange(len(text) + 1)
        numbers = list(NUMBER.finditer(text))
        lines = text.split("\n")
        if kind <= 1 and numbers:
            number = rng.choice(numbers)
            text = text[: number.start()] + rng.choice(EXTREMES) + text[number.end() :]
        elif kind == 2:
            text = text[:at] + rng.choice(WORDS) + text[at:]
        elif kind == 3:
            text = text[:at] + text[at + rng.choice([1, 3, 20]) :]
        elif kind == 4:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            text = "\n".join(lines)
        elif kind == 5:
            rng.shuffle(lines)
            text = "\n".join(lines[: rng.randrange(1, len(lines) + 1)]) if rng.random() < 0.3 else "\n".join(lines)
        elif kind == 6:
            words = re.findall(r"[\w.]+", text) or ["x"]
            text = text.replace(rng.choice(words), rng.choice([*words, *WORDS]), 1)
        else:
            text = text[:at]
        text = text or " "
    return text
