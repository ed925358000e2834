/* SPDX-License-Identifier: MIT */
/* Runs as samples: of each row a figure per run, and what the two sides differ by (doc/metrics.md,
 * section 25). */
#ifndef RA_DIFF_RUNS_H
#define RA_DIFF_RUNS_H

#include <stdbool.h>
#include <stddef.h>

/* Rows of these vary alike. */
enum ra_diff_family {
	RA_DIFF_FAMILY_CALLS, /* how long calls take */
	RA_DIFF_FAMILY_TOTALS,
	RA_DIFF_FAMILY_PARTS, /* of a step */
	RA_DIFF_FAMILIES
};

/* Logarithms of times: a row for each thing, a column for each run, those before first. */
struct ra_diff_runs {
	size_t rows;
	size_t runs[2];
	double *values;        /* owned, as the others; NAN: the run does not have it */
	unsigned char *family; /* of each row: enum ra_diff_family */
	double *least; /* of each row: logarithm; a smaller difference is none that counts */
	unsigned char *common; /* of each row: the machine it ran on, from 1, for what runs have in
	                          common; 0: it is not looked at */
};

/* What all rows of a machine have in common. */
struct ra_diff_drift {
	double *of_run;  /* owned: the middle of all rows; logarithms */
	double *sorted;  /* owned: the rows' distances to their own middles, ascending, by run */
	double *centers; /* owned: these middles; NAN: the row is not looked at */
	double *changes; /* owned: after - before of the rows, ascending */
	double between;  /* their middle */
	double half;     /* of the 95 % interval of that: the machine's speed varies among runs */
	double chance;   /* that the machine alone differs as much between the sides */
	size_t rows;     /* that were looked at */
	bool is_told;    /* there were enough of them, and runs show it */
	bool is_large;   /* beyond the limit: it may be the program that changed … */
	bool is_change;  /* … and is too sure for the machine: it is left in */
};

struct ra_diff_estimate {
	bool has;      /* there were enough runs */
	double change; /* logarithm of after / before */
	double low;    /* ends of its 95 % interval */
	double high;
	double chance;  /* that any row of equal sides differs as clearly: of all rows together */
	size_t runs[2]; /* that have the row */
};

/* Makes room: all values are NAN, and each difference counts. */
void ra_diff_runs_init(struct ra_diff_runs *runs, size_t rows, size_t before, size_t after);
void ra_diff_runs_fini(struct ra_diff_runs *runs);

/* The values of a row. */
double *ra_diff_runs_row(const struct ra_diff_runs *runs, size_t row);

/*
 * Finds what rows of one machine have in common.
 *
 * @limit: logarithm; a difference of the sides beyond it is large, and if the runs show it surely,
 * a change.
 */
void ra_diff_runs_find_drift(const struct ra_diff_runs *runs, unsigned common, double limit,
                             struct ra_diff_drift *drift);
void ra_diff_runs_fini_drift(struct ra_diff_drift *drift);

/* Takes it out of a row: what the other rows show. */
void ra_diff_runs_take_drift(struct ra_diff_runs *runs, size_t row,
                             const struct ra_diff_drift *drift);

/* Compares the sides in each row. There are three runs or more in all. */
void ra_diff_runs_compare(const struct ra_diff_runs *runs, struct ra_diff_estimate *estimates);

#endif
