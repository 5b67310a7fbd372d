#ifndef SB_LOSS_LINE_H
#define SB_LOSS_LINE_H

#include "sb_data.h"

/* What the equations of gears with losses (loss.c) and their modes (loss_modes.c) share: the straight lines that a loss
 * follows over the transmitted torque, and the table of a gear that they come from. */

enum { SB_A_DRIVES, SB_B_DRIVES };
enum { SB_LOSS_COLUMNS = 5 }; /* of the table: speed, eta1, eta2, tbf1, tbf2 */

/* loss = slope * torque + offset, and how both change with the speed */
typedef struct sb_loss_law {
    double slope, offset;
    double slope_v, offset_v;
} sb_loss_law;

static inline int sb_loss_rows(const sb_model *m, int loss)
{
    return m->loss_ptr[loss + 1] - m->loss_ptr[loss];
}

/* Speed of a row of the table. */
static inline double sb_loss_knot(const sb_model *m, int loss, int row)
{
    return m->loss_table[SB_LOSS_COLUMNS * (m->loss_ptr[loss] + row)];
}

/* Direction of the line that holds: it slides, or leans on others that hold its motion; 0: it is held. */
static inline int sb_loss_direction(const sb_model *m, const sb_data *d, int lock)
{
    const int slides = d->mode[lock] == SB_FORWARD || d->mode[lock] == SB_BACKWARD;
    return slides ? d->mode[lock] : d->lean[m->lock_loss[lock]];
}

/* The line while a side drives, between a row of the table and the next, at a speed. */
sb_loss_law sb_loss_line(const sb_model *m, int loss, int driver, int segment, double v);

/* What the transmitted torque is added up from, for the size of its rounding. */
double sb_loss_terms(const sb_model *m, const sb_data *d, int loss, const double *rate);

#endif
