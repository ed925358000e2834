/* SPDX-License-Identifier: MIT */
/* Finds what a kernel does, as far as its name tells: kind, data type, matrix units, alignment. */
#ifndef RA_KERNEL_KINDS_H
#define RA_KERNEL_KINDS_H

#include "analyzer/model/model.h"

enum ra_kernel_kind {
	RA_KERNEL_OTHER,
	RA_KERNEL_GEMM, /* matrix products, also with vectors and grouped */
	RA_KERNEL_CONVOLUTION,
	RA_KERNEL_ATTENTION, /* the whole attention in one kernel */
	RA_KERNEL_NORMALIZATION,
	RA_KERNEL_SOFTMAX,
	RA_KERNEL_ELEMENTWISE,
	RA_KERNEL_FUSED, /* elementwise operations and reductions that a compiler fused */
	RA_KERNEL_REDUCTION,
	RA_KERNEL_POOLING,
	RA_KERNEL_COPY,   /* copies by a kernel, casts, cat, transposes */
	RA_KERNEL_LAYOUT, /* NCHW to NHWC and back, and filling buffers for that */
	RA_KERNEL_INDEX,  /* embeddings, gather, scatter, sort, scan */
	RA_KERNEL_OPTIMIZER,
	RA_KERNEL_COMMUNICATION,
	RA_KERNEL_KINDS
};

/* For matrix kernels the type of the inputs; for others the first type in the name. */
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
	uint8_t kind;            /* enum ra_kernel_kind */
	uint8_t type;            /* enum ra_kernel_type */
	uint16_t alignment;      /* elements per access: 1 of "align1"; 0: the name has none */
	const char *kind_rule;   /* the words that matched; NULL: none */
	const char *type_rule;   /* the words that matched for the type; NULL: none */
	const char *matrix_unit; /* "tensor cores", "MFMA"; NULL: the name tells of none */
	bool is_simt;            /* the name tells that it computes without one */
};

/* @name: the full name, demangled. */
struct ra_kernel_class ra_kernel_kinds_classify(struct rlog_string name);

/* "GEMM", "convolution", … and "FP32", "BF16", …; "unknown". */
const char *ra_kernel_kinds_name(uint8_t kind);
const char *ra_kernel_kinds_type(uint8_t type);

/* True for matrix products, convolutions and attention, which matrix units are made for. */
bool ra_kernel_kinds_is_matrix(uint8_t kind);

/* The matrix unit that a kernel uses, as far as its name tells. */
enum ra_kernel_unit {
	RA_KERNEL_UNIT_OTHER, /* has no work for a matrix unit, or libraries have no such kernel for
	                         one: products with a vector */
	RA_KERNEL_UNIT_NONE,  /* computes without one: in FP32, or CUTLASS' simt */
	RA_KERNEL_UNIT_UNKNOWN, /* could use one; the name doesn't tell */
	RA_KERNEL_UNIT_TENSOR,
	RA_KERNEL_UNIT_MFMA,
};

enum ra_kernel_unit ra_kernel_kinds_unit(const struct ra_kernel_class *kernel);

/* Classes of a model's kernels; each name is classified once. Zero-initialise. */
struct ra_kernel_kinds {
	struct ra_kernel_class *rows; /* owned */
	size_t count;
	size_t capacity;
	uint32_t *places; /* owned; by string id: index into rows, plus 1; 0: none yet */
};

/* @name: string id of a kernel, as recorded. */
void ra_kernel_kinds_find(struct ra_kernel_kinds *kinds, const struct ra_model *model,
                          uint32_t name, struct ra_kernel_class *out);
void ra_kernel_kinds_fini(struct ra_kernel_kinds *kinds);

#endif
