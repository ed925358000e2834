/* SPDX-License-Identifier: MIT */
/* Reads an export of nsys: domains, categories and names of threads, which are rows of
 * NVTX_EVENTS. */
#include <stdio.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/read-nsys/nsys.h"

enum {
	EVENT_CATEGORY = 33,
	EVENT_THREAD_NAME = 39,
	EVENT_DOMAIN = 75
};

/* Ids from here on are given to domains whose own id is taken. */
#define FIRST_OWN_DOMAIN 0x10000u

static uint64_t make_key(uint64_t global_tid, int64_t id)
{
	const uint64_t process = global_tid >> RA_NSYS_TID_BITS;

	return process * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t) id;
}

/* Chooses an id for a domain: its own, or a new one if another domain has that. */
static uint32_t choose_id(struct ra_nsys *nsys, int64_t id)
{
	uint32_t chosen = (uint32_t) id;

	if (id < 1 || id >= FIRST_OWN_DOMAIN ||
	    ra_util_map_find(&nsys->domain_ids, chosen) != RA_UTIL_MAP_NONE) {
		chosen = FIRST_OWN_DOMAIN + nsys->next_domain++;
	}
	ra_util_map_put(&nsys->domain_ids, chosen, 1);
	return chosen;
}

/* Adds a domain. Domains with the same name are merged, even of different processes, as nsys shows
 * them. */
static uint16_t add_domain(struct ra_nsys *nsys, uint64_t key, int64_t id, uint32_t name)
{
	uint32_t index = ra_util_map_find(&nsys->domain_names, name);
	uint16_t made = 0;

	if (index == RA_UTIL_MAP_NONE) {
		ra_builder_map_domain(&nsys->builder, choose_id(nsys, id), &made);
		index = made;
		nsys->model->domains[index].name = name;
		ra_util_map_put(&nsys->domain_names, name, index);
	}
	ra_util_map_put(&nsys->domain_of, key, index);
	return (uint16_t) index;
}

uint16_t ra_nsys_domains_find(struct ra_nsys *nsys, uint64_t global_tid, int64_t id)
{
	const uint64_t key = make_key(global_tid, id);
	const uint32_t known = ra_util_map_find(&nsys->domain_of, key);
	char text[32];
	int length;

	if (known != RA_UTIL_MAP_NONE) {
		return (uint16_t) known;
	}
	if (id == 0) {
		return 0;
	}
	length = snprintf(text, sizeof(text), "#%lld", (long long) id);
	return add_domain(nsys, key, id, ra_nsys_names_add(nsys, text, (size_t) length));
}

static void add_category(struct ra_nsys *nsys, uint16_t domain, uint32_t id, uint32_t name)
{
	struct ra_model *m = nsys->model;

	RA_UTIL_APPEND(m->categories, m->category_count, nsys->category_capacity,
	               (struct ra_category){ .domain = domain, .id = id, .name = name });
}

static void name_thread(struct ra_nsys *nsys, uint64_t global_tid, uint32_t name)
{
	const uint32_t thread = ra_nsys_threads_find(nsys, global_tid);

	nsys->threads[thread].name = name;
}

static int compare_categories(const void *left, const void *right)
{
	const struct ra_category *a = left;
	const struct ra_category *b = right;
	int order = RA_ORDER_UP(a, b, domain);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, id));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, name));
}

static void read_rows(struct ra_nsys *nsys, const char *where)
{
	static const char *const columns[] = { "eventType", "globalTid", "domainId", "category",
		                               "text",      "textId",    NULL };
	struct ra_nsys_rows rows;

	ra_nsys_rows_open(&rows, &nsys->db, "NVTX_EVENTS", columns, where);
	while (ra_nsys_rows_next(&rows)) {
		const uint64_t tid = (uint64_t) ra_nsys_rows_int(&rows, 1, 0);
		const int64_t id = ra_nsys_rows_int(&rows, 2, 0);
		const uint32_t name = ra_nsys_names_of(nsys, &rows, 4, 5);

		switch (ra_nsys_rows_int(&rows, 0, 0)) {
		case EVENT_DOMAIN:
			if (name != 0) {
				add_domain(nsys, make_key(tid, id), id, name);
			}
			break;
		case EVENT_CATEGORY:
			add_category(nsys, ra_nsys_domains_find(nsys, tid, id),
			             ra_nsys_rows_u32(&rows, 3, 0), name);
			break;
		case EVENT_THREAD_NAME:
			name_thread(nsys, tid, name);
			break;
		default:
			break;
		}
	}
	ra_nsys_rows_close(&rows);
}

void ra_nsys_domains_read(struct ra_nsys *nsys)
{
	struct ra_model *m = nsys->model;

	/* first the domains, because a category may come before its domain */
	read_rows(nsys, "eventType = 75");
	read_rows(nsys, "eventType IN (33, 39)");
	RA_SORT(m->categories, m->category_count, compare_categories);
}
