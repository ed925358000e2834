/* SPDX-License-Identifier: MIT */
/* Computes how many blocks of a kernel fit on a multiprocessor at the same time
 * (doc/metrics.md). */
#ifndef RA_OCCUPANCY_H
#define RA_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

/* Limits of a device; memory in bytes. The last two may be 0: then they are derived from the
 * compute capability. */
struct ra_occupancy_device {
	int32_t cc_major;
	int32_t cc_minor;
	int32_t multiprocessors;
	int32_t threads_per_block;
	int32_t threads_per_sm;
	int32_t registers_per_block;
	int32_t registers_per_sm;
	int64_t shared_per_block_bytes;
	int64_t shared_per_sm_bytes;
	/* most bytes for a block, if the kernel opts in to more shared memory */
	int64_t shared_optin_bytes;
	int64_t shared_reserved_bytes; /* bytes of each block that the driver takes */
};

/* The resources that a launch asks for. */
struct ra_occupancy_launch {
	int64_t blocks; /* number of blocks of the grid */
	int32_t block_threads;
	int32_t registers_per_thread;
	int64_t static_shared_bytes;
	int64_t dynamic_shared_bytes;
	bool is_optin; /* the kernel opts in to more shared memory than a block has by default */
};

/* Bits for what limits the number of blocks; several may be set. */
enum ra_occupancy_limiter {
	RA_OCCUPANCY_WARPS = 1,
	RA_OCCUPANCY_REGISTERS = 2,
	RA_OCCUPANCY_SHARED = 4,
	RA_OCCUPANCY_BLOCKS = 8,
};

struct ra_occupancy {
	int32_t active_blocks; /* per multiprocessor; 0: the launch is impossible */
	int32_t warps_per_block;
	uint32_t limiters;  /* enum ra_occupancy_limiter */
	double theoretical; /* warps that fit, as a part of those possible: 0…1 */
	/* threads that are active on average, as a part of those possible, if the grid's blocks
	 * are spread evenly over the multiprocessors: 0…1 */
	double achieved;
};

/*
 * Computes the occupancy exactly as NVIDIA's occupancy calculator does with the default carve-out.
 * Clusters and barriers are ignored; with clusters the result is an upper bound.
 *
 * Return: false if too little is known about the device or the launch (no multiprocessors, warps or
 * threads); *out then has no occupancy.
 */
bool ra_occupancy_compute(const struct ra_occupancy_device *device,
                          const struct ra_occupancy_launch *launch, struct ra_occupancy *out);

/*
 * Computes the achieved occupancy in whole percent, as Kineto writes it into its traces: never with
 * opt-in shared memory, whatever the launch says (so above 48 KiB it is 0), in single precision,
 * rounded half away from 0.
 */
int32_t ra_occupancy_kineto_pct(const struct ra_occupancy_device *device,
                                const struct ra_occupancy_launch *launch);

/* Computes the achieved occupancy in whole percent like Kineto, but with opt-in shared memory if
 * the launch has it. */
int32_t ra_occupancy_rounded_pct(const struct ra_occupancy_device *device,
                                 const struct ra_occupancy_launch *launch);

/* Values by compute capability, for captures that lack the device's values: the shared memory that
 * a block can have by opt-in, and what the driver takes in addition. */
int64_t ra_occupancy_optin_bytes(int32_t cc_major, int32_t cc_minor);
int64_t ra_occupancy_reserved_bytes(int32_t cc_major);

#endif
