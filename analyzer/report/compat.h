/* SPDX-License-Identifier: MIT */
/* Whose figures a report gives: ours, or another tool's with its faults. */
#ifndef RA_COMPAT_H
#define RA_COMPAT_H

/*
 * Figures of another tool are made as that tool makes them: in its doubles, its order of summation
 * and its unit (columns end in _us), from the rows of model->kineto. Our own are integer ns.
 */
enum ra_compat {
	RA_COMPAT_NONE,
	RA_COMPAT_TB,        /* PyTorch's TensorBoard plugin, kineto 041e7ce99f15 */
	RA_COMPAT_HTA,       /* HolisticTraceAnalysis 0.6.1 */
	RA_COMPAT_TORCH,     /* torch.profiler of torch 2.5 and later */
	RA_COMPAT_TORCH_OLD, /* of torch 1.13 to 2.4 */
};

/* The word --compat takes for each of them, "none" first; ends with NULL. */
extern const char *const ra_compat_words[];

/* A bit of struct ra_report's `compat`. */
#define RA_COMPAT_BIT(mode) (1u << (mode))

#endif
