/* SPDX-License-Identifier: MIT */
/* Finds kinds and data types of kernels by tables of words in their names; the first rule that
 * matches is used. */
#include "analyzer/names/kernel-kinds.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/names/kernel-name.h"
#include "analyzer/names/tensor.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"

/* A rule matches if the name, in lower case, contains all its words. A first word with ^ must be at
 * the beginning of the name. */
struct rule {
	uint8_t value;
	const char *words; /* separated by &; a word with ! must not occur */
};

/*
 * The rules for kinds. Rules for kernels that do the work of several kinds come first.
 * TorchInductor's names list the operators that were fused. ATen's elementwise kernels have the
 * function that they apply in their template arguments.
 */
static const struct rule kind_rules[] = {
	{ RA_KERNEL_FUSED, "^triton_poi_" },
	{ RA_KERNEL_FUSED, "^triton_red_" },
	{ RA_KERNEL_FUSED, "^triton_per_" },
	{ RA_KERNEL_FUSED, "^triton_for_" },
	{ RA_KERNEL_FUSED, "^triton__" },
	{ RA_KERNEL_COMMUNICATION, "nccl" },
	{ RA_KERNEL_COMMUNICATION, "rccl&!rocclr" },
	{ RA_KERNEL_COMMUNICATION, "cross_device_reduce" },
	{ RA_KERNEL_COMMUNICATION, "allreduce" },
	{ RA_KERNEL_COMMUNICATION, "all_reduce" },
	{ RA_KERNEL_COMMUNICATION, "reducescatter" },
	{ RA_KERNEL_COMMUNICATION, "reduce_scatter" },
	{ RA_KERNEL_COMMUNICATION, "allgather" },
	{ RA_KERNEL_COMMUNICATION, "all_gather" },
	{ RA_KERNEL_COMMUNICATION, "alltoall" },
	{ RA_KERNEL_COMMUNICATION, "all_to_all" },
	{ RA_KERNEL_COMMUNICATION, "nvshmem" },
	{ RA_KERNEL_COMMUNICATION, "all-reduce" }, /* XLA's */
	{ RA_KERNEL_COMMUNICATION, "all-gather" },
	{ RA_KERNEL_COMMUNICATION, "reduce-scatter" },
	{ RA_KERNEL_COMMUNICATION, "all-to-all" },
	{ RA_KERNEL_COMMUNICATION, "collective-permute" },
	{ RA_KERNEL_COMMUNICATION, "^hcom_" }, /* Ascend's */
	{ RA_KERNEL_INDEX, "fbgemm_gpu::" },
	{ RA_KERNEL_LAYOUT, "nchwtonhwc" },
	{ RA_KERNEL_LAYOUT, "nhwctonchw" },
	{ RA_KERNEL_LAYOUT, "nchw2nhwc" },
	{ RA_KERNEL_LAYOUT, "nhwc2nchw" },
	{ RA_KERNEL_LAYOUT, "batched_transpose" },
	{ RA_KERNEL_LAYOUT, "scalepackedtensor" },
	{ RA_KERNEL_LAYOUT, "subtensoropwithscalar" },
	{ RA_KERNEL_LAYOUT, "tensortransformgeneric" },
	{ RA_KERNEL_INDEX, "index_elementwise_kernel" },
	{ RA_KERNEL_COPY, "elementwise_kernel&copy_kernel" },
	{ RA_KERNEL_COPY, "elementwise_kernel&copy_device" },
	{ RA_KERNEL_ELEMENTWISE, "elementwise_kernel" },
	{ RA_KERNEL_ELEMENTWISE, "kernel_elementwise" },
	{ RA_KERNEL_ELEMENTWISE, "rotary" },
	{ RA_KERNEL_REDUCTION, "at::native::reduce_kernel" },
	{ RA_KERNEL_REDUCTION, "cub::&devicereducekernel" },
	{ RA_KERNEL_REDUCTION, "cub::&devicereducesingle" },
	{ RA_KERNEL_OPTIMIZER, "multi_tensor_apply" },
	{ RA_KERNEL_COPY, "catarray" },
	{ RA_KERNEL_COPY, "reshape_and_cache" },
	{ RA_KERNEL_COPY, "rocclr_copybuffer" },
	{ RA_KERNEL_COPY, "rocclr_fillbuffer" },
	{ RA_KERNEL_ATTENTION, "flash" },
	{ RA_KERNEL_ATTENTION, "fmha" },
	{ RA_KERNEL_ATTENTION, "attention" },
	{ RA_KERNEL_ATTENTION, "attn" },
	{ RA_KERNEL_ATTENTION, "_sdpa_" },
	{ RA_KERNEL_NORMALIZATION, "bn_fw" },
	{ RA_KERNEL_NORMALIZATION, "bn_bw" },
	{ RA_KERNEL_NORMALIZATION, "batchnorm" },
	{ RA_KERNEL_NORMALIZATION, "batch_norm" },
	{ RA_KERNEL_NORMALIZATION, "layernorm" },
	{ RA_KERNEL_NORMALIZATION, "layer_norm" },
	{ RA_KERNEL_NORMALIZATION, "groupnorm" },
	{ RA_KERNEL_NORMALIZATION, "group_norm" },
	{ RA_KERNEL_NORMALIZATION, "rmsnorm" },
	{ RA_KERNEL_NORMALIZATION, "rms_norm" },
	{ RA_KERNEL_NORMALIZATION, "gammabeta" },
	{ RA_KERNEL_NORMALIZATION, "rowwisemoments" },
	{ RA_KERNEL_CONVOLUTION, "implicit_convolve" },
	{ RA_KERNEL_CONVOLUTION, "explicit_convolve" },
	{ RA_KERNEL_CONVOLUTION, "implicit_gemm" },
	{ RA_KERNEL_CONVOLUTION, "implicitgemm" },
	{ RA_KERNEL_CONVOLUTION, "winograd" },
	{ RA_KERNEL_CONVOLUTION, "fprop" },
	{ RA_KERNEL_CONVOLUTION, "dgrad" },
	{ RA_KERNEL_CONVOLUTION, "wgrad&!nvjet" },
	{ RA_KERNEL_CONVOLUTION, "scudnn" },
	{ RA_KERNEL_CONVOLUTION, "cudnn&engine&!norm" },
	{ RA_KERNEL_CONVOLUTION, "cudnn&fft" },
	{ RA_KERNEL_CONVOLUTION, "cudnn&computeoffsets" },
	{ RA_KERNEL_CONVOLUTION, "cudnn&offsetskernel" },
	{ RA_KERNEL_CONVOLUTION, "igemm" },
	{ RA_KERNEL_CONVOLUTION, "convolution" },
	{ RA_KERNEL_CONVOLUTION, "convolve" },
	{ RA_KERNEL_CONVOLUTION, "conv_depthwise" },
	{ RA_KERNEL_CONVOLUTION, "depthwise_conv" },
	{ RA_KERNEL_CONVOLUTION, "grouped_conv" },
	{ RA_KERNEL_CONVOLUTION, "naive_conv" },
	{ RA_KERNEL_CONVOLUTION, "conv1d" },
	{ RA_KERNEL_CONVOLUTION, "conv2d" },
	{ RA_KERNEL_CONVOLUTION, "conv3d" },
	{ RA_KERNEL_CONVOLUTION, "miopen&conv" },
	{ RA_KERNEL_CONVOLUTION, "gcnasmconv" },
	{ RA_KERNEL_CONVOLUTION, "sp3asm" },
	{ RA_KERNEL_CONVOLUTION, "im2col" },
	{ RA_KERNEL_CONVOLUTION, "col2im" },
	{ RA_KERNEL_GEMM, "cijk_" },
	{ RA_KERNEL_GEMM, "nvjet" },
	{ RA_KERNEL_GEMM, "gemm" },
	{ RA_KERNEL_GEMM, "gemv" },
	{ RA_KERNEL_GEMM, "xmma" },
	{ RA_KERNEL_GEMM, "matmul" },
	{ RA_KERNEL_GEMM, "triton_tem_&mm_" },
	{ RA_KERNEL_GEMM, "^triton_mm" },
	{ RA_KERNEL_GEMM, "fused_moe_kernel" },
	{ RA_KERNEL_GEMM, "wvsplitk" },
	{ RA_KERNEL_GEMM, "llmm1" },
	{ RA_KERNEL_GEMM, "marlin" },
	{ RA_KERNEL_GEMM, "machete" },
	{ RA_KERNEL_GEMM, "splitkreduce" },
	{ RA_KERNEL_GEMM, "splitk" },
	{ RA_KERNEL_GEMM, "cublas" },
	{ RA_KERNEL_GEMM, "cutlass" },
	{ RA_KERNEL_NORMALIZATION, "norm_kernel" },
	{ RA_KERNEL_NORMALIZATION, "normkernel" },
	{ RA_KERNEL_NORMALIZATION, "norm_fwd" },
	{ RA_KERNEL_NORMALIZATION, "norm_bwd" },
	{ RA_KERNEL_SOFTMAX, "softmax" },
	{ RA_KERNEL_SOFTMAX, "cross_entropy" },
	{ RA_KERNEL_INDEX, "pooled_emb" },
	{ RA_KERNEL_POOLING, "pool" },
	{ RA_KERNEL_INDEX, "embedding" },
	{ RA_KERNEL_INDEX, "index" },
	{ RA_KERNEL_INDEX, "gather" },
	{ RA_KERNEL_INDEX, "scatter" },
	{ RA_KERNEL_INDEX, "bucketize" },
	{ RA_KERNEL_INDEX, "radix" },
	{ RA_KERNEL_INDEX, "sort" },
	{ RA_KERNEL_INDEX, "scan" },
	{ RA_KERNEL_INDEX, "topk" },
	{ RA_KERNEL_COPY, "copy" },
	{ RA_KERNEL_COPY, "transpose" },
	{ RA_KERNEL_OPTIMIZER, "adam" },
	{ RA_KERNEL_OPTIMIZER, "sgd" },
	{ RA_KERNEL_REDUCTION, "reduce" },
	{ RA_KERNEL_REDUCTION, "reduction" },
	{ RA_KERNEL_ELEMENTWISE, "elementwise" },
	{ RA_KERNEL_ELEMENTWISE, "element_wise" },
	{ RA_KERNEL_ELEMENTWISE, "act_and_mul" },
	{ RA_KERNEL_ELEMENTWISE, "activation" },
	{ RA_KERNEL_ELEMENTWISE, "dropout" },
	{ RA_KERNEL_ELEMENTWISE, "gelu" },
	{ RA_KERNEL_ELEMENTWISE, "silu" },
};

