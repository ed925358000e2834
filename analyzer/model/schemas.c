/* SPDX-License-Identifier: MIT */
/* The payload schemas and enums of a log, parsed, with their memory layout. */
#include "analyzer/model/schemas.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "format/error.h"
#include "format/wire.h"

static int compare_types(const void *left, const void *right)
{
	const struct ra_schemas_type *a = left;
	const struct ra_schemas_type *b = right;
	int order = RA_ORDER_UP(a, b, domain);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, id));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, def));
}

static void add_kind(struct ra_schemas *schemas, uint32_t kind)
{
	size_t count = 0;
	const struct rlog_def *const *defs = ra_defs_find_kind(&schemas->defs, kind, &count);

	for (size_t i = 0; i < count; i++) {
		if (defs[i]->parent <= UINT32_MAX) {
			schemas->types[schemas->count++] = (struct ra_schemas_type){
				.id = defs[i]->id,
				.domain = (uint32_t) defs[i]->parent,
				.is_enum = kind == RLOG_DEF_PAYLOAD_ENUM,
				.def = defs[i],
			};
		}
	}
}

/* Schemas and enums share one space of ids: the later of two definitions with the same id is taken,
 * whatever its kind. */
static void drop_repeats(struct ra_schemas *schemas)
{
	size_t kept = 0;

	for (size_t i = 0; i < schemas->count; i++) {
		if (kept > 0 && schemas->types[kept - 1].domain == schemas->types[i].domain &&
		    schemas->types[kept - 1].id == schemas->types[i].id) {
			kept--;
		}
		schemas->types[kept++] = schemas->types[i];
	}
	schemas->count = kept;
}

static void read_table(struct ra_schemas *schemas)
{
	const struct rlog_def *def = ra_defs_find(&schemas->defs, RLOG_DEF_TYPE_TABLE, 0, 0);
	const struct rlog_fact *arch = rlog_reader_find_capture(schemas->defs.reader, "arch");

	rlog_schema_default_types(&schemas->table);
	if (def != NULL) {
		const struct rlog_string detail = ra_defs_detail(&schemas->defs, def);

		if (detail.bytes != NULL) {
			(void) rlog_schema_parse_types(detail.bytes, detail.length,
			                               &schemas->table);
		}
	}
	schemas->has_x87 = arch == NULL || arch->type != RLOG_FACT_TEXT ||
	                   arch->texts[0].length != 7 ||
	                   memcmp(arch->texts[0].bytes, "aarch64", 7) != 0;
}

static void prepare(struct ra_schemas *schemas, struct ra_schemas_type *type, unsigned int depth);

void ra_schemas_init(struct ra_schemas *schemas, const struct rlog_reader *reader)
{
	size_t schema_count = 0;
	size_t enum_count = 0;

	memset(schemas, 0, sizeof(*schemas));
	ra_defs_init(&schemas->defs, reader);
	(void) ra_defs_find_kind(&schemas->defs, RLOG_DEF_PAYLOAD_SCHEMA, &schema_count);
	(void) ra_defs_find_kind(&schemas->defs, RLOG_DEF_PAYLOAD_ENUM, &enum_count);
	schemas->types = ra_alloc_zeros(schema_count + enum_count + 1, sizeof(*schemas->types));
	add_kind(schemas, RLOG_DEF_PAYLOAD_SCHEMA);
	add_kind(schemas, RLOG_DEF_PAYLOAD_ENUM);
	RA_SORT(schemas->types, schemas->count, compare_types);
	drop_repeats(schemas);
	read_table(schemas);
	for (size_t i = 0; i < schemas->count; i++) {
		prepare(schemas, &schemas->types[i], 0);
	}
}

void ra_schemas_fini(struct ra_schemas *schemas)
{
	for (size_t i = 0; i < schemas->count; i++) {
		if (schemas->types[i].is_enum) {
			free(schemas->types[i].u.values.values);
			free(schemas->types[i].u.values.flags);
		} else {
			free(schemas->types[i].u.schema.entries);
		}
	}
	free(schemas->types);
	schemas->types = NULL;
	schemas->count = 0;
	ra_defs_fini(&schemas->defs);
}

/* The log's schemas, and the domain of the schema whose layout is being computed. */
struct scope {
	struct ra_schemas *schemas;
	uint32_t domain;
};

static struct ra_schemas_type *find_type(const struct ra_schemas *schemas, uint32_t domain,
                                         uint64_t id)
{
	struct ra_search at = ra_search_in(0, schemas->count);

	while (ra_search_next(&at)) {
		const struct ra_schemas_type *type = &schemas->types[at.middle];

		ra_search_tell(&at,
		               type->domain < domain || (type->domain == domain && type->id < id));
	}
	return at.low < schemas->count && schemas->types[at.low].domain == domain &&
	                       schemas->types[at.low].id == id
	               ? &schemas->types[at.low]
	               : NULL;
}

/* Finds the size of a type inside another type. A schema that contains itself has no size; behind a
 * pointer that is allowed. */
