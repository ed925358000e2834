/* SPDX-License-Identifier: MIT */
/* Tests which kinds, data types, matrix units and alignments are found in names of kernels. */
#include <string.h>

#include "analyzer/names/kernel-kinds.h"
#include "analyzer/names/tensor.h"
#include "tests/tap.h"

#define TC   "tensor cores"
#define MFMA "MFMA"

struct example {
	const char *name;
	enum ra_kernel_kind kind;
	enum ra_kernel_type type;
	const char *matrix_unit;
	int alignment;
};

static const struct example examples[] = {
	/* m16n8k8 with only an s means TF32; if a type is named, it means that type. */
	{ "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_256x64_16x4_tn_align1>(P)",
	  RA_KERNEL_GEMM, RA_KERNEL_TF32, TC, 1 },
	{ "void cutlass::Kernel2<cutlass_75_tensorop_bf16_s1688gemm_bf16_64x64_nn_align2>(P)",
	  RA_KERNEL_GEMM, RA_KERNEL_BF16, TC, 2 },
	{ "void cutlass::Kernel2<cutlass_80_tensorop_f16_s16816gemm_relu_f16_64x64_tn_align8>(P)",
	  RA_KERNEL_GEMM, RA_KERNEL_FP16, TC, 8 },
	{ "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x4_tn", RA_KERNEL_GEMM,
	  RA_KERNEL_FP16, TC, 0 },
	{ "volta_fp16_s884gemm_fp16_128x64_ldg8_f2f_nn", RA_KERNEL_GEMM, RA_KERNEL_FP16, TC, 0 },
	{ "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_cublas", RA_KERNEL_GEMM,
	  RA_KERNEL_BF16, TC, 0 },
	{ "sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize64x64x64_cublas", RA_KERNEL_GEMM,
	  RA_KERNEL_TF32, TC, 0 },
	{ "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_NNT", RA_KERNEL_GEMM, RA_KERNEL_BF16, TC, 0 },
	{ "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NNT", RA_KERNEL_GEMM, RA_KERNEL_FP16, TC, 0 },
	{ "volta_sgemm_64x64_nt", RA_KERNEL_GEMM, RA_KERNEL_FP32, NULL, 0 },
	{ "void gemv2T_kernel_val<int, int, float, float, float, float, 128>(cublasGemvParams)",
	  RA_KERNEL_GEMM, RA_KERNEL_FP32, NULL, 0 },
	{ "_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1_swiglu", RA_KERNEL_GEMM, RA_KERNEL_BF16,
	  NULL, 0 },
	/* Tensile: types in the third word, the matrix instruction in MI. */
	{ "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64_MI16x16x1_SN", RA_KERNEL_GEMM,
	  RA_KERNEL_BF16, MFMA, 0 },
	{ "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1_SE", RA_KERNEL_GEMM, RA_KERNEL_FP16, MFMA,
	  0 },
	{ "Cijk_Ailk_Bljk_SB_MT64x64x16_MI16x16x4x1_SE", RA_KERNEL_GEMM, RA_KERNEL_FP32, MFMA, 0 },
	{ "Cijk_Ailk_Bljk_SB_MT64x64x16_SE_K1", RA_KERNEL_GEMM, RA_KERNEL_FP32, NULL, 0 },
	{ "Cijk_Ailk_Bljk_S_MX_B_Bias_HA_MT64x64x16_MI16x16x1", RA_KERNEL_GEMM, RA_KERNEL_TF32,
	  MFMA, 0 },
	/* Convolutions. */
	{ "void cudnn::cnn::wgrad_alg0_engine<float, 128, 6, 7, 3, 3, 5, false, 512>(int)",
	  RA_KERNEL_CONVOLUTION, RA_KERNEL_FP32, NULL, 0 },
	{ "volta_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1", RA_KERNEL_CONVOLUTION,
	  RA_KERNEL_FP32, NULL, 0 },
	{ "sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw",
	  RA_KERNEL_CONVOLUTION, RA_KERNEL_TF32, TC, 0 },
	{ "igemm_fwd_gtcx3_nhwc_fp16_bx0_ex1_bt256x128x32", RA_KERNEL_CONVOLUTION, RA_KERNEL_FP16,
	  MFMA, 0 },
	{ "miopenSp3AsmConv_v30_3_1_gfx9_fp32_f2x3_stride1", RA_KERNEL_CONVOLUTION, RA_KERNEL_FP32,
	  NULL, 0 },
	{ "void cudnn::bn_bw_1C11_kernel_new<float, float, float2, 512, true, 1>(float)",
	  RA_KERNEL_NORMALIZATION, RA_KERNEL_FP32, NULL, 0 },
	{ "void cudnn::ops::nchwToNhwcKernel<__half, __half, float, false, true>(P)",
	  RA_KERNEL_LAYOUT, RA_KERNEL_FP16, NULL, 0 },
	/* Kernels with the whole attention, and other kernels whose names have the same words. */
	{ "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, cutlass::bfloat16_t>>",
	  RA_KERNEL_ATTENTION, RA_KERNEL_BF16, TC, 0 },
	{ "fmha_cutlassF_f32_aligned_64x64_rf_sm80(P)", RA_KERNEL_ATTENTION, RA_KERNEL_TYPE_UNKNOWN,
	  NULL, 0 },
	{ "void vllm::reshape_and_cache_flash_kernel<__hip_bfloat16, "
	  "(vllm::Fp8KVCacheDataType)0>()",
	  RA_KERNEL_COPY, RA_KERNEL_BF16, NULL, 0 },
	{ "triton_red_fused__log_softmax_mm_native_layer_norm_all_reduce_3", RA_KERNEL_FUSED,
	  RA_KERNEL_TYPE_UNKNOWN, NULL, 0 },
	/* The function that a kernel applies does not decide its kind. */
	{ "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>",
	  RA_KERNEL_ELEMENTWISE, RA_KERNEL_FP32, NULL, 0 },
	{ "void at::native::elementwise_kernel<128, 2, direct_copy_kernel_cuda(c10::Half)>(int)",
	  RA_KERNEL_COPY, RA_KERNEL_FP16, NULL, 0 },
	{ "void at::native::(anonymous namespace)::CatArrayBatchedCopy_aligned16_contig<long>(P)",
	  RA_KERNEL_COPY, RA_KERNEL_TYPE_UNKNOWN, NULL, 0 },
	{ "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, NormTwoOps>>(P)",
	  RA_KERNEL_REDUCTION, RA_KERNEL_FP32, NULL, 0 },
	{ "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true>(P)",
	  RA_KERNEL_SOFTMAX, RA_KERNEL_FP32, NULL, 0 },
	{ "void at::native::(anonymous namespace)::max_pool_forward_nchw<float, float>(int)",
	  RA_KERNEL_POOLING, RA_KERNEL_FP32, NULL, 0 },
	{ "void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float>>(int)",
	  RA_KERNEL_OPTIMIZER, RA_KERNEL_FP32, NULL, 0 },
	/* Kernels that are no product of matrices, although their library's name suggests one. */
	{ "void fbgemm_gpu::permute_2D_data_kernel<false, int, int>(int)", RA_KERNEL_INDEX,
	  RA_KERNEL_TYPE_UNKNOWN, NULL, 0 },
	{ "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)",
	  RA_KERNEL_COMMUNICATION, RA_KERNEL_TYPE_UNKNOWN, NULL, 0 },
	{ "__amd_rocclr_copyBuffer", RA_KERNEL_COPY, RA_KERNEL_TYPE_UNKNOWN, NULL, 0 },
	{ "saxpy(float*, float*, int)", RA_KERNEL_OTHER, RA_KERNEL_FP32, NULL, 0 },
	{ "", RA_KERNEL_OTHER, RA_KERNEL_TYPE_UNKNOWN, NULL, 0 },
};

