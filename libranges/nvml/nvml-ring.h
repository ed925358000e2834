/* SPDX-License-Identifier: MIT */
/*
 * Samples of GPUs in memory that the launcher shares with the programs that it records.
 *
 * The launcher asks NVML, the programs' drains take what it puts here. NVML is kept out of
 * programs: where it begins while the program's first cuInit() is under way, a later cuInit(), as
 * cuBLAS makes one, never returns (seen on an H200 with driver 580, with all of NVML's files in
 * order).
 */
#ifndef RCAP_NVML_RING_H
#define RCAP_NVML_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libranges/nvml/nvml-load.h"

#define RCAP_NVML_MAX_DEVICES 64u
#define RCAP_NVML_RING_NOTES  8u
#define RCAP_NVML_NOTE_BYTES  256u

/* In the launcher's directory; hidden, so no spool. */
#define RCAP_NVML_RING_NAME ".gpu-metrics"

struct rcap_nvml_ring_sample {
	uint64_t mono_ns; /* CLOCK_MONOTONIC */
	uint32_t device;  /* NVML's number */
	uint32_t kind;    /* enum rlog_gpu_counter */
	double value;
};

/* Of a minute, with all that can be sampled of eight GPUs. */
#define RCAP_NVML_RING_SAMPLES 131072u

struct rcap_nvml_ring {
	uint64_t magic;         /* RCAP_NVML_RING_MAGIC; another version of ours has another */
	_Atomic uint32_t users; /* processes whose capture is on; one that is killed stays */
	_Atomic uint32_t bell;  /* rung when `users` or `asked` has changed */
	_Atomic uint32_t asked; /* all that can be had now is to be put here: a number that grows */
	_Atomic uint32_t served;
	_Atomic uint32_t notes;   /* lines for the log: why something can't be had */
	_Atomic uint64_t written; /* samples, from the beginning; the next one's place is modulo */
	char note[RCAP_NVML_RING_NOTES][RCAP_NVML_NOTE_BYTES];
	char uuid[RCAP_NVML_MAX_DEVICES][RCAP_NVML_UUID_BYTES]; /* before its first sample */
	struct rcap_nvml_ring_sample samples[RCAP_NVML_RING_SAMPLES];
};

/*
 * Makes it. @directory: the launcher's.
 *
 * Return: NULL: it can't be made, errno tells why.
 */
struct rcap_nvml_ring *rcap_nvml_ring_make(const char *directory);
void rcap_nvml_ring_remove(struct rcap_nvml_ring *ring, const char *directory);

/* Finds that of the launcher. Return: NULL: there is none. It stays until the process' end.
 * Context: the drain. */
struct rcap_nvml_ring *rcap_nvml_ring_open(const char *directory);

/* One thread puts samples and notes there. */
void rcap_nvml_ring_put(struct rcap_nvml_ring *ring, const struct rcap_nvml_ring_sample *sample);
void rcap_nvml_ring_note(struct rcap_nvml_ring *ring, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Wakes who waits for the bell. */
void rcap_nvml_ring_ring(struct rcap_nvml_ring *ring);

#endif
