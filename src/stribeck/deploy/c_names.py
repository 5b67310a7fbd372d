"""Names in C and C++."""

from __future__ import annotations

import re

from ..errors import SpecError

KEYWORDS = """
alignas alignof and asm auto bitand bitor bool break case catch char class compl const constexpr continue decltype
default delete do double else enum explicit export extern false float for friend goto if inline int long mutable
namespace new noexcept not nullptr operator or private protected public register restrict return short signed sizeof
static struct switch template this throw true try typedef typeid typename union unsigned using virtual void volatile
while xor
"""
"""Words that are not names in C or C++."""

LIBRARY = """
abort abs acos acosh asin asinh atan atan2 atanh atexit atof atoi atol atoll bsearch calloc cbrt ceil clock copysign cos
cosh ctime difftime div erf erfc errno exit exp exp2 expm1 fabs fclose fdim feof fflush fgets floor fma fmax fmin fmod
fopen fprintf fputs fread free frexp fscanf fseek ftell fwrite gamma getc getchar getenv gets gmtime hypot ilogb index
j0 j1 jn labs ldexp ldiv lgamma llabs log log10 log1p log2 logb lrint lround main malloc memchr memcmp memcpy memmove
memset mktime modf nan nearbyint nextafter perror pow printf putc putchar puts qsort raise rand read realloc remainder
remove rename rewind rint round scanf select setbuf signal sin sinh snprintf sprintf sqrt srand sscanf strcat strchr
strcmp strcpy strerror strlen strncat strncmp strncpy strstr strtod strtok strtol system tan tanh tgamma time time_t
tmpfile trunc ungetc vprintf write y0 y1 yn
"""
"""Names of the C library that headers of exported files know."""

FILES = "all clean stribeck stribeck_equations"
"""Names of files and targets beside those of a model."""

TAKEN = frozenset(f"{KEYWORDS} {LIBRARY} {FILES}".split())


def c_name(text: str) -> str:
    """A text as a name in C.

    >>> c_name("coupled-clutches"), c_name("2 plates"), c_name("double")
    ('coupled_clutches', 'm_2_plates', 'm_double')
    """
    name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "model"
    return f"m_{name}" if name[0].isdigit() or name in TAKEN else name


def checked_name(name: str) -> str:
    """A name that a user wants, if it is one in C.

    >>> checked_name("car")
    'car'
    """
    if c_name(name) != name:
        raise SpecError(f"deploy: name = '{name}' cannot be used in C; take for instance '{c_name(name)}'")
    return name