/*
 * In names with both types, the input's type comes before the output's (bf16bf16_bf16f32). But the
 * narrow type may come after a wide one (f32f32_tf32f32), so narrow types are tried first. An s in
 * s1688, s16816 and s884 means that the sum is FP32: m16n8k8 takes TF32 unless the name says f16 or
 * bf16.
 */
static const struct rule type_rules[] = {
	{ RA_KERNEL_BF16, "bf16xbf16" }, /* Triton's: output x left x right; it computes in the left
	                                    type */
	{ RA_KERNEL_FP16, "fp16xfp16" },   { RA_KERNEL_FP4, "mxfp4" },
	{ RA_KERNEL_FP4, "nvfp4" },        { RA_KERNEL_FP4, "e2m1" },
	{ RA_KERNEL_FP8, "e4m3" },         { RA_KERNEL_FP8, "e5m2" },
	{ RA_KERNEL_FP8, "float8" },       { RA_KERNEL_FP8, "fp8&!fp8kvcache" },
	{ RA_KERNEL_FP8, "f8f8" },         { RA_KERNEL_TF32, "cijk_&_s_mx_b" },
	{ RA_KERNEL_TF32, "cijk_&xf32" },  { RA_KERNEL_FP8, "cijk_&_f8" },
	{ RA_KERNEL_FP8, "cijk_&_b8" },    { RA_KERNEL_INT8, "cijk_&_i8" },
	{ RA_KERNEL_FP64, "cijk_&_db_" },  { RA_KERNEL_FP64, "cijk_&_d_b_" },
	{ RA_KERNEL_FP32, "cijk_&_s_b_" }, { RA_KERNEL_FP32, "cijk_&_sb_" },
	{ RA_KERNEL_FP32, "cijk_&_ss_" },  { RA_KERNEL_BF16, "cijk_&_bbs_" },
	{ RA_KERNEL_BF16, "cijk_&_bss_" }, { RA_KERNEL_BF16, "cijk_&_bb_" },
	{ RA_KERNEL_FP16, "cijk_&_hhs_" }, { RA_KERNEL_FP16, "cijk_&_hss_" },
	{ RA_KERNEL_FP16, "cijk_&_hh_" },  { RA_KERNEL_FP16, "cijk_&_hb_" },
	{ RA_KERNEL_BF16, "nvjet&_t" },    { RA_KERNEL_FP16, "nvjet&_hsh" },
	{ RA_KERNEL_FP16, "nvjet&_hss" },  { RA_KERNEL_FP16, "nvjet&_hhh" },
	{ RA_KERNEL_FP8, "nvjet&_q" },     { RA_KERNEL_TF32, "nvjet&_sss" },
	{ RA_KERNEL_BF16, "bf16" },        { RA_KERNEL_BF16, "bfloat" },
	{ RA_KERNEL_BF16, "bhalf" },       { RA_KERNEL_FP16, "fp16" },
	{ RA_KERNEL_FP16, "f16" },         { RA_KERNEL_FP16, "half" },
	{ RA_KERNEL_FP16, "float16" },     { RA_KERNEL_FP16, "hgemm" },
	{ RA_KERNEL_FP16, "h884" },        { RA_KERNEL_FP16, "h1688" },
	{ RA_KERNEL_FP16, "s884" },        { RA_KERNEL_TF32, "tf32" },
	{ RA_KERNEL_TF32, "s1688" },       { RA_KERNEL_FP16, "16816" },
	{ RA_KERNEL_INT8, "i8816" },       { RA_KERNEL_INT8, "i16832" },
	{ RA_KERNEL_INT8, "i8i8" },        { RA_KERNEL_INT8, "s8s8" },
	{ RA_KERNEL_INT8, "imma" },        { RA_KERNEL_INT8, "int8_t&!nccl" },
	{ RA_KERNEL_FP64, "dgemm" },       { RA_KERNEL_FP64, "d884" },
	{ RA_KERNEL_FP64, "f64f64" },      { RA_KERNEL_FP64, "<double" },
	{ RA_KERNEL_FP64, ", double" },    { RA_KERNEL_FP32, "sgemm" },
	{ RA_KERNEL_FP32, "sgemv" },       { RA_KERNEL_FP32, "scudnn" },
	{ RA_KERNEL_FP32, "f32f32" },      { RA_KERNEL_FP32, "fp32" },
	{ RA_KERNEL_FP32, "<float" },      { RA_KERNEL_FP32, ", float" },
};

