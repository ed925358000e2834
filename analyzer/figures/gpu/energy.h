/* SPDX-License-Identifier: MIT */
/* Computes the energy of GPUs over time from NVML's counters in the log, and the part of it in
 * stretches of time (doc/metrics.md, section 33). */
#ifndef RA_ENERGY_H
#define RA_ENERGY_H

#include "analyzer/model/model.h"

/* Joules of one device at each sample. */
struct ra_energy_curve {
	uint32_t device;  /* as in struct ra_gpu_device */
	int64_t *time_ns; /* owned; times of samples, strictly rising */
	double *joules;   /* owned; used since the first sample; never decreasing */
	size_t count;     /* number of samples, 2 or more */
	double least_w;   /* For each sample, bounds of the mean power until the next sample. */
	double most_w;
	/* True if computed from samples of power, because the energy meter was read less often or
	 * not at all. Between two samples, power was between their values. */
	bool is_integrated;
	double *doubt_w; /* owned; for each sample, half the difference of power until the next; 0
	                    if the meter was used */
	/* Joules that the device's own meter counted in the capture, and the times when it was read
	 * first and last. 0: there is no meter, or it was read only once. */
	double meter_j;
	int64_t meter_ns;
};

struct ra_energy {
	struct ra_energy_curve *curves; /* owned; one curve for each device */
	size_t count;
	bool is_by_number; /* GPUs can only be identified by NVML's numbers */
};

/* O(samples). */
void ra_energy_init(struct ra_energy *energy, const struct ra_model *model);
void ra_energy_fini(struct ra_energy *energy);

/* Finds the device of a GPU counter by UUID or, if either side has no UUID, by number. Return: the
 * device's id; RA_NONE: the program does not use the device. */
uint32_t ra_energy_find_device(const struct ra_model *model, const struct ra_counter *counter);

/* Finds the curve of a device. NULL: the device has no samples. */
const struct ra_energy_curve *ra_energy_find(const struct ra_energy *energy, uint32_t device);

/* The energy in stretches of time. Zero it first. */
struct ra_energy_sum {
	double joules;
	double error;       /* joules: the error is at most this large, if power was within its
	                       bounds */
	int64_t known_ns;   /* time in stretches, each instant once, … */
	int64_t unknown_ns; /* … and its part before the first or after the last sample */
	/* Private: end of the last stretch, and the current period between samples. */
	int64_t until_ns;
	int64_t inside_ns;
	size_t period;
	bool is_begun;
};

/* Adds a stretch. Stretches come in order of start and may overlap: an instant counts once.
 * Amortised O(samples + stretches). */
void ra_energy_add(const struct ra_energy_curve *curve, struct ra_energy_sum *sum, int64_t start_ns,
                   int64_t end_ns);

/* Ends the sum: no stretch follows. */
void ra_energy_finish(const struct ra_energy_curve *curve, struct ra_energy_sum *sum);

#endif
