#ifndef SB_PICK_H
#define SB_PICK_H

#include "sb_data.h"

/* Single outputs without the cost of all of them, for tasks that read a few. */
typedef struct sb_pick {
    int array; /* of the board */
    int row;   /* in it */
    int fresh; /* 1: it is there after every step; 0: after sb_fixed_board */
    int alone; /* 0: it needs other outputs; read it after sb_outputs */
    double scale;
} sb_pick;

sb_pick sb_pick_output(const sb_model *m, int output);

/* Where a fresh one stands in memory, before its scale; or NULL. */
const double *sb_pick_place(const sb_model *m, const sb_data *d, const sb_pick *pick);

/* The value of one that stands alone at the state x and its rates, to the last bit as sb_outputs gives it. */
double sb_pick_read(const sb_model *m, const sb_data *d, const double *x, const double *rate, const sb_pick *pick);

#endif
