/* SPDX-License-Identifier: MIT */
/* Groups: which row of a table each slice belongs to. */
#include "analyzer/group.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/util-map.h"
#include "analyzer/util.h"
#include "format/error.h"

struct grouping {
	const struct ra_model *model;
	struct ra_group *group;
	uint32_t *first;        /* owned: by name, the first group of that name */
	uint32_t *next;         /* owned: by group, the next one of that name */
	struct ra_util_map map; /* for other keys than names */
	size_t next_capacity;
	size_t key_capacity;
};

static int add_group(struct grouping *g, const struct ra_group_key *key, uint32_t *made)
{
	const int rc = ra_util_grow(&g->group->keys, &g->key_capacity, g->group->count + 1,
	                            sizeof(*g->group->keys));

	if (rc == 0) {
		*made = (uint32_t) g->group->count++;
		g->group->keys[*made] = *key;
	}
	return rc;
}

/* A group that no slice of this name had before. */
static int add_name(struct grouping *g, const struct ra_group_key *key, uint32_t *made)
{
	int rc = add_group(g, key, made);

	if (rc == 0) {
		rc = ra_util_grow(&g->next, &g->next_capacity, g->group->count, sizeof(*g->next));
	}
	if (rc == 0) {
		g->next[*made] = g->first[key->name];
		g->first[key->name] = *made;
	}
	return rc;
}

static int group_track_by_name(struct grouping *g, const struct ra_track *track)
{
	const struct ra_slices *s = &g->model->slices;
	const struct ra_group_key *keys = g->group->keys;
	const size_t end = track->first_slice + track->slice_count;
	const uint8_t kind = (uint8_t) track->kind;

	for (size_t i = track->first_slice; i < end; i++) {
		uint32_t at = g->first[s->name[i]];

		while (at != RA_NONE &&
		       (keys[at].domain != s->domain[i] || keys[at].kind != kind)) {
			at = g->next[at];
		}
		if (__builtin_expect(at == RA_NONE, 0)) {
			const struct ra_group_key key = {
				.name = s->name[i],
				.parent = RA_NONE,
				.domain = s->domain[i],
				.kind = kind,
			};
			const int rc = add_name(g, &key, &at);

			if (rc != 0) {
				return rc;
			}
			keys = g->group->keys;
		}
		g->group->of_slice[i] = at;
	}
	return 0;
}

static int group_by_name(struct grouping *g)
{
	int rc = 0;

	g->first = malloc((g->model->name_count + 1) * sizeof(*g->first));
	if (g->first == NULL || ra_util_grow(&g->next, &g->next_capacity, 64, sizeof(*g->next))) {
		return -RLOG_E_NO_MEMORY;
	}
	memset(g->first, 0xFF, (g->model->name_count + 1) * sizeof(*g->first));
	for (size_t t = 0; t < g->model->track_count && rc == 0; t++) {
		rc = group_track_by_name(g, &g->model->tracks[t]);
	}
	return rc;
}

/* Group of a slice by a 64-bit key; `key` describes the group if it is new. */
static int find_mapped(struct grouping *g, uint64_t code, const struct ra_group_key *key,
                       uint32_t *found)
{
	int rc;

	*found = ra_util_map_find(&g->map, code);
	if (*found != RA_UTIL_MAP_NONE) {
		return 0;
	}
	rc = add_group(g, key, found);
	return rc != 0 ? rc : ra_util_map_put(&g->map, code, *found);
}

/* By domain, and by category if asked for. */
static int group_by_domain(struct grouping *g, bool with_category)
{
	const struct ra_model *m = g->model;
	size_t attr = 0;
	int rc = 0;

	for (size_t t = 0; t < m->track_count; t++) {
		const size_t end = m->tracks[t].first_slice + m->tracks[t].slice_count;
		struct ra_group_key key = {
			.parent = RA_NONE,
			.kind = (uint8_t) m->tracks[t].kind,
		};

		for (size_t i = m->tracks[t].first_slice; i < end && rc == 0; i++) {
			key.domain = m->slices.domain[i];
			key.category = 0;
			while (attr < m->slice_attr_count && m->slice_attrs[attr].owner < i) {
				attr++;
			}
			if (with_category && attr < m->slice_attr_count &&
			    m->slice_attrs[attr].owner == i) {
				key.category = m->slice_attrs[attr].category;
			}
			rc = find_mapped(g,
			                 (uint64_t) key.category << 32 |
			                         (uint64_t) key.domain << 8 | key.kind,
			                 &key, &g->group->of_slice[i]);
		}
	}
	return rc;
}

/*
 * By path: the slices have their groups by name already; parents come before children, so theirs
 * are paths when a child needs them.
 */
static int group_by_path(struct grouping *g)
{
	const struct ra_model *m = g->model;
	struct ra_group_key *names = g->group->keys;
	uint32_t *of_slice = g->group->of_slice;
	int rc = 0;

	g->group->keys = NULL;
	g->group->count = 0;
	g->key_capacity = 0;
	for (size_t i = 0; i < m->slices.count && rc == 0; i++) {
		const uint32_t parent = m->slices.parent[i];
		struct ra_group_key key = names[of_slice[i]];
		uint64_t code = of_slice[i];

		if (parent != RA_NONE && g->group->keys != NULL) {
			key.parent = of_slice[parent];
			key.depth = g->group->keys[key.parent].depth + 1;
		}
		code |= (uint64_t) key.parent << 32;
		rc = find_mapped(g, code, &key, &of_slice[i]);
	}
	free(names);
	return rc;
}

int ra_group_init(struct ra_group *group, const struct ra_model *model, enum ra_group_by by)
{
	struct grouping g = { .model = model, .group = group };
	int rc;

	memset(group, 0, sizeof(*group));
	rc = ra_util_resize(&group->of_slice, model->slices.count + 1, sizeof(*group->of_slice));
	if (rc == 0) {
		switch (by) {
		case RA_GROUP_BY_NAME:
			rc = group_by_name(&g);
			break;
		case RA_GROUP_BY_DOMAIN:
			rc = group_by_domain(&g, false);
			break;
		case RA_GROUP_BY_CATEGORY:
			rc = group_by_domain(&g, true);
			break;
		case RA_GROUP_BY_PATH:
			rc = group_by_name(&g);
			if (rc == 0) {
				rc = group_by_path(&g);
			}
			break;
		}
	}
	free(g.first);
	free(g.next);
	ra_util_map_free(&g.map);
	return rc;
}

void ra_group_fini(struct ra_group *group)
{
	free(group->of_slice);
	free(group->keys);
	memset(group, 0, sizeof(*group));
}
