/* SPDX-License-Identifier: MIT */
/* The energy of GPUs over time, by NVML's counters of the log, and what of it falls into stretches
 * of time (doc/metrics.md, section 33). */
#ifndef RA_ENERGY_H
#define RA_ENERGY_H

#include "analyzer/model/model.h"

/* Joules of one device, sample by sample. */
struct ra_energy_curve {
	uint32_t device;  /* as in struct ra_gpu_device */
	int64_t *time_ns; /* owned; strictly rising */
	double *joules;   /* owned; since the first sample; never falling */
	size_t count;     /* 2 or more */
	double least_w;   /* the mean powers from one sample to the next are in these bounds */
	double most_w;
	/* By the samples of its power, not by a meter that was read as often: between two of them
	 * power was between their values. */
	bool is_integrated;
	double *doubt_w; /* owned; of each period half the difference; by the meter 0 */
	/* What the device's own meter counted in the capture, and from when to when; 0: it has
	 * none, or it was read once. */
	double meter_j;
	int64_t meter_ns;
};

struct ra_energy {
	struct ra_energy_curve *curves; /* owned; by device */
	size_t count;
	bool is_by_number; /* which GPU is which is told by NVML's numbers alone */
};

/* O(samples). */
void ra_energy_init(struct ra_energy *energy, const struct ra_model *model);
void ra_energy_fini(struct ra_energy *energy);

/* The device that a counter of GPUs is of, by its UUID; where either side has none, by its number.
 * Return: its id; RA_NONE: one that the program does not use. */
uint32_t ra_energy_find_device(const struct ra_model *model, const struct ra_counter *counter);

/* NULL: nothing is known of this device. */
const struct ra_energy_curve *ra_energy_find(const struct ra_energy *energy, uint32_t device);

/* What fell into stretches of time. Zero it first. */
struct ra_energy_sum {
	double joules;
	double error;     /* joules: the truth differs by no more, if power was within its bounds */
	int64_t known_ns; /* time that was covered, each instant once, … */
	int64_t unknown_ns; /* … and of it that before the first and after the last sample */
	/* Private: where the last stretch ended, and the period between samples that is being
	 * filled. */
	int64_t until_ns;
	int64_t inside_ns;
	size_t period;
	bool is_begun;
};

/*
 * Adds a stretch; they come in order of their begin, and may overlap: an instant counts once.
 * Amortised O(samples + stretches).
 */
void ra_energy_add(const struct ra_energy_curve *curve, struct ra_energy_sum *sum, int64_t start_ns,
                   int64_t end_ns);

/* No stretch follows. */
void ra_energy_finish(const struct ra_energy_curve *curve, struct ra_energy_sum *sum);

#endif