/* Unit 1 is AMD's: Tensile writes the tile of the matrix instruction into the name, or MI1x1 if
 * there is no such instruction. Unit 2 is NVIDIA's. */
static const struct rule unit_rules[] = {
	{ 1, "cijk_&_mi16x16" },
	{ 1, "cijk_&_mi32x32" },
	{ 1, "cijk_&_mi4x4" },
	{ 1, "mfma" },
	{ 1, "xdl" },
	{ 1, "igemm&gtcx" },
	{ 2, "xmma&!f32f32_f32f32" }, /* NVIDIA's xmma kernels, except kernels in FP32 */
	{ 2, "d884" },
};

#define RULES(table) (table), sizeof(table) / sizeof((table)[0])

static bool holds_word(const struct ra_util_string_pairs *name, const char *word, size_t length)
{
	if (word[0] == '^') {
		return name->text.length >= length - 1 &&
		       memcmp(name->text.bytes, word + 1, length - 1) == 0;
	}
	if (word[0] == '!') {
		return !ra_util_string_pairs_has(name, word + 1, length - 1);
	}
	return ra_util_string_pairs_has(name, word, length);
}

static bool holds(const struct ra_util_string_pairs *name, const char *words)
{
	while (*words != '\0') {
		const size_t length = (size_t) (strchrnul(words, '&') - words);

		if (!holds_word(name, words, length)) {
			return false;
		}
		words += length;
		words += *words == '&';
	}
	return true;
}

