/* SPDX-License-Identifier: MIT */
/* --compat=tb: reads the events of a trace as the TensorBoard plugin does. */
#include "analyzer/compat/tb/events.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/names/op-kinds.h"
#include "analyzer/names/tensor.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/util.h"

unsigned ra_tb_events_find_traits(const struct ra_tb_events *events, uint32_t name)
{
	const struct rlog_string text = ra_kineto_string(events->kineto, name);
	const struct {
		bool is_so;
		enum ra_tb_trait trait;
	} found[] = {
		{ true, RA_TB_TRAIT_KNOWN },
		{ ra_util_string_has_prefix(text, "ProfilerStep#"), RA_TB_TRAIT_STEP },
		{ ra_op_kinds_is_loader(text), RA_TB_TRAIT_LOADER },
		{ ra_op_kinds_is_nccl(text), RA_TB_TRAIT_NCCL },
		{ ra_op_kinds_is_gloo(text), RA_TB_TRAIT_GLOO },
		{ ra_util_string_has_prefix(text, "Optimizer."), RA_TB_TRAIT_OPTIMIZER },
		{ ra_util_string_has_prefix(text, "Optimizer.step"), RA_TB_TRAIT_OPTIMIZER_STEP },
		{ ra_util_string_is(text, "DataParallel.forward"), RA_TB_TRAIT_DP },
		{ ra_util_string_is(text, "DistributedDataParallel.forward"), RA_TB_TRAIT_DDP },
		{ ra_tensor_is_kernel(text), RA_TB_TRAIT_TENSOR_KERNEL },
		{ ra_tensor_is_operator(text), RA_TB_TRAIT_TENSOR_OPERATOR },
		{ ra_util_string_has_prefix(text, "autograd::engine::evaluate_function:"),
		  RA_TB_TRAIT_FUNCTION },
	};
	unsigned traits = 0;

	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
		traits |= found[i].is_so ? (unsigned) found[i].trait : 0;
	}
	events->traits[name] = (uint16_t) traits;
	return traits;
}

static enum ra_tb_type find_type(struct rlog_string category)
{
	static const struct {
		const char *name;
		enum ra_tb_type type;
	} types[] = {
		{ "trace", RA_TB_TRACE },
		{ "cpu_op", RA_TB_OPERATOR },
		{ "operator", RA_TB_OPERATOR },
		{ "runtime", RA_TB_RUNTIME },
		{ "cuda_runtime", RA_TB_RUNTIME },
		{ "mtia_runtime", RA_TB_RUNTIME },
		{ "glow_runtime", RA_TB_RUNTIME },
		{ "xpu_runtime", RA_TB_RUNTIME },
		{ "privateuse1_runtime", RA_TB_RUNTIME },
		{ "kernel", RA_TB_KERNEL },
		{ "memcpy", RA_TB_MEMCPY },
		{ "gpu_memcpy", RA_TB_MEMCPY },
		{ "memset", RA_TB_MEMSET },
		{ "gpu_memset", RA_TB_MEMSET },
		{ "python", RA_TB_PYTHON },
		{ "python_function", RA_TB_PYTHON_FUNCTION },
		{ "user_annotation", RA_TB_ANNOTATION },
		{ "gpu_user_annotation", RA_TB_ANNOTATION },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (category.length == strlen(types[i].name) &&
		    strncasecmp(category.bytes, types[i].name, category.length) == 0) {
			return types[i].type;
		}
	}
	return RA_TB_NONE;
}

/* Finds the type of an event, from the type of its category. */
static enum ra_tb_type refine_type(const struct ra_tb_events *events, uint32_t row,
                                   enum ra_tb_type type)
{
	const struct ra_kineto *kineto = events->kineto;
	struct ra_kineto_value value;

