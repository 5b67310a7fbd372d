#include <math.h>
#include <stdint.h>
#include <string.h>

#include "runtime/sb_runtime.h"

/* A parameter that is written in decimals means the decimal number: 0.1 is one tenth. The compiler of models keeps the
 * difference between the shortest decimal notation that reads as the same floating-point number, and this number; here
 * it is found with long integers, for the C library would do it by the locale of the program. */

/* Enough for numbers from 1e-40 to 1e40: 17 decimal digits, 10^57 and 2^186 multiplied are 440 bits. */
enum { WORDS = 20, DIGITS = 17, MANTISSA = 53, LARGEST_DECADE = 40 };

typedef struct natural {
    uint32_t word[WORDS]; /* the lowest first */
} natural;

static natural from_double(double whole)
{
    natural n;
    memset(&n, 0, sizeof n);
    const double word = 4294967296.0;
    for (int i = 0; whole > 0.0 && i < WORDS; ++i) {
        const double rest = floor(whole / word);
        n.word[i] = (uint32_t)(whole - rest * word);
        whole = rest;
    }
    return n;
}

static void times(natural *n, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; ++i) {
        carry += (uint64_t)n->word[i] * factor;
        n->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static natural times_power(natural n, uint32_t base, int exponent)
{
    for (int i = 0; i < exponent; ++i) {
        times(&n, base);
    }
    return n;
}

static int compare(const natural *a, const natural *b)
{
    for (int i = WORDS - 1; i >= 0; --i) {
        if (a->word[i] != b->word[i]) {
            return a->word[i] < b->word[i] ? -1 : 1;
        }
    }
    return 0;
}

/* a - b, where a is not below b */
static natural minus(const natural *a, const natural *b)
{
    natural n;
    int64_t carry = 0;
    for (int i = 0; i < WORDS; ++i) {
        const int64_t word = carry + (int64_t)a->word[i] - (int64_t)b->word[i];
        n.word[i] = (uint32_t)word;
        carry = word < 0 ? -1 : 0;
    }
    return n;
}

static int is_zero(const natural *n)
{
    const natural zero = {{0}};
    return compare(n, &zero) == 0;
}

/* a / b rounded to the nearest floating-point number, ties to even: bits are found from the highest on. */
static double quotient(natural a, natural b)
{
    if (is_zero(&a)) {
        return 0.0;
    }
    int exponent = 0;
    for (; compare(&a, &b) < 0; --exponent) {
        times(&a, 2);
    }
    for (natural twice = times_power(b, 2, 1); compare(&a, &twice) >= 0; twice = times_power(b, 2, 1)) {
        b = twice;
        ++exponent;
    }
    double mantissa = 0.0;
    for (int i = 0; i < MANTISSA; ++i) { // a is below 2 b
        const int bit = compare(&a, &b) >= 0;
        mantissa = 2.0 * mantissa + bit;
        a = bit ? minus(&a, &b) : a;
        times(&a, 2);
    }
    const int side = compare(&a, &b); // the rest by half of the last bit
    const int odd = fmod(mantissa, 2.0) != 0.0;
    mantissa += side > 0 || (side == 0 && odd) ? 1.0 : 0.0;
    return ldexp(mantissa, exponent - (MANTISSA - 1));
}

/* A decimal number of some digits next to a positive value, and the difference, all in units of 1/scale. */
typedef struct decimal {
    natural value, nearest, scale;
} decimal;

/* digits * 10^decade next to mantissa * 2^exponent */
static decimal nearest_decimal(double mantissa, int exponent, int decade)
{
    decimal d;
    d.scale = times_power(times_power(from_double(1.0), 10, decade < 0 ? -decade : 0), 2, exponent < 0 ? -exponent : 0);
    d.value = times_power(from_double(mantissa), 2, exponent > 0 ? exponent : 0);
    d.value = times_power(d.value, 10, decade < 0 ? -decade : 0);
    natural unit = times_power(from_double(1.0), 10, decade > 0 ? decade : 0);
    unit = times_power(unit, 2, exponent < 0 ? -exponent : 0);
    // whole units by long division, then the nearer neighbour
    natural rest = d.value;
    d.nearest = from_double(0.0);
    natural step = unit;
    int doubled = 0;
    for (natural twice = times_power(step, 2, 1); compare(&rest, &twice) >= 0; twice = times_power(step, 2, 1)) {
        step = twice;
        ++doubled;
    }
    for (int i = doubled; i >= 0; --i) {
        const natural part = times_power(unit, 2, i);
        if (compare(&rest, &part) >= 0) {
            rest = minus(&rest, &part);
        }
    }
    d.nearest = minus(&d.value, &rest);
    const natural twice = times_power(rest, 2, 1);
    if (compare(&twice, &unit) > 0) {
        const natural up = minus(&unit, &rest);
        uint64_t carry = 0;
        for (int i = 0; i < WORDS; ++i) {
            carry += (uint64_t)d.value.word[i] + up.word[i];
            d.nearest.word[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return d;
}

double sb_decimal_remainder(double value)
{
    const double size = fabs(value);
    if (size == 0.0 || !isfinite(value)) {
        return 0.0;
    }
    const int decade = (int)floor(log10(size));
    if (decade > LARGEST_DECADE || decade < -LARGEST_DECADE) {
        return 0.0;
    }
    int exponent;
    const double mantissa = ldexp(frexp(size, &exponent), MANTISSA);
    exponent -= MANTISSA;
    double found = 0.0;
    for (int digits = 1; digits <= DIGITS; ++digits) {
        const decimal d = nearest_decimal(mantissa, exponent, decade + 1 - digits);
        if (quotient(d.nearest, d.scale) == size) { // it reads as the same number
            const int above = compare(&d.nearest, &d.value) > 0;
            const natural gap = above ? minus(&d.nearest, &d.value) : minus(&d.value, &d.nearest);
            found = (above ? 1.0 : -1.0) * quotient(gap, d.scale);
            break;
        }
    }
    return value < 0.0 ? -found : found;
}
