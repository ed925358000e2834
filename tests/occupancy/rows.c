/* SPDX-License-Identifier: MIT */
/* Reads launches, one a line, and prints what differs from the occupancy that Kineto stored.
 *
 * Line: CC major, minor, SMs, threads/block, threads/SM, registers/block, registers/SM,
 * shared/block, shared/SM, grid blocks, block threads, registers, shared memory, occupancy in
 * percent.
 */
#include <stdio.h>

#include "analyzer/model/gpu/occupancy.h"

int main(void)
{
	struct ra_occupancy_device device = { 0 };
	struct ra_occupancy_launch launch = { 0 };
	long rows = 0;
	long differences = 0;
	long stored;

	while (scanf("%d %d %d %d %d %d %d %ld %ld %ld %d %d %ld %ld", &device.cc_major,
	             &device.cc_minor, &device.multiprocessors, &device.threads_per_block,
	             &device.threads_per_sm, &device.registers_per_block, &device.registers_per_sm,
	             &device.shared_per_block_bytes, &device.shared_per_sm_bytes, &launch.blocks,
	             &launch.block_threads, &launch.registers_per_thread,
	             &launch.static_shared_bytes, &stored) == 14) {
		const int32_t got = ra_occupancy_kineto_pct(&device, &launch);

		if (got != stored && ++differences <= 5) {
			printf("# row %ld: %d, stored %ld\n", rows, got, stored);
		}
		rows++;
	}
	printf("%ld %ld\n", rows, differences);
	return 0;
}