static const struct rule *find_rule(const struct ra_util_string_pairs *name,
                                    const struct rule *rules, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (holds(name, rules[i].words)) {
			return &rules[i];
		}
	}
	return NULL;
}

/* The number after the last "align": 8 in "…_tn_align8"; 0 if there is no number. */
static uint16_t find_alignment(struct rlog_string name)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i + 5 < name.length; i++) {
		uint32_t value = 0;

		if (memcmp(name.bytes + i, "align", 5) != 0) {
			continue;
		}
		for (uint32_t j = i + 5; j < name.length && j < i + 8; j++) {
			if (!isdigit((unsigned char) name.bytes[j])) {
				break;
			}
			value = value * 10 + (uint32_t) (name.bytes[j] - '0');
		}
		found = value > 0 ? value : found;
	}
	return (uint16_t) found;
}

/* At most this much of a name is read, because some names have very long template arguments. */
#define LONGEST 2048

struct ra_kernel_class ra_kernel_kinds_classify(struct rlog_string name)
{
	struct ra_kernel_class found = { 0 };
	char lower[LONGEST];
	struct rlog_string text = { lower, name.length < LONGEST ? name.length : LONGEST, 0 };
	struct ra_util_string_pairs pairs;
	const struct rule *rule;

	for (uint32_t i = 0; i < text.length; i++) {
		lower[i] = (char) tolower((unsigned char) name.bytes[i]);
	}
	ra_util_string_pairs_init(&pairs, text);
	rule = find_rule(&pairs, RULES(kind_rules));
	if (rule != NULL) {
		found.kind = rule->value;
		found.kind_rule = rule->words;
	}
	rule = find_rule(&pairs, RULES(type_rules));
	if (rule != NULL) {
		found.type = rule->value;
		found.type_rule = rule->words;
	}
	found.alignment = find_alignment(text);
	found.is_simt = ra_util_string_pairs_has(&pairs, "simt", 4);
	rule = find_rule(&pairs, RULES(unit_rules));
	if (rule != NULL) {
		found.matrix_unit = rule->value == 1 ? "MFMA" : "tensor cores";
	} else {
		/* case matters here: TensorOptions is not TensorOp */
		ra_util_string_pairs_init(&pairs, name);
		found.matrix_unit = ra_tensor_is_any_kernel(&pairs) ? "tensor cores" : NULL;
	}
	return found;
}

