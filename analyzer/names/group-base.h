/* SPDX-License-Identifier: MIT */
/* Groups by domain, kind and perhaps name, for ranges that come one by one. */
#ifndef RA_GROUP_BASE_H
#define RA_GROUP_BASE_H

#include "analyzer/base/util-map.h"
#include "analyzer/names/group.h"

/* Groups are numbered in the order in which they first come. */
struct ra_group_base {
	struct ra_labels *labels; /* borrowed, may be NULL */
	bool has_names;
	uint64_t *recent; /* owned: by name (or domain): the group found last for it, with its
	                     domain and kind in the upper half */
	size_t recent_count;
	bool notes_domains;
	uint32_t *domains; /* owned: by name: as ra_labels_init_merged() wants it; NULL unless noted
	                    */
	struct ra_util_map map;
	struct ra_group_key *keys; /* owned */
	size_t count;
	size_t capacity;
};

/* @labels: as for ra_group_init(). @has_names: different names make different groups. */
void ra_group_base_init(struct ra_group_base *base, struct ra_labels *labels, bool has_names);
void ra_group_base_fini(struct ra_group_base *base);

/* Makes it note the domains of the ranges of each name; to be called before the first one. */
void ra_group_base_note_domains(struct ra_group_base *base);

/*
 * Gives the groups the labels that their names have in another set, if that makes the same groups.
 * The base goes on with `labels` as its labels only once the caller has moved them to their place.
 *
 * Return: false: it makes others, and the base is unchanged. The base has noted domains.
 */
bool ra_group_base_relabel(struct ra_group_base *base, struct ra_labels *labels);

/* Makes room for all names and domains that the model has now. */
void ra_group_base_reserve(struct ra_group_base *base, const struct ra_model *model);

/* The upper half of an entry of `recent`, for a group of this domain and kind. */
static inline uint64_t ra_group_base_tag(uint16_t domain, uint8_t kind)
{
	return (uint64_t) domain << 32 | (uint64_t) kind << 48;
}

/* The group of a range that is in another group than the last range of its name. */
uint32_t ra_group_base_find_other(struct ra_group_base *base, uint32_t name, uint16_t domain,
                                  uint8_t kind);

/* The group of a range. @kind: enum ra_track_kind, RA_GROUP_WAIT. */
static inline uint32_t ra_group_base_find(struct ra_group_base *base, uint32_t name,
                                          uint16_t domain, uint8_t kind)
{
	const uint64_t at = base->recent[base->has_names ? name : domain];

	if (__builtin_expect(at >> 32 != ra_group_base_tag(domain, kind) >> 32, 0)) {
		return ra_group_base_find_other(base, name, domain, kind);
	}
	return (uint32_t) at;
}

#endif
