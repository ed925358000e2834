/* SPDX-License-Identifier: MIT */
/* Groups by domain, kind and perhaps name, for ranges that come one by one. */
#include "analyzer/names/group-base.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"

void ra_group_base_init(struct ra_group_base *base, struct ra_labels *labels, bool has_names)
{
	*base = (struct ra_group_base){ .labels = labels, .has_names = has_names };
}

void ra_group_base_fini(struct ra_group_base *base)
{
	free(base->recent);
	free(base->keys);
	ra_util_map_free(&base->map);
	memset(base, 0, sizeof(*base));
}

void ra_group_base_reserve(struct ra_group_base *base, const struct ra_model *model)
{
	const size_t count = (base->has_names ? model->name_count : model->domain_count) + 1;

	if (count > base->recent_count) {
		ra_util_resize(&base->recent, count, sizeof(*base->recent));
		memset(base->recent + base->recent_count, 0xFF,
		       (count - base->recent_count) * sizeof(*base->recent));
		base->recent_count = count;
	}
}

uint32_t ra_group_base_find_other(struct ra_group_base *base, uint32_t name, uint16_t domain,
                                  uint8_t kind)
{
	const struct ra_group_key key = {
		.name = base->has_names ? ra_labels_find(base->labels, name) : 0,
		.path = RA_NONE,
		.domain = domain,
		.kind = kind,
	};
	const uint64_t code = (uint64_t) key.name << 32 | (uint64_t) domain << 8 | kind;
	uint32_t found = ra_util_map_find(&base->map, code);

	if (found == RA_UTIL_MAP_NONE) {
		found = (uint32_t) base->count;
		RA_UTIL_APPEND(base->keys, base->count, base->capacity, key);
		ra_util_map_put(&base->map, code, found);
	}
	base->recent[base->has_names ? name : domain] = ra_group_base_tag(domain, kind) | found;
	return found;
}
