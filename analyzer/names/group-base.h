/* SPDX-License-Identifier: MIT */
/* Groups ranges that come one by one, by domain, kind and perhaps name. */
#ifndef RA_GROUP_BASE_H
#define RA_GROUP_BASE_H

#include "analyzer/base/util-map.h"
#include "analyzer/names/group.h"

/* The groups, numbered in the order in which they first come. */
struct ra_group_base {
	struct ra_labels *labels; /* borrowed, may be NULL */
	bool has_names;
	/* owned: by name (or domain, if names do not matter): the group found last, with its
	 * domain and kind in the upper half */
	uint64_t *recent;
	size_t recent_count;
	bool notes_domains;
	/* owned: by name: the domains in the form that ra_labels_init_merged() takes; NULL
	 * unless noted */
	uint32_t *domains;
	struct ra_util_map map;
	struct ra_group_key *keys; /* owned */
	size_t count;
	size_t capacity;
};

/* @labels: the same as for ra_group_init(). @has_names: different names make different groups. */
void ra_group_base_init(struct ra_group_base *base, struct ra_labels *labels, bool has_names);
void ra_group_base_fini(struct ra_group_base *base);

/* Starts to note the domains of each name's ranges. Call it before the first range. */
void ra_group_base_note_domains(struct ra_group_base *base);

/*
 * Replaces the labels of the groups by those that `labels` has for the same names, if this makes
 * the same groups. The caller must then move `labels` to the place of the labels that the base
 * borrows, before it goes on.
 *
 * Return: false: this makes other groups, and the base is unchanged. Only for a base that has noted
 * domains.
 */
bool ra_group_base_relabel(struct ra_group_base *base, struct ra_labels *labels);

/* Makes room for all names and domains that the model has now. */
void ra_group_base_reserve(struct ra_group_base *base, const struct ra_model *model);

/* The upper half of an entry of `recent`, for a group of this domain and kind. */
static inline uint64_t ra_group_base_tag(uint16_t domain, uint8_t kind)
{
	return (uint64_t) domain << 32 | (uint64_t) kind << 48;
}

/* Finds the group of a range, if its name's last range was in another group. */
uint32_t ra_group_base_find_other(struct ra_group_base *base, uint32_t name, uint16_t domain,
                                  uint8_t kind);

/* Finds the group of a range. @kind: enum ra_track_kind or RA_GROUP_WAIT. */
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
