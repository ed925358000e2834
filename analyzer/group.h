/* SPDX-License-Identifier: MIT */
/* Groups: which row of a table each slice belongs to. */
#ifndef RA_GROUP_H
#define RA_GROUP_H

#include "analyzer/model.h"

enum ra_group_by {
	RA_GROUP_BY_NAME,     /* name, domain and kind */
	RA_GROUP_BY_DOMAIN,   /* domain and kind */
	RA_GROUP_BY_CATEGORY, /* domain, category and kind */
	RA_GROUP_BY_PATH,     /* the names from the outermost range down to this one */
};

struct ra_group_key {
	uint32_t name;     /* string id; 0 if it is not grouped by name */
	uint32_t category; /* number; 0 if it is not grouped by category, or there is none */
	uint32_t parent;   /* group of the enclosing range, RA_NONE if it is not grouped by path */
	uint32_t depth;    /* groups above it by parent */
	uint16_t domain;
	uint8_t kind; /* enum ra_track_kind */
};

/* Groups are numbered in the order in which they first occur. */
struct ra_group {
	uint32_t *of_slice;        /* owned: group of each slice */
	struct ra_group_key *keys; /* owned */
	size_t count;
};

/*
 * Finds the groups; O(1) per slice.
 *
 * Return: 0, -RLOG_E_NO_MEMORY; fini in any case.
 */
int ra_group_init(struct ra_group *group, const struct ra_model *model, enum ra_group_by by);
void ra_group_fini(struct ra_group *group);

#endif