const char *ra_kernel_kinds_name(uint8_t kind)
{
	static const char *const names[RA_KERNEL_KINDS] = {
		[RA_KERNEL_OTHER] = "other",
		[RA_KERNEL_GEMM] = "GEMM",
		[RA_KERNEL_CONVOLUTION] = "convolution",
		[RA_KERNEL_ATTENTION] = "attention",
		[RA_KERNEL_NORMALIZATION] = "normalization",
		[RA_KERNEL_SOFTMAX] = "softmax",
		[RA_KERNEL_ELEMENTWISE] = "elementwise",
		[RA_KERNEL_FUSED] = "fused",
		[RA_KERNEL_REDUCTION] = "reduction",
		[RA_KERNEL_POOLING] = "pooling",
		[RA_KERNEL_COPY] = "copy",
		[RA_KERNEL_LAYOUT] = "layout",
		[RA_KERNEL_INDEX] = "index",
		[RA_KERNEL_OPTIMIZER] = "optimizer",
		[RA_KERNEL_COMMUNICATION] = "communication",
	};

	return kind < RA_KERNEL_KINDS ? names[kind] : "unknown";
}

const char *ra_kernel_kinds_type(uint8_t type)
{
	static const char *const names[RA_KERNEL_TYPES] = {
		[RA_KERNEL_TYPE_UNKNOWN] = "unknown",
		[RA_KERNEL_FP64] = "FP64",
		[RA_KERNEL_FP32] = "FP32",
		[RA_KERNEL_TF32] = "TF32",
		[RA_KERNEL_FP16] = "FP16",
		[RA_KERNEL_BF16] = "BF16",
		[RA_KERNEL_FP8] = "FP8",
		[RA_KERNEL_FP4] = "FP4",
		[RA_KERNEL_INT8] = "INT8",
	};

	return type < RA_KERNEL_TYPES ? names[type] : "unknown";
}

