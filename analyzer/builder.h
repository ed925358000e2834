/* SPDX-License-Identifier: MIT */
/* A model under construction: arrays that grow, and ids of the log turned into ids of the model. */
#ifndef RA_BUILDER_H
#define RA_BUILDER_H

#include "analyzer/model.h"
#include "analyzer/util-map.h"

/* Domains have 16-bit indices; what comes after this many distinct ids shares the last one. */
#define RA_BUILDER_MAX_DOMAINS 65535u

struct ra_builder {
	struct ra_model *model; /* borrowed; its arrays grow here */
	size_t slice_capacity;
	size_t mark_capacity;
	size_t slice_attr_capacity;
	size_t mark_attr_capacity;
	size_t loss_capacity;
	size_t domain_capacity;
	size_t stand_in_capacity;
	uint32_t good_names;           /* every string id below this is in the log */
	struct ra_util_map lost_names; /* string id → name of its stand-in */
	uint16_t *domain_index; /* owned: domain id → index + 1 for small ids, 0 = not seen yet */
	struct ra_util_map domain_map; /* the same for large ids, without the + 1 */
};

/* What a push, start or mark carries beside its name. */
struct ra_builder_attr {
	uint32_t category;
	uint32_t color;
	uint32_t payload_type;
	uint64_t payload;
};

/* The model's strings must be set. Return: 0, -RLOG_E_NO_MEMORY; fini in any case. */
int ra_builder_init(struct ra_builder *builder, struct ra_model *model);
void ra_builder_fini(struct ra_builder *builder);

/* Makes room for more slices. Return: 0, -RLOG_E_NO_MEMORY. */
int ra_builder_reserve_slices(struct ra_builder *builder, size_t more);

/* Appends a mark. Return: 0, -RLOG_E_NO_MEMORY. */
int ra_builder_add_mark(struct ra_builder *builder, const struct ra_mark *mark);

/* Attributes of the newest slice or mark. Return: 0, -RLOG_E_NO_MEMORY. */
int ra_builder_add_slice_attr(struct ra_builder *builder, const struct ra_builder_attr *attr);
int ra_builder_add_mark_attr(struct ra_builder *builder, const struct ra_builder_attr *attr);

int ra_builder_add_loss(struct ra_builder *builder, const struct ra_loss_span *span);

/* Index of a domain id, which is made known if need be. Return: 0, -RLOG_E_NO_MEMORY. */
int ra_builder_map_domain(struct ra_builder *builder, uint32_t id, uint16_t *index);

/* Name of a string id the log does not hold (ids below good_names need no mapping). Return: 0,
 * -RLOG_E_NO_MEMORY. */
int ra_builder_map_lost_name(struct ra_builder *builder, uint32_t id, uint32_t *name);

static inline int ra_builder_map_name(struct ra_builder *builder, uint32_t id, uint32_t *name)
{
	if (__builtin_expect(id < builder->good_names, 1)) {
		*name = id;
		return 0;
	}
	return ra_builder_map_lost_name(builder, id, name);
}

#define RA_BUILDER_DIRECT_DOMAINS 1024u

static inline int ra_builder_find_domain(struct ra_builder *builder, uint32_t id, uint16_t *index)
{
	if (__builtin_expect(id < RA_BUILDER_DIRECT_DOMAINS, 1)) {
		const uint16_t known = builder->domain_index[id];

		if (__builtin_expect(known != 0, 1)) {
			*index = (uint16_t) (known - 1);
			return 0;
		}
	}
	return ra_builder_map_domain(builder, id, index);
}

#endif
