/* SPDX-License-Identifier: MIT */
/* Runs as samples: a figure per row and run, and the difference of the two sides
 * (doc/metrics.md, section 25). */
#ifndef RA_DIFF_RUNS_H
#define RA_DIFF_RUNS_H

#include <stdbool.h>
#include <stddef.h>

/* Rows of one family vary alike. */
enum ra_diff_family {
	RA_DIFF_FAMILY_CALLS, /* how long calls take */
	RA_DIFF_FAMILY_TOTALS,
	RA_DIFF_FAMILY_PARTS, /* part of a step */
	RA_DIFF_FAMILIES
};

/* Logarithms of times: rows are things, columns are runs, those before first. */
struct ra_diff_runs {
	size_t rows;
	size_t runs[2];
	double *values;        /* owned, as the arrays below; NAN: the run lacks it */
	unsigned char *family; /* of each row: enum ra_diff_family */
	double *least;         /* of each row: logarithm; smaller differences don't count */
	unsigned char *common; /* of each row: the machine, from 1, whose common part it helps to
	                          find; 0: none */
};

/* The difference that all rows of a machine have in common. */
struct ra_diff_drift {
	double *of_run;  /* owned: the median of all rows by run; logarithms */
	double *sorted;  /* owned: the rows' distances from their centers, ascending, by run */
	double *centers; /* owned: these centers; NAN: the row is not used */
	double *changes; /* owned: after - before of the rows, ascending */
	double between;  /* their median */
	double half;     /* half of its 95 % interval: the machine's speed varies among runs */
	double chance;   /* chance that the machine alone makes the sides differ as much */
	size_t rows;     /* number of rows used */
	bool is_told;    /* there were enough rows, and the runs show it */
	bool is_large;   /* beyond the limit: perhaps the program changed … */
	bool is_change;  /* … and too sure for the machine: it is left in */
};

struct ra_diff_estimate {
	bool has;      /* there were enough runs */
	double change; /* logarithm of after / before */
	double low;    /* ends of its 95 % interval */
	double high;
	double chance;  /* chance that any row of equal sides differs as clearly, over all rows */
	size_t runs[2]; /* runs that have the row */
};

/* Allocates: all values are NAN, and any difference counts. */
void ra_diff_runs_init(struct ra_diff_runs *runs, size_t rows, size_t before, size_t after);
void ra_diff_runs_fini(struct ra_diff_runs *runs);

/* The values of a row. */
double *ra_diff_runs_row(const struct ra_diff_runs *runs, size_t row);

/*
 * Finds what rows of one machine have in common.
 *
 * @limit: logarithm; a larger difference of the sides is large and, if the runs surely show it, a
 * change.
 */
void ra_diff_runs_find_drift(const struct ra_diff_runs *runs, unsigned common, double limit,
                             struct ra_diff_drift *drift);
void ra_diff_runs_fini_drift(struct ra_diff_drift *drift);

/* Subtracts from a row what all rows have in common, as the other rows show it. */
void ra_diff_runs_take_drift(struct ra_diff_runs *runs, size_t row,
                             const struct ra_diff_drift *drift);

/* Compares the sides in each row. There are three or more runs in all. */
void ra_diff_runs_compare(const struct ra_diff_runs *runs, struct ra_diff_estimate *estimates);

#endif
