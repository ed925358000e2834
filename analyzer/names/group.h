/* SPDX-License-Identifier: MIT */
/* Finds the group of each slice, that is its row in a table. */
#ifndef RA_GROUP_H
#define RA_GROUP_H

#include "analyzer/names/labels.h"
#include "analyzer/model/model.h"

/* The keys by which slices are split into groups: any of these, or'ed. Slices are always split by
 * domain and kind. */
enum ra_group_by {
	RA_GROUP_BY_DOMAIN = 0,        /* only domain and kind */
	RA_GROUP_BY_NAME = 1 << 0,     /* the range's name */
	RA_GROUP_BY_PATH = 1 << 1,     /* the names from the outermost range down to this one */
	RA_GROUP_BY_CATEGORY = 1 << 2, /* the category's number */
	RA_GROUP_BY_PAYLOAD = 1 << 3,  /* type and bits of a number that the range carries */
	/* name and sizes of the inputs; in a log the labels contain the sizes */
	RA_GROUP_BY_SHAPE = 1 << 4,
	RA_GROUP_BY_DTYPE = 1 << 6, /* data type; only in reports of categories and operators */
	RA_GROUP_BY_STACK = 1 << 5, /* name and call stack; only in key_averages and operators */
};

/* A kind for waits of threads for sync objects, besides the kinds of tracks. */
#define RA_GROUP_WAIT 2

/* The key of a group. A member by which groups are not split is 0; for `path`, RA_NONE. */
struct ra_group_key {
	uint64_t payload;      /* bits as in struct ra_attr */
	uint32_t payload_type; /* enum rlog_payload_type */
	uint32_t shape;        /* for a trace: string id of the inputs' sizes, 0: none */
	uint32_t name;         /* label; for a path, the label of the innermost range */
	uint32_t category;     /* number of the category */
	uint32_t path;         /* index into ra_group.paths */
	uint16_t domain;
	uint8_t kind; /* enum ra_track_kind or RA_GROUP_WAIT */
};

/* A path: its last name, and the path of the range around it. */
struct ra_group_path {
	uint32_t name; /* label, as in the key */
	/* index, always less than this path's own; RA_NONE for the outermost range */
	uint32_t parent;
	uint32_t depth; /* number of names above it */
	uint16_t domain;
};

/* The groups, numbered in the order in which they first come. */
struct ra_group {
	uint32_t *of_slice;        /* owned: the group of each slice */
	struct ra_group_key *keys; /* owned */
	size_t count;
	struct ra_group_path *paths; /* owned; NULL unless grouped by path */
	size_t path_count;
};

/*
 * Finds the groups; O(1) per slice.
 *
 * @by: enum ra_group_by, or'ed.
 * @labels: NULL: names are string ids instead of labels.
 */
void ra_group_init(struct ra_group *group, const struct ra_model *model, unsigned by,
                   struct ra_labels *labels);
void ra_group_fini(struct ra_group *group);

#endif
