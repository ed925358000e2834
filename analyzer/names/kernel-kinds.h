/* SPDX-License-Identifier: MIT */
/* Finds out what a kernel does, as far as its name tells: kind, data type, matrix unit,
 * alignment. */
#ifndef RA_KERNEL_KINDS_H
#define RA_KERNEL_KINDS_H

#include "analyzer/model/model.h"
#include "analyzer/base/util-map.h"

enum ra_kernel_kind {
	RA_KERNEL_OTHER,
	RA_KERNEL_GEMM, /* matrix products, also grouped or with vectors */
	RA_KERNEL_CONVOLUTION,
	RA_KERNEL_ATTENTION, /* the whole attention in one kernel */
	RA_KERNEL_NORMALIZATION,
	RA_KERNEL_SOFTMAX,
	RA_KERNEL_ELEMENTWISE,
	RA_KERNEL_FUSED, /* elementwise operations and reductions that a compiler fused */
	RA_KERNEL_REDUCTION,
	RA_KERNEL_POOLING,
	RA_KERNEL_COPY,   /* copies made by a kernel, casts, cat, transposes */
	RA_KERNEL_LAYOUT, /* from NCHW to NHWC and back, and filling buffers for that */
	RA_KERNEL_INDEX,  /* embeddings, gather, scatter, sort, scan */
	RA_KERNEL_OPTIMIZER,
	RA_KERNEL_COMMUNICATION,
	RA_KERNEL_KINDS
};

/* The type of values. For matrix kernels that of the inputs; for other kernels the first type in
 * the name. */
enum ra_kernel_type {
	RA_KERNEL_TYPE_UNKNOWN,
	RA_KERNEL_FP64,
	RA_KERNEL_FP32,
	RA_KERNEL_TF32,
	RA_KERNEL_FP16,
	RA_KERNEL_BF16,
	RA_KERNEL_FP8,
	RA_KERNEL_FP4,
	RA_KERNEL_INT8,
	RA_KERNEL_TYPES
};

struct ra_kernel_class {
	uint8_t kind; /* enum ra_kernel_kind */
	uint8_t type; /* enum ra_kernel_type */
	/* elements per access, such as 1 for "align1"; 0: the name does not tell */
	uint16_t alignment;
	const char *kind_rule; /* the words of the rule that matched for the kind; NULL: none */
	const char *type_rule; /* the words of the rule that matched for the type; NULL: none */
	/* such as "tensor cores", "MFMA"; NULL: the name tells of no unit */
	const char *matrix_unit;
	bool is_simt; /* the name tells that it computes without a matrix unit */
};

/* @name: the full name, demangled. */
struct ra_kernel_class ra_kernel_kinds_classify(struct rlog_string name);

/* The name of a kind: "GEMM", "convolution", …; of a type: "FP32", "BF16", …; or "unknown". */
const char *ra_kernel_kinds_name(uint8_t kind);
const char *ra_kernel_kinds_type(uint8_t type);

/* True for matrix products, convolutions and attention, for which matrix units are made. */
bool ra_kernel_kinds_is_matrix(uint8_t kind);

/* The matrix unit that a kernel uses, as far as its name tells. */
enum ra_kernel_unit {
	RA_KERNEL_UNIT_OTHER, /* has no work for a matrix unit, or is a product with a vector, for
	                         which libraries have no kernel that uses a unit */
	RA_KERNEL_UNIT_NONE, /* computes without a unit: in FP32, or one of CUTLASS' simt kernels */
	RA_KERNEL_UNIT_UNKNOWN, /* could use a unit; the name doesn't tell whether it does */
	RA_KERNEL_UNIT_TENSOR,
	RA_KERNEL_UNIT_MFMA,
};

enum ra_kernel_unit ra_kernel_kinds_unit(const struct ra_kernel_class *kernel);

/* The classes of a model's kernels; each name is classified once. Zero-initialise. */
struct ra_kernel_kinds {
	struct ra_kernel_class *rows; /* owned */
	size_t count;
	size_t capacity;
	struct ra_util_map index; /* string id → index into rows */
};

/* Finds the class of a kernel. @name: string id of the kernel's name, as recorded. */
void ra_kernel_kinds_find(struct ra_kernel_kinds *kinds, const struct ra_model *model,
                          uint32_t name, struct ra_kernel_class *out);
void ra_kernel_kinds_fini(struct ra_kernel_kinds *kinds);

#endif
