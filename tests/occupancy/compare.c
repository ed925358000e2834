/* SPDX-License-Identifier: MIT */
/* Compares analyzer/model/gpu/occupancy.c with NVIDIA's calculator, in cases made at random. Prints
 * "CASES DIFFERENCES", and the first differences. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_occupancy.h>

#include "analyzer/model/gpu/occupancy.h"

static uint64_t state = 88172645463325252u;

static uint32_t roll(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t) (state >> 20) % below;
}

struct part {
	int major;
	int minor;
	int threads_per_sm;
	int shared_per_sm_kib;
};

static const struct part parts[] = {
	{ 7, 0, 2048, 96 },   { 7, 2, 2048, 96 },   { 7, 5, 1024, 64 },   { 8, 0, 2048, 164 },
	{ 8, 6, 1536, 100 },  { 8, 7, 1536, 164 },  { 8, 9, 1536, 100 },  { 9, 0, 2048, 228 },
	{ 10, 0, 2048, 228 }, { 10, 1, 1536, 228 }, { 10, 3, 2048, 228 }, { 11, 0, 1536, 228 },
	{ 12, 0, 1536, 100 }, { 12, 1, 1536, 100 },
};

static struct ra_occupancy_device make_device(const struct part *part)
{
	return (struct ra_occupancy_device){
		.cc_major = part->major,
		.cc_minor = part->minor,
		.multiprocessors = 1 + (int32_t) roll(160),
		.threads_per_block = 1024,
		.threads_per_sm = part->threads_per_sm,
		.registers_per_block = 65536,
		.registers_per_sm = 65536,
		.shared_per_block_bytes = 49152,
		.shared_per_sm_bytes = part->shared_per_sm_kib * 1024,
	};
}

static struct ra_occupancy_launch make_launch(void)
{
	static const int32_t usual[] = { 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024 };
	struct ra_occupancy_launch launch = {
		.blocks = 1 + (int64_t) roll(100000),
		.block_threads = roll(2) ? usual[roll(10)] : 1 + (int32_t) roll(1100),
		.registers_per_thread = (int32_t) roll(260),
		.is_optin = roll(2) == 1,
	};

	if (roll(3) > 0) {
		launch.static_shared_bytes = roll(roll(2) ? 49153 : 4096);
	}
	if (roll(3) > 0) {
		launch.dynamic_shared_bytes = roll(roll(2) ? 240000 : 8192);
	}
	return launch;
}

/* Return: 0 if both give the same, also in an impossible launch. */
static int compare(const struct ra_occupancy_device *device,
                   const struct ra_occupancy_launch *launch)
{
	cudaOccDeviceProp properties;
	cudaOccFuncAttributes attributes;
	cudaOccDeviceState setting;
	cudaOccResult result;
	struct ra_occupancy ours;
	cudaOccError error;

	memset(&properties, 0, sizeof(properties));
	memset(&attributes, 0, sizeof(attributes));
	memset(&setting, 0, sizeof(setting));
	memset(&result, 0, sizeof(result));
	properties.computeMajor = device->cc_major;
	properties.computeMinor = device->cc_minor;
	properties.maxThreadsPerBlock = device->threads_per_block;
	properties.maxThreadsPerMultiprocessor = device->threads_per_sm;
	properties.regsPerBlock = device->registers_per_block;
	properties.regsPerMultiprocessor = device->registers_per_sm;
	properties.warpSize = 32;
	properties.sharedMemPerBlock = (size_t) device->shared_per_block_bytes;
	properties.sharedMemPerMultiprocessor = (size_t) device->shared_per_sm_bytes;
	properties.numSms = device->multiprocessors;
	properties.sharedMemPerBlockOptin =
		(size_t) ra_occupancy_optin_bytes(device->cc_major, device->cc_minor);
	properties.reservedSharedMemPerBlock =
		(size_t) ra_occupancy_reserved_bytes(device->cc_major);
	attributes.maxThreadsPerBlock = INT_MAX;
	attributes.numRegs = launch->registers_per_thread;
	attributes.sharedSizeBytes = (size_t) launch->static_shared_bytes;
	attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
	attributes.shmemLimitConfig =
		launch->is_optin ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
	attributes.maxDynamicSharedSizeBytes = (size_t) launch->dynamic_shared_bytes;
	setting.carveoutConfig = -1; /* default; 0 would mean no shared memory at all */
	error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &setting,
	                                                launch->block_threads,
	                                                (size_t) launch->dynamic_shared_bytes);
	if (!ra_occupancy_compute(device, launch, &ours)) {
		return error == CUDA_OCC_SUCCESS;
	}
	if (error != CUDA_OCC_SUCCESS) {
		return 1;
	}
	return result.activeBlocksPerMultiprocessor != ours.active_blocks ||
	       (result.limitingFactors & 15u) != ours.limiters;
}

int main(int argc, char **argv)
{
	const long cases = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
	long differences = 0;

	for (long i = 0; i < cases; i++) {
		const struct ra_occupancy_device device =
			make_device(&parts[roll(sizeof(parts) / sizeof(parts[0]))]);
		const struct ra_occupancy_launch launch = make_launch();

		if (compare(&device, &launch) && ++differences <= 5) {
			printf("# CC %d.%d: %d threads, %d registers, shared %ld + %ld, opt-in "
			       "%d\n",
			       device.cc_major, device.cc_minor, launch.block_threads,
			       launch.registers_per_thread, (long) launch.static_shared_bytes,
			       (long) launch.dynamic_shared_bytes, launch.is_optin);
		}
	}
	printf("%ld %ld\n", cases, differences);
	return 0;
}
