/* SPDX-License-Identifier: MIT */
/* Of a Chrome trace: the domains of ranges and marks. */
#include "analyzer/read-json/kineto-domains.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/base/util.h"

/* Domains have 16-bit indices, the last of which are not theirs; what comes after shares the last.
 */
#define MAX_DOMAINS 65520u

/* Whose events may have the arg. */
static bool has_arg(enum ra_kineto_kind kind)
{
	return kind == RA_KINETO_USER_ANNOTATION || kind == RA_KINETO_INSTANT ||
	       kind == RA_KINETO_ASYNC_BEGIN || kind == RA_KINETO_BEGIN;
}

static void add_domain(struct ra_model *model, size_t *capacity, uint32_t name, uint16_t *index)
{
	if (model->domain_count >= MAX_DOMAINS) {
		*index = MAX_DOMAINS - 1;
		return;
	}
	ra_util_grow(&model->domains, capacity, model->domain_count + 1, sizeof(*model->domains));
	*index = (uint16_t) model->domain_count;
	model->domains[model->domain_count] =
		(struct ra_domain){ (uint32_t) model->domain_count, name };
	model->domain_count++;
}

static void add_args(struct ra_kineto_domains *domains, struct ra_model *model, size_t *capacity)
{
	const struct ra_kineto *k = model->kineto;

	for (uint32_t i = 0; i < k->count; i++) {
		uint32_t name =
			has_arg(k->kind[i]) ? ra_kineto_get_text(k, i, RA_KINETO_ARG_DOMAIN) : 0;
		uint16_t index;

		if (name != 0 && ra_util_map_find(&domains->of_arg, name) == RA_UTIL_MAP_NONE) {
			add_domain(model, capacity, name, &index);
			ra_util_map_put(&domains->of_arg, name, index);
		}
	}
}

void ra_kineto_domains_init(struct ra_kineto_domains *domains, struct ra_model *model,
                            bool with_python)
{
	const struct ra_kineto *k = model->kineto;
	size_t capacity = 0;
	uint16_t index;

	add_domain(model, &capacity, 0, &index);
	domains->of_category = ra_calloc(k->category_count + 1, sizeof(*domains->of_category));
	add_args(domains, model, &capacity);
	for (size_t c = 1; c < k->category_count; c++) {
		const enum ra_kineto_kind kind = k->categories[c].kind;

		if (k->categories[c].complete > 0 &&
		    (kind == RA_KINETO_OTHER || kind == RA_KINETO_CPU_OP ||
		     (kind == RA_KINETO_PYTHON_FUNCTION && with_python))) {
			add_domain(model, &capacity, k->categories[c].name,
			           &domains->of_category[c]);
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

	if (domains->of_arg.count > 0 && has_arg(k->kind[event])) {
		name = ra_kineto_get_text(k, event, RA_KINETO_ARG_DOMAIN);
	}
	return name != 0 ? (uint16_t) ra_util_map_find(&domains->of_arg, name)
	                 : domains->of_category[k->category[event]];
}
