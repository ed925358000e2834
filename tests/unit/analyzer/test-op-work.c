/* SPDX-License-Identifier: MIT */
/* Tests the models of operators' work, and the peaks of devices: compares them with figures
 * computed by hand. */
#include <stdio.h>
#include <string.h>

#include "analyzer/figures/throughput/op-work.h"
#include "analyzer/figures/throughput/peaks.h"
#include "tests/tap.h"

static struct rlog_string make(const char *text)
{
	const struct rlog_string string = { text, (uint32_t) strlen(text),
		                            (uint32_t) strlen(text) };

	return string;
}

static const struct {
	const char *name;
	const char *dims;
	const char *types;
	const char *strides;
	const char *concrete;
	double flops;
	double bytes;
	enum ra_kernel_type type;
} cases[] = {
	/* M 2, K 3, N 5: 2 × 30, and 10 for what is added; bytes: 6 + 15 + 5 + 10 elements. */
	{ "aten::mm", "[[2,3],[3,5]]", "[\"float\",\"float\"]", "", "", 60, 124, RA_KERNEL_FP32 },
	{ "aten::addmm", "[[5],[2,3],[3,5],[],[]]",
	  "[\"c10::Half\",\"c10::Half\",\"c10::Half\",\"Scalar\",\"Scalar\"]", "",
	  "[\"\",\"\",\"\",\"1\",\"1\"]", 70, 72, RA_KERNEL_FP16 },
	{ "aten::addmm", "[[5],[2,3],[3,5],[],[]]",
	  "[\"c10::Half\",\"c10::Half\",\"c10::Half\",\"Scalar\",\"Scalar\"]", "",
	  "[\"\",\"\",\"\",\"0\",\"1\"]", 60, 62, RA_KERNEL_FP16 },
	{ "aten::bmm", "[[7, 2, 3], [7, 3, 5]]", "", "", "", 420, 0, RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::linear", "[[7,2,3],[5,3],[5]]", "[\"double\",\"double\",\"double\"]", "",
	  "[\"\",\"\",\"\"]", 490, 8 * (42 + 15 + 5 + 70), RA_KERNEL_FP64 },
	{ "aten::matmul", "[[7,2,3],[3,5]]", "", "", "", 420, 0, RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::mv", "[[2,3],[3]]", "", "", "", 12, 0, RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::mm", "[[2,3],[4,5]]", "", "", "", 0, 0, RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::mm", "[[2,3]", "", "", "", 0, 0, RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::mm", "[[-2,3],[3,5]]", "", "", "", 0, 0, RA_KERNEL_TYPE_UNKNOWN },
	/* The same rows again and again are read once. */
	{ "aten::mm", "[[2,3],[3,5]]", "[\"float\",\"float\"]", "[[0,1],[5,1]]", "", 60,
	  4 * (3 + 15 + 10), RA_KERNEL_FP32 },
	/* 8 × 8 with 3 × 3, padding 1, stride 2: 4 × 4 of 4 channels, each 2 × 27 operations. */
	{ "aten::convolution", "[[1,3,8,8],[4,3,3,3],[4],[],[],[],[],[],[]]",
	  "[\"float\",\"float\",\"float\"]", "",
	  "[\"\",\"\",\"\",\"[2, 2]\",\"[1, 1]\",\"[1, 1]\",\"False\",\"[0, 0]\",\"1\"]",
	  64 * 54 + 64, 4 * (192 + 108 + 64 + 4), RA_KERNEL_FP32 },
	{ "aten::cudnn_convolution", "[[1,3,8,8],[4,3,3,3],[],[],[],[]]", "[\"float\",\"float\"]",
	  "", "[\"\",\"\",\"[1]\",\"[2]\",\"[1]\",\"1\"]", 64 * 54, 4 * (192 + 108 + 64),
	  RA_KERNEL_FP32 },
	{ "aten::convolution_backward", "[[1,4,4,4],[1,3,8,8],[4,3,3,3],[],[],[],[],[],[],[],[]]",
	  "[\"float\",\"float\",\"float\"]", "",
	  "[\"\",\"\",\"\",\"[4]\",\"[2, 2]\",\"[1, 1]\",\"[1, 1]\",\"False\",\"[0, "
	  "0]\",\"1\",\"[True, True, "
	  "True]\"]",
	  2 * 64 * 54 + 64, 2 * 4 * (192 + 108 + 64), RA_KERNEL_FP32 },
	{ "aten::convolution_backward", "[[1,4,4,4],[1,3,8,8],[4,3,3,3],[],[],[],[],[],[],[],[]]",
	  "[\"float\",\"float\",\"float\"]", "",
	  "[\"\",\"\",\"\",\"[0]\",\"[2, 2]\",\"[1, 1]\",\"[1, 1]\",\"False\",\"[0, "
	  "0]\",\"1\",\"[False, True, "
	  "False]\"]",
	  64 * 54, 4 * (192 + 108 + 64), RA_KERNEL_FP32 },
	/* Transposed: 4 × 4 becomes (4 - 1) × 2 - 2 + 3 + 1 = 8 × 8 of 3 channels. */
	{ "aten::conv_transpose2d", "[[1,4,4,4],[4,3,3,3],[],[],[],[],[],[]]",
	  "[\"float\",\"float\"]", "",
	  "[\"\",\"\",\"\",\"[2, 2]\",\"[1, 1]\",\"[1, 1]\",\"1\",\"[1, 1]\"]", 64 * 54,
	  4 * (64 + 108 + 192), RA_KERNEL_FP32 },
	{ "aten::conv2d", "[[1,3,8,8],[4,3,3,3],[],[],[],[],[]]", "", "",
	  "[\"\",\"\",\"\",\"[0]\",\"[1]\",\"[1]\",\"1\"]", 0, 0, RA_KERNEL_TYPE_UNKNOWN },
	/* 2 × 3 heads, 8 queries, 8 keys, size 4: 2 × 384 × (4 + 4). */
	{ "aten::_scaled_dot_product_flash_attention",
	  "[[2,3,8,4],[2,3,8,4],[2,3,8,4],[],[],[],[]]",
	  "[\"c10::BFloat16\",\"c10::BFloat16\",\"c10::BFloat16\"]", "",
	  "[\"\",\"\",\"\",\"0.\",\"False\",\"False\",\"\"]", 6144, 2 * 4 * 192, RA_KERNEL_BF16 },
	{ "aten::_scaled_dot_product_flash_attention",
	  "[[2,3,8,4],[2,3,8,4],[2,3,8,4],[],[],[],[]]", "", "",
	  "[\"\",\"\",\"\",\"0.\",\"True\",\"False\",\"\"]", 3072, 0, RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::_scaled_dot_product_flash_attention",
	  "[[2,3,8,4],[2,3,9,4],[2,3,9,4],[],[],[],[]]", "", "",
	  "[\"\",\"\",\"\",\"0.\",\"True\",\"False\",\"\"]", 0, 0, RA_KERNEL_TYPE_UNKNOWN },
	{ "flash_attn::_flash_attn_forward", "[[2,8,3,4],[2,8,1,4],[2,8,1,4],[],[],[],[],[]]", "",
	  "", "[\"\",\"\",\"\",\"0.\",\"0.5\",\"False\",\"-1\",\"-1\"]", 6144, 0,
	  RA_KERNEL_TYPE_UNKNOWN },
	{ "flash_attn::_flash_attn_forward", "[[2,8,3,4],[2,8,1,4],[2,8,1,4],[],[],[],[],[]]", "",
	  "", "[\"\",\"\",\"\",\"0.\",\"0.5\",\"False\",\"4\",\"0\"]", 0, 0,
	  RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::_scaled_dot_product_flash_attention_backward",
	  "[[2,3,8,4],[2,3,8,4],[2,3,8,4],[2,3,8,4],[2,3,8,4],[2,3,8]]", "", "",
	  "[\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"8\",\"8\",\"0.\",\"False\"]", 15360, 0,
	  RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::add", "[[4,5],[5],[]]", "[\"float\",\"float\",\"Scalar\"]", "", "", 0,
	  4 * (20 + 5 + 20), RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::add_", "[[4,5],[4,5],[]]", "[\"c10::Half\",\"float\",\"Scalar\"]", "", "", 0,
	  2 * 20 + 4 * 20 + 2 * 20, RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::copy_", "[[4,5],[5],[]]", "[\"c10::Half\",\"float\",\"Scalar\"]", "", "", 0,
	  2 * 20 + 4 * 5, RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::copy_", "[[4,5],[5],[]]",
	  "[\"c10::complex<c10::Half>\",\"long unsigned int\",\"Scalar\"]", "", "", 0,
	  4 * 20 + 8 * 5, RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::native_batch_norm", "[[2,9,4,4],[9],[9],[9],[9],[],[],[]]",
	  "[\"float\",\"float\",\"float\",\"float\",\"float\"]", "", "", 0, 4 * (288 + 36 + 288),
	  RA_KERNEL_TYPE_UNKNOWN },
	{ "aten::nonzero", "[[4,5]]", "[\"float\"]", "", "", 0, 0, RA_KERNEL_TYPE_UNKNOWN },
	{ "mm", "[[2,3],[3,5]]", "", "", "", 0, 0, RA_KERNEL_TYPE_UNKNOWN },
};

static const struct {
	const char *name;
	int32_t major;
	int32_t minor;
	int32_t multiprocessors;
	uint32_t clock_khz;
	enum ra_kernel_type type;
	double tera; /* as the makers print it */
} peaks[] = {
	{ "Tesla V100-SXM2-32GB", 7, 0, 80, 0, RA_KERNEL_FP16, 125 },
	{ "Tesla V100-SXM2-32GB", 7, 0, 80, 0, RA_KERNEL_FP32, 15.7 },
	{ "Tesla V100-SXM2-32GB", 7, 0, 80, 0, RA_KERNEL_BF16, 0 },
	{ "NVIDIA A100-SXM4-80GB", 8, 0, 108, 0, RA_KERNEL_BF16, 312 },
	{ "NVIDIA A100-SXM4-80GB", 8, 0, 108, 0, RA_KERNEL_TF32, 156 },
	{ "NVIDIA H100 80GB HBM3", 9, 0, 132, 1980000, RA_KERNEL_BF16, 989.4 },
	{ "NVIDIA H100 80GB HBM3", 9, 0, 132, 1980000, RA_KERNEL_FP32, 66.9 },
	{ "NVIDIA H100 PCIe", 9, 0, 114, 0, RA_KERNEL_FP16, 756 },
	{ "NVIDIA L40S", 8, 9, 142, 0, RA_KERNEL_FP16, 362 },
	{ "NVIDIA GeForce RTX 4090", 8, 9, 128, 0, RA_KERNEL_FP16, 165.2 },
	{ "NVIDIA GeForce RTX 3090", 8, 6, 82, 0, RA_KERNEL_TF32, 35.6 },
	{ "AMD Instinct MI300X", 9, 4, 304, 0, RA_KERNEL_BF16, 1307.4 },
	{ "AMD Instinct MI210", 9, 0, 104, 0, RA_KERNEL_FP16, 181 },
	{ "AMD Instinct MI999", 9, 0, 104, 1000000, RA_KERNEL_FP16, 0 },
	{ "some H100 of an unknown kind", 9, 0, 100, 1000000, RA_KERNEL_FP16, 409.6 },
	{ "some H100 of an unknown kind", 9, 0, 100, 0, RA_KERNEL_FP16, 0 },
	{ "NVIDIA L40", 8, 9, 142, 2000000, RA_KERNEL_FP16, 0 },
	{ "", 9, 4, 304, 0, RA_KERNEL_FP16, 0 },
};

static void test_models(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct ra_op_args args = {
			.name = make(cases[i].name),
			.dims = make(cases[i].dims),
			.types = make(cases[i].types),
			.strides = make(cases[i].strides),
			.concrete = make(cases[i].concrete),
		};
		struct ra_op_work work;
		const bool found = ra_op_work_find(&args, &work);

		tap_ok(found == (cases[i].flops > 0 || cases[i].bytes > 0) &&
		               work.flops == cases[i].flops && work.bytes == cases[i].bytes &&
		               (!found || work.type == cases[i].type),
		       "%s of %s: %.0f operations, %.0f bytes", cases[i].name, cases[i].dims,
		       work.flops, work.bytes);
	}
}

static void test_peaks(void)
{
	for (size_t i = 0; i < sizeof(peaks) / sizeof(peaks[0]); i++) {
		const struct ra_gpu_device device = {
			.clock_khz = peaks[i].clock_khz,
			.limits = { .cc_major = peaks[i].major,
			            .cc_minor = peaks[i].minor,
			            .multiprocessors = peaks[i].multiprocessors },
		};
		const double tera =
			ra_peaks_flops(&device, make(peaks[i].name), peaks[i].type) / 1e12;

		/* Makers round to three digits, and clocks to some MHz. */
		tap_ok(tera >= 0.992 * peaks[i].tera && tera <= 1.008 * peaks[i].tera,
		       "%s: %.1f T/s of %s", peaks[i].name, tera,
		       ra_kernel_kinds_type((uint8_t) peaks[i].type));
	}
}

int main(void)
{
	test_models();
	test_peaks();
	return tap_done();
}
