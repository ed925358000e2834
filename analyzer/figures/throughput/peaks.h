/* SPDX-License-Identifier: MIT */
/* Knows the peak rates of devices: floating point operations by type, and bytes of their memory. */
#ifndef RA_PEAKS_H
#define RA_PEAKS_H

#include "analyzer/figures/throughput/op-work.h"
#include "analyzer/model/gpu/gpu.h"

/*
 * Returns the peak of operations per second, with dense matrices (doc/metrics.md, section 23); 0 if
 * it is not known.
 *
 * @name: the device's name by its maker.
 */
double ra_peaks_flops(const struct ra_gpu_device *device, struct rlog_string name,
                      enum ra_kernel_type type);

/* Returns the peak of bytes per second between the device and its memory; 0 if it is not known. */
double ra_peaks_bytes(const struct ra_gpu_device *device, struct rlog_string name);

#endif
