/* SPDX-License-Identifier: MIT */
/* In the launcher: the thread that asks NVML while programs record. */
#ifndef RCAP_NVML_SERVE_H
#define RCAP_NVML_SERVE_H

#include <stdint.h>

/*
 * Creates the ring and starts the thread. The thread sleeps until a program records, and then loads
 * NVML.
 *
 * @directory: the launcher's directory; borrowed until the end. @metrics: a list like
 * RANGES_GPU_METRICS; with "" this does nothing. @every_ns: RANGES_GPU_EVERY.
 * Return: 0; an errno value if nothing will be sampled.
 */
int rcap_nvml_serve_begin(const char *directory, const char *metrics, uint64_t every_ns);

/* Ends sampling. Call this when no program records any more. Waits until the thread has left NVML,
 * but at most a second, because NVML may hang. */
void rcap_nvml_serve_end(void);

#endif
