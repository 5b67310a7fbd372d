#ifndef SB_CUBIC_H
#define SB_CUBIC_H

/* The cubic through the values of a quantity at the four nodes of a step: a cheap look between them. */

/* Its peaks are trusted within this share of the spread of the node values. */
#define SB_CUBIC_ERROR 0.01

/* +1 if it rises first and falls last, -1 for the reverse, 0 if it does not turn. */
int sb_cubic_turn(const double *f);

double sb_cubic_value(const double *f, double theta);

/* Its interior maximum: place in (0, 1), or -1, and height. */
double sb_cubic_peak(const double *f, double *height);

#endif
