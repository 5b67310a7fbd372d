// Numbers as text: the rows of CSV files, each number with the digits of Python's repr, the fewest that give it back.

#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "binding.h"

namespace {

constexpr int LAST_FIXED = 16; // decimal exponents from -4 to 15 are written without one, as Python does
constexpr int FIRST_FIXED = -4;
constexpr size_t LONGEST = 32; // characters of a number, or of a mode

char *put(char *to, const char *from, size_t n)
{
    std::memcpy(to, from, n);
    return to + n;
}

#if defined(__cpp_lib_to_chars)

char *put_number(char *to, double value)
{
    if (!std::isfinite(value)) {
        const std::string word = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
        return put(to, word.data(), word.size());
    }
    if (std::signbit(value)) {
        *to++ = '-';
    }
    if (value == 0.0) {
        return put(to, "0.0", 3);
    }
    // d.ddde+xx: the fewest digits that give the number back
    char text[LONGEST];
    const char *end = std::to_chars(text, text + sizeof text, std::fabs(value), std::chars_format::scientific).ptr;
    const char *e = end - 4;
    e -= *e != 'e'; // an exponent of three digits
    int exponent = 0;
    std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, exponent);
    if (exponent < FIRST_FIXED || exponent >= LAST_FIXED) {
        return put(to, text, size_t(end - text));
    }
    // the digits without their point
    const size_t n = e - text > 1 ? size_t(e - text) - 1 : 1;
    char *digits = text + (n > 1 ? 1 : 0);
    digits[0] = text[0];
    if (exponent < 0) {
        to = put(to, "0.0000", size_t(1 - exponent));
        return put(to, digits, n);
    }
    const size_t whole = size_t(exponent) + 1;
    if (n > whole) {
        to = put(to, digits, whole);
        *to++ = '.';
        return put(to, digits + whole, n - whole);
    }
    to = put(to, digits, n);
    to = put(to, "0000000000000000", whole - n);
    return put(to, ".0", 2);
}

#else // a library without floating-point to_chars: Python's own, some times slower

char *put_number(char *to, double value)
{
    char *text = PyOS_double_to_string(value, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr);
    to = put(to, text, std::strlen(text));
    PyMem_Free(text);
    return to;
}

#endif

const char *word_of(double mode)
{
#define X(name, number, word)   \
    if (mode == double(name)) { \
        return word;            \
    }
    SB_MODES(X)
#undef X
    throw nb::value_error("a mode that has no word");
}

using Columns = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;

// Lines "a,b,c\n" of columns of equal length; those that are modes as words.
nb::bytes csv_rows(const Columns &columns, const std::vector<bool> &modes)
{
    const size_t n = columns.shape(0);
    if (modes.size() != n) {
        throw nb::value_error("one mark per column");
    }
    const size_t rows = columns.shape(1);
    std::vector<char> out(n * rows * LONGEST + 1);
    char *to = out.data();
    for (size_t row = 0; row < rows; ++row) {
        for (size_t i = 0; i < n; ++i) {
            const double value = columns.data()[int64_t(i) * columns.stride(0) + int64_t(row) * columns.stride(1)];
            if (modes[i]) {
                const char *word = word_of(value);
                to = put(to, word, std::strlen(word));
            } else {
                to = put_number(to, value);
            }
            *to++ = i + 1 < n ? ',' : '\n';
        }
    }
    return nb::bytes(out.data(), size_t(to - out.data()));
}

} // namespace

void bind_text(nb::module_ &mod)
{
    mod.def("csv_rows", &csv_rows, nb::arg("columns"), nb::arg("modes"));
}
