/* SPDX-License-Identifier: MIT */
/* Whose figures a report gives: ours, or those of another tool with its faults. */
#ifndef RA_COMPAT_H
#define RA_COMPAT_H

/* Another tool's figures are made the way it makes them: in doubles, in its order of summation
 * and in its unit (columns end in _us), from the rows of model->kineto. Our own are integer ns. */
enum ra_compat {
	RA_COMPAT_NONE,
	RA_COMPAT_TB,        /* PyTorch's TensorBoard plugin, kineto 041e7ce99f15 */
	RA_COMPAT_HTA,       /* HolisticTraceAnalysis 0.6.1 */
	RA_COMPAT_TORCH,     /* torch.profiler of torch 2.5 and later */
	RA_COMPAT_TORCH_OLD, /* of torch 1.13 to 2.4 */
};

/* The --compat word of each mode, "none" first; ends with NULL. */
extern const char *const ra_compat_words[];

/* The bit of a mode in struct ra_report's `compat`. */
#define RA_COMPAT_BIT(mode) (1u << (mode))

#endif