	switch (type) {
	case RA_TB_OPERATOR:
	case RA_TB_ANNOTATION:
		/* The plugin treats projections on the GPU as separate steps. So they are steps
		 * here for traces of PyTorch, but not for ours, in which each step would be listed
		 * twice. */
		return (ra_tb_events_traits(events, kineto->name[row]) & RA_TB_TRAIT_STEP) != 0 &&
		                       !(kineto->is_ours &&
		                         kineto->kind[row] == RA_KINETO_GPU_USER_ANNOTATION)
		               ? RA_TB_STEP
		               : type;
	case RA_TB_PYTHON_FUNCTION:
		return ra_kineto_get(kineto, row, RA_KINETO_ARG_PYTHON_MODULE_ID, &value) &&
		                       value.type != RA_KINETO_NULL
		               ? RA_TB_MODULE
		               : type;
	default:
		return type;
	}
}

/* Leaves out events at which the plugin would stop with an error (no times, no name). @types: one
 * for each category. */
static enum ra_tb_type classify(const struct ra_kineto *kineto, const uint8_t *types, uint32_t row)
{
	const unsigned need = RA_KINETO_HAS_TS | RA_KINETO_HAS_DUR | RA_KINETO_HAS_NAME;

	if (kineto->kind[row] == RA_KINETO_MEMORY) {
		return ra_kineto_get_phase(kineto, row) == 'i' &&
		                       (kineto->flags[row] & RA_KINETO_HAS_TS) != 0
		               ? RA_TB_MEMORY
		               : RA_TB_NONE;
	}
	if (ra_kineto_get_phase(kineto, row) != 'X' || (kineto->flags[row] & need) != need) {
		return RA_TB_NONE;
	}
	return (enum ra_tb_type) types[ra_kineto_get_category(kineto, row)];
}

/* Finds the type of each category's events, before their names and args are looked at. */
static uint8_t *find_types(const struct ra_kineto *kineto)
{
	uint8_t *types = ra_alloc_zeros(kineto->category_count + 1, 1);

	for (size_t i = 1; i < kineto->category_count; i++) {
		types[i] =
			(uint8_t) find_type(ra_kineto_string(kineto, kineto->categories[i].name));
	}
	return types;
}

/* Lists the events with their types, sorted by ts as a double, then by row. */
static void list_events(struct ra_tb_events *events, const uint8_t *types,
                        struct ra_util_sort_entry **list)
{
	const struct ra_kineto *kineto = events->kineto;
	size_t count = 0;

	for (uint32_t row = 0; row < kineto->count; row++) {
		count += classify(kineto, types, row) != RA_TB_NONE;
	}
	ra_util_resize(list, count + 1, sizeof(**list));
	for (uint32_t row = 0; row < kineto->count; row++) {
		const enum ra_tb_type type = classify(kineto, types, row);

		if (type != RA_TB_NONE) {
			(*list)[events->count++] = (struct ra_util_sort_entry){
				.key = ra_util_sort_real(ra_kineto_us(ra_kineto_ts(kineto, row))),
				.index = row,
				.tag = refine_type(events, row, type),
			};
		}
	}
	ra_util_sort(list, count);
}

void ra_tb_events_init(struct ra_tb_events *events, const struct ra_kineto *kineto)
{
	struct ra_util_sort_entry *list = NULL;
	uint8_t *types = find_types(kineto);

	*events = (struct ra_tb_events){ .kineto = kineto };
	events->traits = ra_alloc_zeros(kineto->string_count + 1, sizeof(*events->traits));
	list_events(events, types, &list);
	free(types);
	ra_util_resize(&events->rows, events->count + 1, sizeof(*events->rows));
	ra_util_resize(&events->types, events->count + 1, 1);
	for (size_t i = 0; i < events->count; i++) {
		events->rows[i] = list[i].index;
		events->types[i] = (uint8_t) list[i].tag;
		events->type_count[list[i].tag]++;
	}
	free(list);
}

void ra_tb_events_fini(struct ra_tb_events *events)
{
	free(events->rows);
	free(events->types);
	free(events->traits);
	*events = (struct ra_tb_events){ 0 };
}
