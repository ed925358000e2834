/* SPDX-License-Identifier: MIT */
/* Guesses by name which kernels use tensor cores, and which operators could use them, as HTA's
 * plugin does. */
#include "analyzer/names/tensor.h"

#include <stddef.h>
#include <string.h>

static bool contains_any(const struct ra_util_string_pairs *text, const char *const *words)
{
	for (; *words != NULL; words++) {
		if (ra_util_string_pairs_has(text, *words, strlen(*words))) {
			return true;
		}
	}
	return false;
}

static bool is_kernel(const struct ra_util_string_pairs *name)
{
	static const char *const words[] = { "h884",
		                             "s884",
		                             "h1688",
		                             "s1688",
		                             "hmma",
		                             "i8816",
		                             "16816",
		                             "dgrad_1x1_stride_2x2",
		                             "first_layer_wgrad_kernel",
		                             "conv1x1",
		                             "conv2d_c1_k1",
		                             "direct_group",
		                             "xmma_implicit_gemm",
		                             "xmma_sparse_conv",
		                             "xmma_warp_specialized_implicit_gemm",
		                             "xmma_gemm",
		                             "xmma_sparse_gemm",
		                             "c1688",
		                             NULL };

	return contains_any(name, words);
}

bool ra_tensor_is_kernel(struct rlog_string name)
{
	struct ra_util_string_pairs pairs;

	ra_util_string_pairs_init(&pairs, name);
	return is_kernel(&pairs);
}

bool ra_tensor_is_any_kernel(const struct ra_util_string_pairs *name)
{
	/* First words from the names that libraries use, then from CUTLASS' templates, which cuDNN
	 * uses as well, then from FlashAttention's names. */
	static const char *const words[] = { "tensorop",
		                             "wmma",
		                             "wgmma",
		                             "nvjet",
		                             "cutlass3x",
		                             "tcgen05",
		                             "imma",
		                             "dmma",
		                             "qmma",
		                             "MmaTensorOp",
		                             "OpClassTensorOp",
		                             "TensorOpMultiplicand",
		                             "flash_fwd_kernel",
		                             "flash_fwd_splitkv_kernel",
		                             "flash_bwd",
		                             "FlashAttnFwd",
		                             "FlashAttnBwd",
		                             NULL };

	/* Some of cuBLAS' and cuDNN's xmma kernels compute in FP32, by fused multiply-adds: seen on
	 * an H200 without TF32. */
	static const char *const plain[] = { "f32f32_f32f32_f32", "_ffma_", NULL };

	return (is_kernel(name) || contains_any(name, words)) && !contains_any(name, plain);
}

static bool is_one_of(struct rlog_string name, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (ra_util_string_is(name, words[i])) {
			return true;
		}
	}
	return false;
}

bool ra_tensor_is_operator(struct rlog_string name)
{
	static const char *const words[] = {
		"aten::_convolution",
		"aten::_convolution_nogroup",
		"aten::conv1d",
		"aten::conv2d",
		"aten::conv3d",
		"aten::conv_tbc",
		"aten::conv_transpose1d",
		"aten::conv_transpose2d",
		"aten::conv_transpose3d",
		"aten::convolution",
		"aten::cudnn_convolution",
		"aten::cudnn_convolution_transpose",
		"aten::prelu",
		"aten::addmm",
		"aten::addmv",
		"aten::addr",
		"aten::matmul",
		"aten::mm",
		"aten::mv",
		"aten::linear",
		"aten::addbmm",
		"aten::baddbmm",
		"aten::bmm",
		"aten::chain_matmul",
		"aten::linalg_multi_dot",
		"aten::_thnn_fused_lstm_cell",
		"aten::_thnn_fused_gru_cell",
		"aten::lstm_cell",
		"aten::gru_cell",
		"aten::rnn_tanh_cell",
		"aten::rnn_relu_cell",
		"CudnnConvolutionBackward",
		"BmmBackward0",
		"aten::cudnn_convolution_transpose_backward",
		"CudnnConvolutionTransposeBackward",
		"MmBackward",
		"aten::cudnn_convolution_backward_weight",
		"aten::addmm_",
		"AddmvBackward",
		"MvBackward",
		"aten::cudnn_convolution_transpose_backward_weight",
		"aten::cudnn_convolution_transpose_backward_input",
		"AddmmBackward",
		"aten::cudnn_convolution_backward_input",
		"AddbmmBackward",
		"aten::cudnn_convolution_backward",
	};

	return is_one_of(name, words, sizeof(words) / sizeof(words[0]));
}

bool ra_tensor_is_any_operator(struct rlog_string name)
{
	static const char *const words[] = {
		"aten::convolution_backward",
		"ConvolutionBackward0",
		"MmBackward0",
		"AddmmBackward0",
		"AddbmmBackward0",
		"BaddbmmBackward0",
		"aten::linear_backward",
		"aten::einsum",
		"aten::_addmm_activation",
		"aten::_scaled_mm",
		"aten::_int_mm",
		"aten::_grouped_mm",
		"aten::_cudnn_rnn",
		"aten::_cudnn_rnn_backward",
		"aten::scaled_dot_product_attention",
		"aten::_scaled_dot_product_flash_attention",
		"aten::_scaled_dot_product_flash_attention_backward",
		"aten::_scaled_dot_product_efficient_attention",
		"aten::_scaled_dot_product_efficient_attention_backward",
		"aten::_scaled_dot_product_cudnn_attention",
		"aten::_scaled_dot_product_cudnn_attention_backward",
		"aten::_flash_attention_forward",
		"aten::_flash_attention_backward",
		"aten::_efficient_attention_forward",
		"aten::_efficient_attention_backward",
	};

	return ra_tensor_is_operator(name) ||
	       is_one_of(name, words, sizeof(words) / sizeof(words[0]));
}
