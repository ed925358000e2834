/* SPDX-License-Identifier: MIT */
/* Looks up the definitions of a log by kind, parent and id. If a definition is repeated, the last
 * one is taken. */
#include "analyzer/model/defs.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"

static int compare_keys(const struct rlog_def *a, const struct rlog_def *b)
{
	int order = RA_ORDER_UP(a, b, kind);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, parent));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, id));
}

/* Repeated definitions stay in the order of the log, which is the order of their addresses. */
static int compare_defs(const void *left, const void *right)
{
	const struct rlog_def *a = *(const struct rlog_def *const *) left;
	const struct rlog_def *b = *(const struct rlog_def *const *) right;
	const int order = compare_keys(a, b);

	return RA_ORDER_THEN(order, RA_ORDER(a, b));
}

void ra_defs_init(struct ra_defs *defs, const struct rlog_reader *reader)
{
	size_t count = 0;
	const struct rlog_def *rows = rlog_reader_borrow_defs(reader, &count);

	*defs = (struct ra_defs){ .reader = reader };
	defs->strings = rlog_reader_borrow_strings(reader, &defs->string_count);
	defs->defs = ra_alloc_zeros(count + 1, sizeof(const struct rlog_def *));
	for (size_t i = 0; i < count; i++) {
		defs->defs[i] = &rows[i];
	}
	RA_SORT(defs->defs, count, compare_defs);
	for (size_t i = 0; i < count; i++) {
		if (defs->count > 0 &&
		    compare_keys(defs->defs[defs->count - 1], defs->defs[i]) == 0) {
			defs->count--;
		}
		defs->defs[defs->count++] = defs->defs[i];
	}
}

void ra_defs_fini(struct ra_defs *defs)
{
	free(defs->defs);
	defs->defs = NULL;
	defs->count = 0;
}

/* Index of the first definition that does not come before `wanted`. */
static size_t find_place(const struct ra_defs *defs, const struct rlog_def *wanted)
{
	struct ra_search at = ra_search_in(0, defs->count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, compare_keys(defs->defs[at.middle], wanted) < 0);
	}
	return at.low;
}

const struct rlog_def *ra_defs_find(const struct ra_defs *defs, uint32_t kind, uint64_t parent,
                                    uint64_t id)
{
	const struct rlog_def wanted = { .kind = kind, .parent = parent, .id = id };
	const size_t place = find_place(defs, &wanted);

	return place < defs->count && compare_keys(defs->defs[place], &wanted) == 0
	               ? defs->defs[place]
	               : NULL;
}

const struct rlog_def *const *ra_defs_find_kind(const struct ra_defs *defs, uint32_t kind,
                                                size_t *count)
{
	const struct rlog_def first = { .kind = kind };
	const size_t place = find_place(defs, &first);
	size_t end = place;

	while (end < defs->count && defs->defs[end]->kind == kind) {
		end++;
	}
	*count = end - place;
	return defs->defs + place;
}

struct rlog_string ra_defs_string(const struct ra_defs *defs, uint64_t id)
{
	static const struct rlog_string none = { NULL, 0, 0 };

	return id > 0 && id < defs->string_count ? defs->strings[id] : none;
}

struct rlog_string ra_defs_find_name(const struct ra_defs *defs, uint32_t kind, uint64_t parent,
                                     uint64_t id)
{
	const struct rlog_def *def = ra_defs_find(defs, kind, parent, id);

	return ra_defs_string(defs, def != NULL ? def->string : 0);
}

struct rlog_string ra_defs_detail(const struct ra_defs *defs, const struct rlog_def *def)
{
	return ra_defs_string(defs, def->value);
}
