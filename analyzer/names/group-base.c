/* SPDX-License-Identifier: MIT */
/* Groups ranges that come one by one, by domain, kind and perhaps name. */
#include "analyzer/names/group-base.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"

void ra_group_base_init(struct ra_group_base *base, struct ra_labels *labels, bool has_names)
{
	*base = (struct ra_group_base){ .labels = labels, .has_names = has_names };
}

void ra_group_base_fini(struct ra_group_base *base)
{
	free(base->recent);
	free(base->domains);
	free(base->keys);
	ra_util_map_free(&base->map);
	memset(base, 0, sizeof(*base));
}

void ra_group_base_note_domains(struct ra_group_base *base)
{
	base->notes_domains = base->has_names;
}

void ra_group_base_reserve(struct ra_group_base *base, const struct ra_model *model)
{
	const size_t count = (base->has_names ? model->name_count : model->domain_count) + 1;

	if (count > base->recent_count) {
		ra_util_resize(&base->recent, count, sizeof(*base->recent));
		memset(base->recent + base->recent_count, 0xFF,
		       (count - base->recent_count) * sizeof(*base->recent));
		if (base->notes_domains) {
			ra_util_resize(&base->domains, count, sizeof(*base->domains));
			memset(base->domains + base->recent_count, 0,
			       (count - base->recent_count) * sizeof(*base->domains));
		}
		base->recent_count = count;
	}
}

static uint64_t code_of(const struct ra_group_key *key)
{
	return (uint64_t) key->name << 32 | (uint64_t) key->domain << 8 | key->kind;
}

/* Notes a range's domain. Called only for a range that is not in the group last found for its name:
 * no other range can be of another domain. */
static void note_domain(struct ra_group_base *base, uint32_t name, uint16_t domain)
{
	uint32_t *noted = &base->domains[name];

	if (*noted != domain + 1u) {
		*noted = *noted == 0 ? domain + 1u : RA_NONE;
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
	const uint64_t code = code_of(&key);
	uint32_t found = ra_util_map_find(&base->map, code);

	if (found == RA_UTIL_MAP_NONE) {
		found = (uint32_t) base->count;
		RA_UTIL_APPEND(base->keys, base->count, base->capacity, key);
		ra_util_map_put(&base->map, code, found);
	}
	if (base->notes_domains) {
		note_domain(base, name, domain);
	}
	base->recent[base->has_names ? name : domain] = ra_group_base_tag(domain, kind) | found;
	return found;
}

/* Maps each label to the label that replaces it. The key is label << 32 | domain of the name as
 * noted; the domain is RA_NONE for names with ranges in several domains. */
struct relabeling {
	struct ra_util_map to;
	struct ra_util_map from;
};

static uint64_t key_of(uint32_t label, uint32_t domain)
{
	return (uint64_t) label << 32 | domain;
}

/* Adds a pair. Return: false if the label is in another pair already. */
static bool pair(struct ra_util_map *map, uint64_t key, uint32_t label)
{
	const uint32_t found = ra_util_map_find(map, key);

	if (found == RA_UTIL_MAP_NONE) {
		ra_util_map_put(map, key, label);
	}
	return found == RA_UTIL_MAP_NONE || found == label;
}

/* True unless the names with ranges in several domains gave this label another counterpart. */
static bool agrees(const struct ra_util_map *map, uint32_t key, uint32_t label)
{
	const uint32_t found = ra_util_map_find(map, key_of(key, RA_NONE));

	return found == RA_UTIL_MAP_NONE || found == label;
}

/* Pairs the labels of all names with ranges in several domains (of_several), or of all other names.
 * Which domains the former have is not known, so their old and new labels must have the same
 * text. */
static bool pair_all(struct ra_group_base *base, struct ra_labels *labels,
                     struct relabeling *relabeling, bool of_several)
{
	for (uint32_t name = 0; name + 1u < base->recent_count; name++) {
		const uint32_t domain = base->domains[name];
		uint32_t from;
		uint32_t to;

		if (domain == 0 || (domain == RA_NONE) != of_several) {
			continue;
		}
		from = ra_labels_find(base->labels, name);
		to = ra_labels_find(labels, name);
		if (!pair(&relabeling->to, key_of(from, domain), to) ||
		    !pair(&relabeling->from, key_of(to, domain), from) ||
		    !agrees(&relabeling->to, from, to) || !agrees(&relabeling->from, to, from) ||
		    (of_several && !ra_util_string_is_same(ra_labels_name(base->labels, from),
		                                           ra_labels_name(labels, to)))) {
			return false;
		}
	}
	return true;
}

bool ra_group_base_relabel(struct ra_group_base *base, struct ra_labels *labels)
{
	struct relabeling relabeling = { 0 };
	const bool is_same = pair_all(base, labels, &relabeling, true) &&
	                     pair_all(base, labels, &relabeling, false);

	if (is_same) {
		ra_util_map_free(&base->map);
	}
	for (uint32_t g = 0; g < base->count && is_same; g++) {
		struct ra_group_key *key = &base->keys[g];
		uint32_t to = ra_util_map_find(&relabeling.to, key_of(key->name, RA_NONE));

		if (to == RA_UTIL_MAP_NONE) {
			to = ra_util_map_find(&relabeling.to, key_of(key->name, key->domain + 1u));
		}
		key->name = to;
		ra_util_map_put(&base->map, code_of(key), g);
	}
	ra_util_map_free(&relabeling.to);
	ra_util_map_free(&relabeling.from);
	return is_same;
}