/* The kernels that count in shares of time with tensor cores. */
static const struct {
	const char *name;
	bool uses;
} tensors[] = {
	{ "sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x128x"
	  "16_stage4_warpsize2x2x1_g1_tensor16x8x8_execute_kernel_cudnn_infer",
	  true },
	{ "sm80_xmma_wgrad_implicit_gemm_indexed_f32f32_f32f32_f32_nhwckrsc_nhwc_tilesize64x64x8",
	  false },
	{ "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x64x8_stage3_warpsize1x4x1_ffma_aligna4_"
	  "alignc4_execute_kernel__5x_cublas",
	  false },
	{ "sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize64x64x64_cublas", true },
	{ "_ZN19cutlass_cudnn_train6KernelINS_4conv6kernel23ImplicitGemmConvolutionINS4_4warp11Mma"
	  "TensorOpINS5_",
	  true },
	{ "void cutlass::Kernel<cutlass_80_simt_sgemm_128x32_8x5_nn_align1>(P)", false },
	{ "cudnn_infer_ampere_scudnn_128x64_relu_xregs_large_nn_v1", false },
	{ "volta_sgemm_64x64_nt", false },
	{ "volta_fp16_s884cudnn_fp16_128x128_ldg8_relu_exp_small_nhwc_tn_v1", true },
	{ "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128>>(P)", true },
	{ "void flash::flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<128>>(P)", false },
	{ "void f(at::TensorOptions, at::native::TensorOpList)", false },
	{ "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1_SE", false },
};

