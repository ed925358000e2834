/* SPDX-License-Identifier: MIT */
/* Computes the work of attention: scaled dot products of queries, keys and values, forward and
 * backward. */
#include "analyzer/figures/throughput/op-work-impl.h"

/* Input numbers. Query, key and value are consecutive inputs; -1: there is no such input. */
struct attention {
	const char *name;
	signed char query;
	signed char causal;
	signed char window;  /* window to the left; the next input is the window to the right; -1:
	                        there are no windows */
	signed char lengths; /* lengths of sequences packed one after another: then the work is not
	                        known */
	bool is_heads_first; /* tensors are [batch, heads, length, size]; else the length is the
	                        second size */
	bool is_backward;
};

static const struct attention attentions[] = {
	{ "aten::scaled_dot_product_attention", 0, 5, -1, -1, true, false },
	{ "aten::_scaled_dot_product_flash_attention", 0, 4, -1, -1, true, false },
	{ "aten::_scaled_dot_product_efficient_attention", 0, 6, -1, -1, true, false },
	{ "aten::_scaled_dot_product_cudnn_attention", 0, 6, -1, -1, true, false },
	{ "aten::_flash_attention_forward", 0, 8, 11, 3, false, false },
	{ "flash_attn::_flash_attn_forward", 0, 5, 6, -1, false, false },
	{ "aten::_scaled_dot_product_flash_attention_backward", 1, 11, -1, -1, true, true },
	{ "aten::_scaled_dot_product_efficient_attention_backward", 1, 11, -1, -1, true, true },
	{ "aten::_scaled_dot_product_cudnn_attention_backward", 1, 14, -1, -1, true, true },
	{ "aten::_flash_attention_backward", 1, 11, 15, 6, false, true },
	{ "flash_attn::_flash_attn_backward", 1, 11, 12, -1, false, true },
};

/* True if a window is given that excludes some keys. */
static bool has_window(const struct ra_op_args *args, signed char index)
{
	struct rlog_string text;

	for (signed char i = index; index >= 0 && i < index + 2; i++) {
		if (ra_dims_find_element(args->concrete, (size_t) i, &text) && text.length > 2 &&
		    ra_dims_read_number(text) >= 0) {
			return true;
		}
	}
	return false;
}

bool ra_op_work_attention(const struct ra_op_args *args, struct ra_op_work *work)
{
	const struct attention *of = attentions;
	const struct attention *end = attentions + sizeof(attentions) / sizeof(attentions[0]);
	struct ra_op_tensor t[3];
	struct ra_op_tensor lengths;
	double pairs;
	double size; /* type of the output, or of its gradient */
	bool is_causal;

	while (of < end && !ra_op_work_is_name(args, of->name)) {
		of++;
	}
	for (size_t i = 0; i < 3; i++) {
		if (of == end || !ra_op_work_tensor(args, (size_t) of->query + i, &t[i]) ||
		    t[i].dims.count != 4) {
			return false;
		}
	}
	is_causal = ra_op_work_is(args, (size_t) of->causal, "True");
	if ((!is_causal && !ra_op_work_is(args, (size_t) of->causal, "False")) ||
	    has_window(args, of->window) ||
	    (of->lengths >= 0 && ra_op_work_tensor(args, (size_t) of->lengths, &lengths))) {
		return false;
	}
	/* Multiplies batch × heads of queries × their length × length of keys. The size of heads is
	 * axis 3. */
	pairs = t[0].dims.value[0] * t[0].dims.value[1] * t[0].dims.value[2] *
	        t[1].dims.value[of->is_heads_first ? 2 : 1];
	if (is_causal) {
		const size_t length = of->is_heads_first ? 2 : 1;

		if (t[0].dims.value[length] != t[1].dims.value[length]) {
			return false;
		}
		pairs /= 2;
	}
	work->type = t[0].type;
	work->flops = 2 * pairs *
	              (of->is_backward ? 3 * t[0].dims.value[3] + 2 * t[2].dims.value[3]
	                               : t[0].dims.value[3] + t[2].dims.value[3]);
	size = t[0].dims.value[3] > 0 ? t[0].elements / t[0].dims.value[3] * t[2].dims.value[3] : 0;
	work->bytes = t[0].size * ((of->is_backward ? 2 : 1) *
	                           (t[0].elements + t[1].elements + t[2].elements + size));
	return true;
}