bool ra_kernel_kinds_is_matrix(uint8_t kind)
{
	return kind == RA_KERNEL_GEMM || kind == RA_KERNEL_CONVOLUTION ||
	       kind == RA_KERNEL_ATTENTION;
}

/* True for kernels that compute addresses for a product or add up its parts, and for products with
 * vectors, which are limited by memory. Libraries have no such kernels that use matrix units, in
 * any type. */
static bool is_beside_units(const char *rule)
{
	static const char *const rules[] = { "cudnn&computeoffsets", "cudnn&offsetskernel",
		                             "splitkreduce", "gemv" };

	for (size_t i = 0; rule != NULL && i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (strcmp(rule, rules[i]) == 0) {
			return true;
		}
	}
	return false;
}

enum ra_kernel_unit ra_kernel_kinds_unit(const struct ra_kernel_class *kernel)
{
	if (kernel->matrix_unit != NULL) {
		return strcmp(kernel->matrix_unit, "MFMA") == 0 ? RA_KERNEL_UNIT_MFMA
		                                                : RA_KERNEL_UNIT_TENSOR;
	}
	if (kernel->kind_rule != NULL && strcmp(kernel->kind_rule, "^triton__") == 0) {
		return RA_KERNEL_UNIT_UNKNOWN; /* the name does not list its operators */
	}
	if (!ra_kernel_kinds_is_matrix(kernel->kind) || is_beside_units(kernel->kind_rule)) {
		return RA_KERNEL_UNIT_OTHER;
	}
	return kernel->is_simt || kernel->type == RA_KERNEL_FP32 ? RA_KERNEL_UNIT_NONE
	                                                         : RA_KERNEL_UNIT_UNKNOWN;
}

void ra_kernel_kinds_find(struct ra_kernel_kinds *kinds, const struct ra_model *model,
                          uint32_t name, struct ra_kernel_class *out)
{
	const uint32_t place = ra_util_map_find(&kinds->index, name);
	struct ra_util_text full = { 0 };

	if (place < kinds->count) {
		*out = kinds->rows[place];
		return;
	}
	ra_kernel_name_put(&full, ra_model_string(model, name), RA_KERNEL_FULL);
	ra_util_grow(&kinds->rows, &kinds->capacity, kinds->count + 1, sizeof(*kinds->rows));
	ra_util_map_put(&kinds->index, name, (uint32_t) kinds->count);
	*out = ra_kernel_kinds_classify(
		(struct rlog_string){ full.bytes, (uint32_t) full.length, (uint32_t) full.length });
	kinds->rows[kinds->count++] = *out;
	ra_util_text_free(&full);
}

void ra_kernel_kinds_fini(struct ra_kernel_kinds *kinds)
{
	free(kinds->rows);
	ra_util_map_free(&kinds->index);
	*kinds = (struct ra_kernel_kinds){ 0 };
}
