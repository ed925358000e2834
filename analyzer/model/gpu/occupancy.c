/* SPDX-License-Identifier: MIT */
/* Computes occupancy: of four limits, the smallest is the result. */
#include "analyzer/model/gpu/occupancy.h"

#include <math.h>
#include <stddef.h>

#define WARP_THREADS   32
#define REGISTER_UNIT  256 /* a warp gets registers in units of this many */
#define SUB_PARTITIONS 4   /* parts of a multiprocessor; each has registers of its own */
#define MAX_REGISTERS  256 /* most registers of a thread */
#define NO_LIMIT       INT32_MAX
#define KIB            INT64_C(1024)
#define ALL_MINORS     (-1)

static int64_t round_up(int64_t value, int64_t unit)
{
	return (value + unit - 1) / unit * unit;
}

/* The limits of compute capabilities. The first row that matches is used. */
struct generation {
	int32_t major;
	int32_t minor; /* or ALL_MINORS */
	int32_t blocks;
	int64_t optin_kib;
	int32_t carve_outs[11]; /* possible sizes in KiB of a multiprocessor's shared memory; ends
	                           with -1 */
};

static const struct generation generations[] = {
	{ 7, 0, 32, 96, { 0, 8, 16, 32, 64, 96, -1 } },
	{ 7, 2, 32, 96, { 0, 8, 16, 32, 64, 96, -1 } },
	{ 7, 5, 16, 64, { 32, 64, -1 } },
	{ 8, 0, 32, 163, { 0, 8, 16, 32, 64, 100, 132, 164, -1 } },
	{ 8, 7, 16, 163, { 0, 8, 16, 32, 64, 100, 132, 164, -1 } },
	{ 8, 9, 24, 99, { 0, 8, 16, 32, 64, 100, -1 } },
	{ 8, ALL_MINORS, 16, 99, { 0, 8, 16, 32, 64, 100, -1 } },
	{ 10, 1, 24, 227, { 0, 8, 16, 32, 64, 100, 132, 164, 196, 228, -1 } },
	{ 9, ALL_MINORS, 32, 227, { 0, 8, 16, 32, 64, 100, 132, 164, 196, 228, -1 } },
	{ 10, ALL_MINORS, 32, 227, { 0, 8, 16, 32, 64, 100, 132, 164, 196, 228, -1 } },
	{ 11, ALL_MINORS, 24, 227, { 0, 8, 16, 32, 64, 100, 132, 164, 196, 228, -1 } },
	{ 12, ALL_MINORS, 24, 99, { 0, 8, 16, 32, 64, 100, -1 } },
};

static const struct generation *find_generation(int32_t major, int32_t minor)
{
	for (size_t i = 0; i < sizeof(generations) / sizeof(generations[0]); i++) {
		if (generations[i].major == major &&
		    (generations[i].minor == minor || generations[i].minor == ALL_MINORS)) {
			return &generations[i];
		}
	}
	return NULL;
}

int64_t ra_occupancy_optin_bytes(int32_t cc_major, int32_t cc_minor)
{
	const struct generation *generation = find_generation(cc_major, cc_minor);

	return generation ? generation->optin_kib * KIB : 0;
}

int64_t ra_occupancy_reserved_bytes(int32_t cc_major)
{
	return cc_major >= 8 ? KIB : 0;
}

static int32_t limit_by_warps(const struct ra_occupancy_device *device,
                              const struct ra_occupancy_launch *launch, int32_t warps)
{
	if (launch->block_threads > device->threads_per_block) {
		return 0;
	}
	return device->threads_per_sm / WARP_THREADS / warps;
}

static int32_t limit_by_registers(const struct ra_occupancy_device *device,
                                  const struct ra_occupancy_launch *launch, int32_t warps)
{
	const int64_t per_warp =
		round_up((int64_t) launch->registers_per_thread * WARP_THREADS, REGISTER_UNIT);

	if (launch->registers_per_thread > MAX_REGISTERS ||
	    device->registers_per_block < per_warp * round_up(warps, SUB_PARTITIONS)) {
		return 0;
	}
	if (per_warp == 0) {
		return NO_LIMIT;
	}
	return (int32_t) (device->registers_per_sm / SUB_PARTITIONS / per_warp * SUB_PARTITIONS /
	                  warps);
}