static void test_tensors(void)
{
	for (size_t i = 0; i < sizeof(tensors) / sizeof(tensors[0]); i++) {
		const uint32_t length = (uint32_t) strlen(tensors[i].name);
		const struct rlog_string name = { tensors[i].name, length, length };
		const struct ra_kernel_class kernel = ra_kernel_kinds_classify(name);

		tap_ok((ra_kernel_kinds_unit(&kernel) == RA_KERNEL_UNIT_TENSOR) == tensors[i].uses,
		       "tensor cores %s time of \"%s\"", tensors[i].uses ? "have the" : "have no",
		       tensors[i].name);
	}
}

static void test_units(void)
{
	static const struct {
		const char *name;
		enum ra_kernel_unit unit;
	} units[] = {
		{ "ampere_sgemm_128x64_nn", RA_KERNEL_UNIT_NONE },
		{ "void a::gemm<simt>(half)", RA_KERNEL_UNIT_NONE },
		{ "triton__0d1d2d", RA_KERNEL_UNIT_UNKNOWN },
		{ "triton_poi_fused_relu_0", RA_KERNEL_UNIT_OTHER },
		{ "triton_tem_fused_mm_1", RA_KERNEL_UNIT_UNKNOWN },
		{ "void gemv2T_kernel_val<int, int, float>(float)", RA_KERNEL_UNIT_OTHER },
		{ "void splitKreduce_kernel<float, float>(cublasSplitKParams<float>)",
		  RA_KERNEL_UNIT_OTHER },
		{ "void cask_cudnn::computeOffsetsKernel<false>(P)", RA_KERNEL_UNIT_OTHER },
		{ "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1_SE", RA_KERNEL_UNIT_MFMA },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const uint32_t length = (uint32_t) strlen(units[i].name);
		const struct rlog_string name = { units[i].name, length, length };
		const struct ra_kernel_class kernel = ra_kernel_kinds_classify(name);

		tap_ok(ra_kernel_kinds_unit(&kernel) == units[i].unit,
		       "the matrix unit of \"%s\" is number %d", units[i].name,
		       (int) units[i].unit);
	}
}

static void test_operators(void)
{
	static const char *const names[] = { "aten::convolution_backward", "aten::mm",
		                             "aten::relu" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const uint32_t length = (uint32_t) strlen(names[i]);
		const struct rlog_string name = { names[i], length, length };

		tap_ok(ra_tensor_is_any_operator(name) == (i < 2) &&
		               ra_tensor_is_operator(name) == (i == 1),
		       "%s, and what the plugin's list has", names[i]);
	}
}

int main(void)
{
	test_tensors();
	test_units();
	test_operators();
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		const struct example *example = &examples[i];
		const uint32_t length = (uint32_t) strlen(example->name);
		const struct ra_kernel_class got = ra_kernel_kinds_classify(
			(struct rlog_string){ example->name, length, length });

		tap_is_text(ra_kernel_kinds_name(got.kind), ra_kernel_kinds_name(example->kind),
		            "the kind of \"%s\" by \"%s\"", example->name,
		            got.kind_rule ? got.kind_rule : "");
		tap_is_text(ra_kernel_kinds_type(got.type), ra_kernel_kinds_type(example->type),
		            "its data type by \"%s\"", got.type_rule ? got.type_rule : "");
		tap_is_text(got.matrix_unit, example->matrix_unit, "its matrix units");
		tap_is_int(got.alignment, example->alignment, "its alignment");
	}
	tap_ok(ra_kernel_kinds_is_matrix(RA_KERNEL_GEMM) &&
	               !ra_kernel_kinds_is_matrix(RA_KERNEL_SOFTMAX),
	       "products of matrices are for matrix units, softmax is not");
	return tap_done();
}
