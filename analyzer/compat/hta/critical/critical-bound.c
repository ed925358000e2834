/* SPDX-License-Identifier: MIT */
/* Finds what bounds each edge of HTA's critical path, and HTA's name for that. */
#include "analyzer/compat/hta/critical/critical-bound.h"

#include <string.h>

const char *const ra_hta_critical_bound_names[RA_HTA_BOUNDS] = {
	[RA_HTA_BOUND_NONE] = "none",
	[RA_HTA_BOUND_CPU] = "cpu_bound",
	[RA_HTA_BOUND_LOADING] = "data_loading",
	[RA_HTA_BOUND_COMMUNICATION] = "gpu_communication_bound",
	[RA_HTA_BOUND_COMPUTE] = "gpu_compute_bound",
	[RA_HTA_BOUND_KERNEL_OVERHEAD] = "gpu_kernel_kernel_overhead",
	[RA_HTA_BOUND_LAUNCH_OVERHEAD] = "gpu_kernel_launch_overhead",
};

const char *const ra_hta_critical_bound_types[RA_CRITICAL_TYPES] = {
	[RA_CRITICAL_WORK] = "critical_path_operator",
	[RA_CRITICAL_DEPENDENCY] = "critical_path_dependency",
	[RA_CRITICAL_LAUNCH] = "critical_path_kernel_launch_delay",
	[RA_CRITICAL_KERNEL] = "critical_path_kernel_kernel_delay",
	[RA_CRITICAL_SYNC] = "critical_path_sync_dependency",
};

static struct rlog_string make_string(const char *bytes, size_t length)
{
	return (struct rlog_string){ bytes, (uint32_t) length, (uint32_t) length };
}

/* Removes the text from the innermost of these brackets on. */
static void close(struct ra_util_text *text, char bracket)
{
	while (text->length > 0 && text->bytes[text->length - 1] != bracket) {
		text->length--;
	}
	text->length -= text->length > 0;
}

/* Drops the arguments of functions and templates, and everything before the last blank. */
static void shorten(struct ra_util_text *text, struct rlog_string name)
{
	const char *blank;

	ra_util_text_clear(text);
	if (ra_hta_names_find_kind(name) == RA_HTA_MEMORY ||
	    (memchr(name.bytes, '<', name.length) == NULL &&
	     memchr(name.bytes, '(', name.length) == NULL)) {
		ra_util_text_put(text, name.bytes, name.length);
		return;
	}
	for (size_t i = 0; i < name.length; i++) {
		if (name.bytes[i] == '-' && i + 1 < name.length && name.bytes[i + 1] == '>') {
			i++;
		} else if (name.bytes[i] == '>' || name.bytes[i] == ')') {
			close(text, name.bytes[i] == '>' ? '<' : '(');
		} else {
			ra_util_text_put_char(text, name.bytes[i]);
		}
	}
	blank = text->length == 0 ? NULL : memrchr(text->bytes, ' ', text->length);
	if (blank != NULL) {
		const size_t begin = (size_t) (blank + 1 - text->bytes);

		memmove(text->bytes, blank + 1, text->length - begin);
		text->length -= begin;
	}
}

enum ra_hta_bound ra_hta_critical_bound_find(const struct ra_hta_full *rank,
                                             const struct ra_hta_critical_setup *setup,
                                             const struct ra_critical_edge *edge,
                                             struct ra_util_text *name)
{
	const struct ra_hta_row *row = NULL;
	struct rlog_string text;

	ra_util_text_clear(name);
	if (edge->type != RA_CRITICAL_LAUNCH && edge->owner != RA_NONE) {
		row = &rank->rows[edge->owner];
		shorten(name, ra_hta_full_name(rank, row));
	}
	if (edge->type == RA_CRITICAL_KERNEL) {
		return RA_HTA_BOUND_KERNEL_OVERHEAD;
	}
	if (edge->type == RA_CRITICAL_LAUNCH) {
		return RA_HTA_BOUND_LAUNCH_OVERHEAD;
	}
	if (edge->type != RA_CRITICAL_WORK || row == NULL) {
		return RA_HTA_BOUND_NONE;
	}
	text = make_string(name->bytes, name->length);
	if (row->stream >= 0) {
		return ra_hta_names_find_kind(text) == RA_HTA_COMMUNICATION
		               ? RA_HTA_BOUND_COMMUNICATION
		               : RA_HTA_BOUND_COMPUTE;
	}
	return setup->loading != NULL && memmem(text.bytes, text.length, setup->loading,
	                                        strlen(setup->loading)) != NULL
	               ? RA_HTA_BOUND_LOADING
	               : RA_HTA_BOUND_CPU;
}
