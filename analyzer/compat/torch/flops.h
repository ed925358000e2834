/* SPDX-License-Identifier: MIT */
/* Computes an operator's floating point operations from its name and the sizes of its inputs. */
#ifndef RA_FLOPS_H
#define RA_FLOPS_H

#include "analyzer/rows/kineto.h"

/*
 * Returns the FLOPs that torch.profiler computes with with_flops=True, for aten::conv2d, mm, addmm,
 * bmm, baddbmm, add and mul. A convolution's stride, padding, dilation and groups are in the arg
 * "Concrete Inputs".
 *
 * Return: 0 for other operators, and if the trace lacks the sizes or arguments.
 */
double ra_flops_of_event(const struct ra_kineto *kineto, uint32_t event);

#endif
