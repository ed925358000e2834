/* SPDX-License-Identifier: MIT */
/* Treats runs as samples: takes a figure per row and run, and estimates the difference of the two
 * sides (doc/metrics.md, section 25). */
#ifndef RA_DIFF_RUNS_H
#define RA_DIFF_RUNS_H

#include <stdbool.h>
#include <stddef.h>

/* The family of a row. Rows of one family vary alike. */
enum ra_diff_family {
	RA_DIFF_FAMILY_CALLS, /* how long calls take */
	RA_DIFF_FAMILY_TOTALS,
	RA_DIFF_FAMILY_PARTS, /* part of a step */
	RA_DIFF_FAMILIES
};

/* Logarithms of times. A row is something that is compared, a column is a run; the runs before come
 * first. */
struct ra_diff_runs {
	size_t rows;
	size_t runs[2];
	double *values;        /* owned, as the arrays below; NAN: the run lacks the row */
	unsigned char *family; /* for each row: enum ra_diff_family */
	double *least;         /* for each row: a logarithm; smaller differences don't count */
	unsigned char *common; /* for each row: the machine, from 1, whose common part the row helps
	                          to find; 0: none */
};

/* The difference that all rows of a machine have in common. */
struct ra_diff_drift {
	double *of_run;  /* owned: for each run, the median of all rows; logarithms */
	double *sorted;  /* owned: for each run, the rows' distances from their centers,
	                    ascending */
	double *centers; /* owned: for each row, its center; NAN: the row is not used */
	double *changes; /* owned: for each row used, after - before; ascending */
	double between;  /* the median of `changes` */
	double half;     /* half of its 95 % interval, because the machine's speed varies among
	                    runs */
	double chance;   /* the chance that the machine alone makes the sides differ as much */
	size_t rows;     /* number of rows used */
	bool is_told;    /* there were enough rows, and the runs show the common difference */
	bool is_large;   /* it is beyond the limit: perhaps the program changed … */
	bool is_change;  /* … and it is too sure to come from the machine: it stays in the rows */
};

struct ra_diff_estimate {
	bool has;      /* there were enough runs */
	double change; /* logarithm of after / before */
	double low;    /* ends of its 95 % interval */
	double high;
	double chance;  /* the chance that with equal sides any row differs as clearly */
	size_t runs[2]; /* number of runs that have the row, on each side */
};

/* Allocates the arrays. All values are NAN, and any difference counts. */
void ra_diff_runs_init(struct ra_diff_runs *runs, size_t rows, size_t before, size_t after);
void ra_diff_runs_fini(struct ra_diff_runs *runs);

/* Returns the values of a row. */
double *ra_diff_runs_row(const struct ra_diff_runs *runs, size_t row);

/*
 * Finds the difference that the rows of a machine have in common.
 *
 * @limit: a logarithm. A larger common difference sets is_large and, if the runs surely show it,
 * is_change.
 */
void ra_diff_runs_find_drift(const struct ra_diff_runs *runs, unsigned common, double limit,
                             struct ra_diff_drift *drift);
void ra_diff_runs_fini_drift(struct ra_diff_drift *drift);

/* Subtracts from a row the difference that all rows have in common, as the other rows show it. */
void ra_diff_runs_take_drift(struct ra_diff_runs *runs, size_t row,
                             const struct ra_diff_drift *drift);

/* Compares the sides in each row. There must be three runs or more in all. */
void ra_diff_runs_compare(const struct ra_diff_runs *runs, struct ra_diff_estimate *estimates);

#endif
