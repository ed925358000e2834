/* SPDX-License-Identifier: MIT */
/*
 * A program whose kernels have sections (ranges/device.h): their code runs here, block by block,
 * with timers that tests know.
 *
 *   sections [LAUNCHES [BLOCKS [ROUNDS]]]
 *
 * For each launch it prints "kernel START END". Times are CLOCK_MONOTONIC in ns: needs
 * RANGES_CLOCK=monotonic. FAKE_SECTIONS=alone tells no kernels, =coarse has a timer that steps by
 * 1024 ns, =few a buffer of 4 slots, =unended leaves a section open and ends one that never began,
 * =wild writes what comes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake.h"

/* The GPU: one block at a time. */
static struct {
	uint64_t time; /* %globaltimer, finer than the program sees it */
	uint64_t step;
	uint64_t clock;
	uint32_t sm;
	uint32_t block;
} gpu = { .step = 1 };

#define RANGES_DEVICE            inline
#define RANGES_DEVICE_CLOCK()    gpu.clock
#define RANGES_DEVICE_TIME()     (gpu.time / gpu.step * gpu.step)
#define RANGES_DEVICE_SM()       gpu.sm
#define RANGES_DEVICE_IS_FIRST() 1
#define RANGES_DEVICE_BLOCK()    gpu.block

#include "ranges/device.h"

/* The GPU's timer is ahead of the CPU's by this, and by 3 ns more each µs. */
#define AHEAD_NS UINT64_C(1700000000123456789)

enum {
	OUTER,
	LOAD,
	COMPUTE,
	UNNAMED = 300,
};

static uint32_t rounds = 2;
static int is_unended;

static void pass(uint64_t ns)
{
	gpu.time += ns;
	gpu.clock += ns * 2;
}

/* The work of a block. */
static void kernel(struct ranges_sections sections)
{
	RANGES_SECTION_BEGIN(sections, OUTER);
	pass(50);
	for (uint32_t i = 0; i < rounds; i++) {
		RANGES_SECTION_BEGIN(sections, LOAD);
		pass(100 + gpu.block);
		RANGES_SECTION_END(sections, LOAD);
		RANGES_SECTION_BEGIN(sections, COMPUTE);
		pass(200 + 10 * gpu.sm);
		if (i == 0) {
			RANGES_SECTION_BEGIN(sections, UNNAMED);
			pass(30);
			RANGES_SECTION_END(sections, UNNAMED);
		}
		RANGES_SECTION_END(sections, COMPUTE);
	}
	pass(20);
	if (is_unended) {
		RANGES_SECTION_BEGIN(sections, LOAD);
	}
	RANGES_SECTION_END(sections, OUTER);
	if (is_unended) {
		RANGES_SECTION_END(sections, COMPUTE);
	}
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* Block `block` lasts as long as it says above; all begin within 40 ns. */
static void run(struct ranges_sections sections, uint32_t blocks, uint64_t start_ns)
{
	for (uint32_t block = 0; block < blocks; block++) {
		gpu.block = block;
		gpu.sm = block % 5;
		gpu.time = AHEAD_NS + start_ns + start_ns / 1000 * 3 + UINT64_C(8) * (block % 5);
		gpu.clock = UINT64_C(1000000) * (gpu.sm + 1) + gpu.time * 2;
		kernel(sections);
	}
}

/* Writes records that no GPU would write: numbers that are close to each other, and random ones. */
static void scribble(void *copy, size_t bytes, uint32_t blocks, uint32_t slots)
{
	uint32_t *words = copy;
	uint32_t seed = 1;

	for (size_t i = 0; i < bytes / sizeof(*words); i++) {
		seed = seed * 1664525 + 1013904223;
		words[i] = seed >> (seed % 32);
	}
	for (uint32_t i = 0; i < blocks; i++) {
		words[i] = slots;
	}
}

int main(int argc, char **argv)
{
	const uint32_t launches = argc > 1 ? (uint32_t) atoi(argv[1]) : 3;
	const uint32_t blocks = argc > 2 ? (uint32_t) atoi(argv[2]) : 7;
	const char *mode = getenv("FAKE_SECTIONS") ? getenv("FAKE_SECTIONS") : "";
	const uint32_t sampled = (blocks + 1) / 2;
	struct ranges_section_buffer buffer;
	uint32_t slots;
	size_t bytes;
	void *memory;
	void *copy;

	rounds = argc > 3 ? (uint32_t) atoi(argv[3]) : 2;
	is_unended = strcmp(mode, "unended") == 0;
	gpu.step = strcmp(mode, "coarse") == 0 ? 1024 : 1;
	slots = strcmp(mode, "few") == 0 ? 4 : 4 * rounds + 8;
	bytes = ranges_sections_bytes(sampled, slots);
	memory = aligned_alloc(32, bytes);
	copy = malloc(bytes);
	memset(memory, 0, bytes);
	cuInit(0);
	ranges_sections_init(&buffer, memory, copy, sampled, slots, 2);
	ranges_sections_name(&buffer, OUTER, "outer");
	ranges_sections_name(&buffer, LOAD, "load \"a\"");
	ranges_sections_name(&buffer, COMPUTE, "compute");
	for (uint32_t i = 0; i < launches; i++) {
		const struct ranges_sections sections = ranges_sections_launch(&buffer);
		const uint64_t start = now() + 5000;
		const struct fake_launch launch = {
			.name = i % 2 ? "odd_kernel" : "even_kernel",
			.stream = 7,
			.grid = { blocks, 1, 1 },
			.block = { 32, 1, 1 },
			.start = start,
			.end = start + 200 + rounds * (400u + blocks),
		};

		if (strcmp(mode, "alone") != 0) {
			fake_launch_kernel(&launch);
			printf("kernel %" PRIu64 " %" PRIu64 "\n", launch.start, launch.end);
		}
		run(sections, blocks, start + 15);
		while (now() < launch.end) {
		}
		memcpy(copy, memory, bytes);
		memset(memory, 0, sampled * sizeof(uint32_t));
		ranges_sections_submit(&buffer);
		if (strcmp(mode, "wild") == 0) {
			scribble(copy, bytes, sampled, slots);
			ranges_sections_submit(&buffer);
		}
	}
	free(memory);
	free(copy);
	return 0;
}
