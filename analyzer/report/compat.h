/* SPDX-License-Identifier: MIT */
/* Lists whose figures a report can give: our own, or those of another tool, including its
 * faults. */
#ifndef RA_COMPAT_H
#define RA_COMPAT_H

/* Another tool's figures are computed in the way of that tool: in doubles, in its order of
 * summation and in its unit (columns end in _us), from the rows of model->kineto. Our own figures
 * are integer ns. */
enum ra_compat {
	RA_COMPAT_NONE,
	RA_COMPAT_TB,        /* PyTorch's TensorBoard plugin, kineto 041e7ce99f15 */
	RA_COMPAT_HTA,       /* HolisticTraceAnalysis 0.6.1 */
	RA_COMPAT_TORCH,     /* torch.profiler of torch 2.5 and later */
	RA_COMPAT_TORCH_OLD, /* torch.profiler of torch 1.13 to 2.4 */
};

/* The word of each mode for --compat, "none" first; ends with NULL. */
extern const char *const ra_compat_words[];

/* The bit of a mode in struct ra_report's `compat`. */
#define RA_COMPAT_BIT(mode) (1u << (mode))

#endif
