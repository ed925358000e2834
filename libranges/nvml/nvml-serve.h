/* SPDX-License-Identifier: MIT */
/* In the launcher: the thread that asks NVML while programs record. */
#ifndef RCAP_NVML_SERVE_H
#define RCAP_NVML_SERVE_H

#include <stdint.h>

/*
 * Creates the ring and starts the thread, which sleeps until somebody records; then it loads NVML.
 *
 * @directory: the launcher's; borrowed until the end. @metrics: a list, as RANGES_GPU_METRICS; "":
 * does nothing. @every_ns: RANGES_GPU_EVERY.
 * Return: 0, or an errno: nothing is sampled.
 */
int rcap_nvml_serve_begin(const char *directory, const char *metrics, uint64_t every_ns);

/* Call when no program records any more. Waits until the thread has left NVML, a second at most: it
 * may hang. */
void rcap_nvml_serve_end(void);

#endif
