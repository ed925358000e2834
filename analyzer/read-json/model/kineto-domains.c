/* SPDX-License-Identifier: MIT */
/* Finds the domains of ranges and marks in a Chrome trace. */
#include "analyzer/read-json/model/kineto-domains.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/base/util.h"

/* Domains have 16-bit indices, of which the last are reserved. Further domains share the last
 * index. */
#define MAX_DOMAINS 65520u

/* The kinds of events that may have the arg "domain". */
static bool has_arg(enum ra_kineto_kind kind)
{
	return kind == RA_KINETO_USER_ANNOTATION || kind == RA_KINETO_INSTANT ||
	       kind == RA_KINETO_ASYNC_BEGIN || kind == RA_KINETO_BEGIN;
}

static uint16_t add_domain(struct ra_model *model, size_t *capacity, uint32_t name)
{
	const size_t index = model->domain_count;

	if (index >= MAX_DOMAINS) {
		return MAX_DOMAINS - 1;
	}
	ra_util_grow(&model->domains, capacity, index + 1, sizeof(*model->domains));
	model->domains[model->domain_count++] = (struct ra_domain){ (uint32_t) index, name };
	return (uint16_t) index;
}

static void add_args(struct ra_kineto_domains *domains, struct ra_model *model, size_t *capacity)
{
	const struct ra_kineto *k = model->kineto;

	for (uint32_t i = 0; i < k->count; i++) {
		uint32_t name =
			has_arg(k->kind[i]) ? ra_kineto_get_text(k, i, RA_KINETO_ARG_DOMAIN) : 0;

		if (name != 0 && ra_util_map_find(&domains->of_arg, name) == RA_UTIL_MAP_NONE) {
			ra_util_map_put(&domains->of_arg, name, add_domain(model, capacity, name));
		}
	}
}

void ra_kineto_domains_init(struct ra_kineto_domains *domains, struct ra_model *model,
                            bool with_python)
{
	const struct ra_kineto *k = model->kineto;
	size_t capacity = 0;

	(void) add_domain(model, &capacity, 0);
	domains->of_category = ra_alloc_zeros(k->category_count + 1, sizeof(*domains->of_category));
	add_args(domains, model, &capacity);
	if (k->captured != NULL) {
		domains->captured = add_domain(model, &capacity, k->captured->domain);
	}
	for (size_t c = 1; c < k->category_count; c++) {
		const enum ra_kineto_kind kind = k->categories[c].kind;

		if (k->categories[c].complete > 0 &&
		    (kind == RA_KINETO_OTHER || kind == RA_KINETO_CPU_OP ||
		     (kind == RA_KINETO_PYTHON_FUNCTION && with_python))) {
			domains->of_category[c] =
				add_domain(model, &capacity, k->categories[c].name);
		}
	}
}

void ra_kineto_domains_fini(struct ra_kineto_domains *domains)
{
	free(domains->of_category);
	ra_util_map_free(&domains->of_arg);
}

uint16_t ra_kineto_domains_find(const struct ra_kineto_domains *domains,
                                const struct ra_model *model, uint32_t event)
{
	const struct ra_kineto *k = model->kineto;
	uint32_t name = 0;

	if ((k->flags[event] & RA_KINETO_IS_CAPTURED) != 0) {
		return domains->captured;
	}
	if (domains->of_arg.count > 0 && has_arg(k->kind[event])) {
		name = ra_kineto_get_text(k, event, RA_KINETO_ARG_DOMAIN);
	}
	return name != 0 ? (uint16_t) ra_util_map_find(&domains->of_arg, name)
	                 : domains->of_category[ra_kineto_get_category(k, event)];
}