/* The shared memory of a multiprocessor: the smallest carve-out that is at least as large as what
 * the device reports. */
static int64_t find_carve_out(const struct ra_occupancy_device *device)
{
	const struct generation *generation = find_generation(device->cc_major, device->cc_minor);

	for (size_t i = 0; generation && generation->carve_outs[i] >= 0; i++) {
		if (generation->carve_outs[i] * KIB >= device->shared_per_sm_bytes) {
			return generation->carve_outs[i] * KIB;
		}
	}
	return device->shared_per_sm_bytes;
}

static int32_t limit_by_shared(const struct ra_occupancy_device *device,
                               const struct ra_occupancy_launch *launch)
{
	const int64_t reserved = device->shared_reserved_bytes > 0
	                                 ? device->shared_reserved_bytes
	                                 : ra_occupancy_reserved_bytes(device->cc_major);
	const int64_t optin =
		device->shared_optin_bytes > 0
			? device->shared_optin_bytes
			: ra_occupancy_optin_bytes(device->cc_major, device->cc_minor);
	const int64_t asked = launch->static_shared_bytes + reserved + launch->dynamic_shared_bytes;
	const int64_t given = round_up(asked, device->cc_major >= 8 ? 128 : 256);
	int64_t cap = device->shared_per_block_bytes;

	if (launch->is_optin && asked > cap) {
		cap = optin;
	}
	if (device->cc_major >= 8) {
		cap += reserved;
	}
	if (given > cap) {
		return 0;
	}
	if (given == 0) {
		return NO_LIMIT;
	}
	return (int32_t) (find_carve_out(device) / given);
}

static int32_t limit_by_blocks(const struct ra_occupancy_device *device)
{
	const struct generation *generation = find_generation(device->cc_major, device->cc_minor);

	return generation ? generation->blocks : NO_LIMIT;
}

bool ra_occupancy_compute(const struct ra_occupancy_device *device,
                          const struct ra_occupancy_launch *launch, struct ra_occupancy *out)
{
	const int32_t warps = (launch->block_threads + WARP_THREADS - 1) / WARP_THREADS;
	int32_t limits[4];
	int32_t all_warps;
	double per_sm;
	double active;

	*out = (struct ra_occupancy){ .warps_per_block = warps };
	if (device->multiprocessors <= 0 || device->threads_per_sm < WARP_THREADS || warps <= 0) {
		return false;
	}
	limits[0] = limit_by_warps(device, launch, warps);
	limits[1] = limit_by_registers(device, launch, warps);
	limits[2] = limit_by_shared(device, launch);
	limits[3] = limit_by_blocks(device);
	out->active_blocks = limits[0];
	for (int i = 1; i < 4; i++) {
		if (limits[i] < out->active_blocks) {
			out->active_blocks = limits[i];
		}
	}
	for (int i = 0; i < 4; i++) {
		out->limiters |= limits[i] == out->active_blocks ? 1u << i : 0;
	}
	per_sm = (double) launch->blocks / device->multiprocessors;
	active = out->active_blocks < per_sm ? out->active_blocks : per_sm;
	all_warps = device->threads_per_sm / WARP_THREADS;
	out->theoretical = (double) out->active_blocks * warps / all_warps;
	out->achieved = active * launch->block_threads / device->threads_per_sm;
	return true;
}

int32_t ra_occupancy_kineto_pct(const struct ra_occupancy_device *device,
                                const struct ra_occupancy_launch *launch)
{
	struct ra_occupancy_launch plain = *launch;

	plain.is_optin = false;
	return ra_occupancy_rounded_pct(device, &plain);
}

int32_t ra_occupancy_rounded_pct(const struct ra_occupancy_device *device,
                                 const struct ra_occupancy_launch *launch)
{
	struct ra_occupancy occupancy;
	float blocks;

	if (!ra_occupancy_compute(device, launch, &occupancy)) {
		return 0;
	}
	blocks = (float) launch->blocks / (float) device->multiprocessors;
	if ((float) occupancy.active_blocks < blocks) {
		blocks = (float) occupancy.active_blocks;
	}
	blocks = blocks * (float) launch->block_threads / (float) device->threads_per_sm;
	return (int32_t) lround((double) blocks * 100.0);
}
