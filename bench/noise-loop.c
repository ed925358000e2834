/* SPDX-License-Identifier: MIT */
/*
 * The program that bench-noise.py runs: steps of real work, always the same amount, in ranges that
 * last from a few us to some ms. `noise-loop train 10` adds 10 % to the work of the range "train".
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ranges/nvtx.h>

#define COPY_BYTES ((size_t) 4 << 20)

enum {
	STEPS = 150,
	SAVE_EVERY = 5,
	PARSED = 8,
};

static volatile double sink;
static char *from;
static char *to;

/* Work of a range, in per cent of the usual work. */
static long slow_percent;
static const char *slow_name = "";

static long scale(const char *name, long amount)
{
	return strcmp(name, slow_name) == 0 ? amount * (100 + slow_percent) / 100 : amount;
}

/* Computes a chain of dependent operations, so that the compiler can't leave any out, and the
 * processor can't run any in parallel. */
static void compute(const char *name, long rounds)
{
	double value = 1;

	nvtxRangePushA(name);
	rounds = scale(name, rounds);
	for (long i = 0; i < rounds; i++) {
		value = value * 0.999999 + 0.5;
	}
	sink = value;
	nvtxRangePop();
}

static void copy(const char *name, size_t bytes)
{
	nvtxRangePushA(name);
	memcpy(to, from, (size_t) scale(name, (long) bytes));
	sink = to[bytes - 1];
	nvtxRangePop();
}

static void wait_ns(const char *name, long ns)
{
	const struct timespec time = { 0, scale(name, ns) };

	nvtxRangePushA(name);
	nanosleep(&time, NULL);
	nvtxRangePop();
}

static void run_step(int step)
{
	nvtxRangePushA("step");
	copy("load", COPY_BYTES);
	for (int i = 0; i < PARSED; i++) {
		compute("parse", 2000);
	}
	nvtxRangePushA("train");
	compute("forward", scale("train", 150000));
	compute("backward", scale("train", 300000));
	nvtxRangePop();
	wait_ns("wait", 300000);
	if (step % SAVE_EVERY == 0) {
		copy("save", COPY_BYTES / 2);
	}
	nvtxRangePop();
}

int main(int argc, char **argv)
{
	if (argc > 2) {
		slow_name = argv[1];
		slow_percent = strtol(argv[2], NULL, 10);
	}
	from = malloc(2 * COPY_BYTES);
	to = malloc(2 * COPY_BYTES);
	if (from == NULL || to == NULL) {
		return 1;
	}
	memset(from, 1, 2 * COPY_BYTES);
	memset(to, 2, 2 * COPY_BYTES);
	for (int step = 0; step < STEPS; step++) {
		run_step(step);
	}
	free(from);
	free(to);
	return 0;
}
