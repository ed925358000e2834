/* SPDX-License-Identifier: MIT */
/* Peak rates of devices: floating point operations by type, and bytes of their memory. */
#ifndef RA_PEAKS_H
#define RA_PEAKS_H

#include "analyzer/figures/throughput/op-work.h"
#include "analyzer/model/gpu/gpu.h"

/*
 * Peak operations per second, of dense matrices (doc/metrics.md, section 23).
 *
 * @name: the maker's name of the device. Return: 0 if it is not known.
 */
double ra_peaks_flops(const struct ra_gpu_device *device, struct rlog_string name,
                      enum ra_kernel_type type);

/* Bytes per second between the device and its memory. Return: 0 if it is not known. */
double ra_peaks_bytes(const struct ra_gpu_device *device, struct rlog_string name);

#endif