static int find_shape(void *context, uint64_t id, unsigned int depth,
                      struct rlog_schema_shape *shape)
{
	const struct scope *scope = context;
	struct ra_schemas_type *type = find_type(scope->schemas, scope->domain, id);

	if (type == NULL) {
		return -RLOG_E_SCHEMA;
	}
	prepare(scope->schemas, type, depth);
	if (type->state == RA_SCHEMA_BAD) {
		return -RLOG_E_SCHEMA;
	}
	if (type->is_enum) {
		*shape = rlog_schema_enum_shape(type->u.values.size);
		return 0;
	}
	*shape = (struct rlog_schema_shape){ .size = RLOG_SCHEMA_VARIES, .align = 1 };
	if (type->state == RA_SCHEMA_READY) {
		shape->size = type->u.schema.size;
		shape->align = type->u.schema.align;
	}
	return 0;
}

static int compare_values(const void *left, const void *right, void *context)
{
	const struct rlog_schema_value *a = left;
	const struct rlog_schema_value *b = right;
	const uint64_t size = *(const uint64_t *) context;
	const uint64_t a_value = ra_schemas_cut(a->value, size);
	const uint64_t b_value = ra_schemas_cut(b->value, size);
	int order = RA_ORDER(a_value, b_value);

	/* Values with a name come first, in the order in which the detail names them. */
	order = RA_ORDER_THEN(order, RA_ORDER(a->name.bytes == NULL, b->name.bytes == NULL));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, name.bytes));
}

static void keep_flags(struct ra_schemas_enum *kept, const struct rlog_schema_enum *parsed)
{
	for (uint32_t i = 0; i < parsed->count && kept->flag_count < RA_SCHEMAS_MAX_FLAGS; i++) {
		const struct rlog_schema_value *value = &parsed->values[i];

		if (value->is_flag && value->name.bytes != NULL &&
		    ra_schemas_cut(value->value, kept->size) != 0) {
			kept->flags[kept->flag_count++] = *value;
		}
	}
}

static int parse_enum(struct ra_schemas_type *type, struct rlog_string detail)
{
	struct ra_schemas_enum *kept = &type->u.values;
	struct rlog_schema_enum parsed;
	uint32_t count = 0;
	int status = rlog_schema_count_values(detail.bytes, detail.length, &count);

	if (status != 0) {
		return status;
	}
	kept->values = ra_alloc_zeros((size_t) count + 1, sizeof(*kept->values));
	kept->flags = ra_alloc_zeros(RA_SCHEMAS_MAX_FLAGS, sizeof(*kept->flags));
	status = rlog_schema_parse_enum(detail.bytes, detail.length, kept->values, count, &parsed);
	if (status == 0) {
		kept->size = rlog_schema_enum_shape(parsed.size).size;
		keep_flags(kept, &parsed);
		kept->count = parsed.count;
		RA_SORT_WITH(kept->values, kept->count, compare_values, &kept->size);
	}
	return status;
}

struct rlog_schema_text ra_schemas_find_value(const struct ra_schemas_enum *values, uint64_t value)
{
	static const struct rlog_schema_text none = { NULL, 0 };
	struct ra_search at = ra_search_in(0, values->count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, ra_schemas_cut(values->values[at.middle].value, values->size) <
		                            value);
	}
	if (at.low < values->count &&
	    ra_schemas_cut(values->values[at.low].value, values->size) == value) {
		return values->values[at.low].name;
	}
	return none;
}

static int parse_schema(struct ra_schemas *schemas, struct ra_schemas_type *type,
                        struct rlog_string detail, unsigned int depth)
{
	struct scope scope = { .schemas = schemas, .domain = type->domain };
	struct rlog_schema_entry *entries;
	uint32_t count = 0;
	int status = rlog_schema_count_entries(detail.bytes, detail.length, &count);

	if (status != 0) {
		return status;
	}
	entries = ra_alloc_zeros((size_t) count + 1, sizeof(*entries));
	status = rlog_schema_parse(detail.bytes, detail.length, entries, count, &type->u.schema);
	type->u.schema.entries = entries;
	if (status == 0) {
		status = rlog_schema_lay_out(&type->u.schema, &schemas->table, find_shape, &scope,
		                             depth);
	}
	return status;
}

static void prepare(struct ra_schemas *schemas, struct ra_schemas_type *type, unsigned int depth)
{
	struct rlog_string detail;
	int status;

	if (type->state != RA_SCHEMA_UNTOUCHED) {
		return;
	}
	type->state = RA_SCHEMA_IN_WORK;
	detail = ra_defs_detail(&schemas->defs, type->def);
	if (detail.bytes == NULL || detail.length < detail.full_length) {
		type->state = RA_SCHEMA_BAD;
		return;
	}
	status = type->is_enum ? parse_enum(type, detail)
	                       : parse_schema(schemas, type, detail, depth);
	type->state = status == 0 ? RA_SCHEMA_READY : RA_SCHEMA_BAD;
}

const struct ra_schemas_type *ra_schemas_find(const struct ra_schemas *schemas, uint32_t domain,
                                              uint64_t id)
{
	return find_type(schemas, domain, id);
}
