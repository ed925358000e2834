/* SPDX-License-Identifier: MIT */
/*
 * Samples of GPUs in memory that the launcher shares with the programs that it records.
 *
 * The launcher reads NVML and writes the samples here, and the programs' drains read them. NVML is
 * not loaded into programs for this reason: if NVML starts in a program during its first cuInit(),
 * a later cuInit(), such as that of cuBLAS, never returns (seen on an H200 with driver 580, with
 * all of NVML's files in order).
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

/* Name of the file in the launcher's directory. It is hidden, so that it is not taken for a
 * spool. */
#define RCAP_NVML_RING_NAME ".gpu-metrics"

struct rcap_nvml_ring_sample {
	uint64_t mono_ns; /* CLOCK_MONOTONIC */
	uint32_t device;  /* NVML's number */
	uint32_t kind;    /* enum rlog_gpu_counter */
	double value;
};

/* Room for one minute of everything that can be sampled on eight GPUs. */
#define RCAP_NVML_RING_SAMPLES 131072u

struct rcap_nvml_ring {
	uint64_t magic;         /* RCAP_NVML_RING_MAGIC; another version has another value */
	_Atomic uint32_t users; /* number of processes whose capture is on, including killed ones */
	_Atomic uint32_t bell;  /* changes when `users` or `asked` changes */
	_Atomic uint32_t asked; /* number of requests to write all samples that NVML has now */
	_Atomic uint32_t served;
	_Atomic uint32_t notes; /* number of notes: lines for the log that say why something can't
	                         * be sampled */
	/* Number of samples so far. The next one's index in `samples` is this modulo
	 * RCAP_NVML_RING_SAMPLES. */
	_Atomic uint64_t written;
	char note[RCAP_NVML_RING_NOTES][RCAP_NVML_NOTE_BYTES];
	/* A device's UUID is set before the device's first sample. */
	char uuid[RCAP_NVML_MAX_DEVICES][RCAP_NVML_UUID_BYTES];
	struct rcap_nvml_ring_sample samples[RCAP_NVML_RING_SAMPLES];
};

/*
 * Creates the ring. @directory: the launcher's directory.
 *
 * Return: NULL and errno on failure.
 */
struct rcap_nvml_ring *rcap_nvml_ring_make(const char *directory);
void rcap_nvml_ring_remove(struct rcap_nvml_ring *ring, const char *directory);

/* Maps the launcher's ring, until the end of the process. Return: NULL if there is no ring.
 * Context: the drain. */
struct rcap_nvml_ring *rcap_nvml_ring_open(const char *directory);

/* These write samples and notes. Context: only one thread. */
void rcap_nvml_ring_put(struct rcap_nvml_ring *ring, const struct rcap_nvml_ring_sample *sample);
void rcap_nvml_ring_note(struct rcap_nvml_ring *ring, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Wakes the threads that wait for the bell. */
void rcap_nvml_ring_ring(struct rcap_nvml_ring *ring);

#endif
