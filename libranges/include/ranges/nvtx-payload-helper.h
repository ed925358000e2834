/* SPDX-License-Identifier: MIT */
/*
 * Defines C structs together with their schemas, by NVTX's macros of nvToolsExtPayloadHelper.h.
 *
 *	NVTX_DEFINE_STRUCT_WITH_SCHEMA(request, "request", NVTX_PAYLOAD_ENTRIES(
 *		(uint64_t, id, TYPE_UINT64, "id"),
 *		(double, seconds, TYPE_DOUBLE, "seconds", "from arrival to answer"),
 *		(char, (path, 24), TYPE_CSTRING, "path", NULL, 24)))
 *	…
 *	schema = nvtxPayloadSchemaRegister(domain, &requestAttr);
 *
 * An entry has these fields: the member's type, if the struct is defined as well; the member, or
 * (member, length) for an array; its NVTX_PAYLOAD_ENTRY_<type>, or NVTX_PAYLOAD_NESTED of a
 * schema's id; then optionally name, description, arrayOrUnionDetail and
 * NVTX_PAYLOAD_ENTRY_FLAG_<flags>. There may be 16 entries.
 */
#ifndef RANGES_NVTX_PAYLOAD_HELPER_H
#define RANGES_NVTX_PAYLOAD_HELPER_H

#include <ranges/nvtx-payload.h>

/* clang-format off: lists of macros that call each other */

/* Counts the arguments, up to 16. */
#define RANGES_NVTX_COUNT(...) \
	RANGES_NVTX_TAKE_17(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define RANGES_NVTX_TAKE_17(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, ...) q

/* Gives 1 if x is in parentheses, else 0. */
#define RANGES_NVTX_IS_LIST(x)        RANGES_NVTX_TAKE_2(RANGES_NVTX_EAT x, 0, 0)
#define RANGES_NVTX_EAT(...)          0, 1
#define RANGES_NVTX_TAKE_2(...)       RANGES_NVTX_SECOND(__VA_ARGS__)
#define RANGES_NVTX_SECOND(a, b, ...) b
#define RANGES_NVTX_UNWRAP(...)       __VA_ARGS__

/* Expands to what(data, x) for each further argument x. */
#define RANGES_NVTX_EACH(what, data, ...) \
	RANGES_NVTX_JOIN(RANGES_NVTX_EACH_, RANGES_NVTX_COUNT(__VA_ARGS__))(what, data, __VA_ARGS__)
#define RANGES_NVTX_EACH_1(w, d, x)       w(d, x)
#define RANGES_NVTX_EACH_2(w, d, x, ...)  w(d, x) RANGES_NVTX_EACH_1(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_3(w, d, x, ...)  w(d, x) RANGES_NVTX_EACH_2(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_4(w, d, x, ...)  w(d, x) RANGES_NVTX_EACH_3(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_5(w, d, x, ...)  w(d, x) RANGES_NVTX_EACH_4(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_6(w, d, x, ...)  w(d, x) RANGES_NVTX_EACH_5(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_7(w, d, x, ...)  w(d, x) RANGES_NVTX_EACH_6(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_8(w, d, x, ...)  w(d, x) RANGES_NVTX_EACH_7(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_9(w, d, x, ...)  w(d, x) RANGES_NVTX_EACH_8(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_10(w, d, x, ...) w(d, x) RANGES_NVTX_EACH_9(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_11(w, d, x, ...) w(d, x) RANGES_NVTX_EACH_10(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_12(w, d, x, ...) w(d, x) RANGES_NVTX_EACH_11(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_13(w, d, x, ...) w(d, x) RANGES_NVTX_EACH_12(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_14(w, d, x, ...) w(d, x) RANGES_NVTX_EACH_13(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_15(w, d, x, ...) w(d, x) RANGES_NVTX_EACH_14(w, d, __VA_ARGS__)
#define RANGES_NVTX_EACH_16(w, d, x, ...) w(d, x) RANGES_NVTX_EACH_15(w, d, __VA_ARGS__)

/* A member's declaration, and a member's name, from "member" or "(member, length)". */
#define RANGES_NVTX_MEMBER(m)     RANGES_NVTX_JOIN(RANGES_NVTX_MEMBER_, RANGES_NVTX_IS_LIST(m))(m)
#define RANGES_NVTX_MEMBER_0(m)   m
#define RANGES_NVTX_MEMBER_1(m)   RANGES_NVTX_JOIN(RANGES_NVTX_ARRAY_, RANGES_NVTX_COUNT m) m
#define RANGES_NVTX_ARRAY_1(m)    m
#define RANGES_NVTX_ARRAY_2(m, n) m[n]
#define RANGES_NVTX_NAME(m)       RANGES_NVTX_JOIN(RANGES_NVTX_NAME_, RANGES_NVTX_IS_LIST(m))(m)
#define RANGES_NVTX_NAME_0(m)     m
#define RANGES_NVTX_NAME_1(m)     RANGES_NVTX_FIRST_OF m
#define RANGES_NVTX_FIRST_OF(...) RANGES_NVTX_FIRST(__VA_ARGS__, 0)
#define RANGES_NVTX_FIRST(m, ...) m

/* Makes a declaration of (type, member, …). */
#define RANGES_NVTX_DECLARE(unused, entry)      RANGES_NVTX_DECLARE_TWO entry
#define RANGES_NVTX_DECLARE_TWO(...)            RANGES_NVTX_DECLARE_THREE(__VA_ARGS__, 0)
#define RANGES_NVTX_DECLARE_THREE(type, m, ...) type RANGES_NVTX_MEMBER(m);

/* Make a nvtxPayloadSchemaEntry_t of (member, entry type, …), or of (type, member, entry type,
 * …). */
#define RANGES_NVTX_ENTRY(id, entry) RANGES_NVTX_ENTRY_IN(id, RANGES_NVTX_UNWRAP entry)
#define RANGES_NVTX_ENTRY_IN(id, ...) \
	RANGES_NVTX_JOIN(RANGES_NVTX_ENTRY_, RANGES_NVTX_COUNT(__VA_ARGS__))(id, __VA_ARGS__)
#define RANGES_NVTX_TYPED_ENTRY(id, entry)   RANGES_NVTX_TYPED_IN(id, RANGES_NVTX_UNWRAP entry)
#define RANGES_NVTX_TYPED_IN(id, ...)        RANGES_NVTX_TYPED_OUT(id, __VA_ARGS__)
#define RANGES_NVTX_TYPED_OUT(id, type, ...) RANGES_NVTX_ENTRY_IN(id, __VA_ARGS__)
#define RANGES_NVTX_ENTRY_2(id, m, t) \
	RANGES_NVTX_ENTRY_5(id, m, t, RANGES_NVTX_NULL, RANGES_NVTX_NULL, 0)
#define RANGES_NVTX_ENTRY_3(id, m, t, name)       RANGES_NVTX_ENTRY_5(id, m, t, name, RANGES_NVTX_NULL, 0)
#define RANGES_NVTX_ENTRY_4(id, m, t, name, text) RANGES_NVTX_ENTRY_5(id, m, t, name, text, 0)
#define RANGES_NVTX_ENTRY_5(id, m, t, name, text, detail) \
	{ 0,                                              \
	  NVTX_PAYLOAD_ENTRY_##t,                         \
	  name,                                           \
	  text,                                           \
	  detail,                                         \
	  offsetof(id, RANGES_NVTX_NAME(m)),              \
	  RANGES_NVTX_NULL,                               \
	  RANGES_NVTX_NULL },
#define RANGES_NVTX_ENTRY_6(id, m, t, name, text, detail, flags) \
	{ NVTX_PAYLOAD_ENTRY_FLAG_##flags,                       \
	  NVTX_PAYLOAD_ENTRY_##t,                                \
	  name,                                                  \
	  text,                                                  \
	  detail,                                                \
	  offsetof(id, RANGES_NVTX_NAME(m)),                     \
	  RANGES_NVTX_NULL,                                      \
	  RANGES_NVTX_NULL },

/* Defines idSchema and idAttr. @what: RANGES_NVTX_ENTRY or RANGES_NVTX_TYPED_ENTRY. @fields: flags
 * of the mask besides those of type, entries and size. */
#define RANGES_NVTX_SCHEMA(what, id, name, prefix, flags, schema_id, fields, ...)         \
	prefix nvtxPayloadSchemaEntry_t id##Schema[] = { RANGES_NVTX_EACH(what, id,       \
		                                                          __VA_ARGS__) }; \
	prefix nvtxPayloadSchemaAttr_t id##Attr = {                                       \
		(fields) | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |                          \
			NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |                          \
			NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |                      \
			NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE,                       \
		name,                                                                     \
		NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,                                          \
		flags,                                                                    \
		id##Schema,                                                               \
		RANGES_NVTX_COUNT(__VA_ARGS__),                                           \
		sizeof(id),                                                               \
		0,                                                                        \
		schema_id,                                                                \
		RANGES_NVTX_NULL                                                          \
	};

/* One of these is chosen by the number of arguments after `w`: the structure's name, optional
 * arguments, the entries. */
#define RANGES_NVTX_SCHEMA_2(w, id, list)                                                  \
	RANGES_NVTX_SCHEMA(w, id, RANGES_NVTX_NULL, , NVTX_PAYLOAD_SCHEMA_FLAG_NONE, 0, 0, \
	                   RANGES_NVTX_UNWRAP list)
#define RANGES_NVTX_SCHEMA_3(w, id, name, list) RANGES_NVTX_SCHEMA_4(w, id, name, , list)
#define RANGES_NVTX_SCHEMA_4(w, id, name, prefix, list)                           \
	RANGES_NVTX_SCHEMA(w, id, name, prefix, NVTX_PAYLOAD_SCHEMA_FLAG_NONE, 0, \
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME, RANGES_NVTX_UNWRAP list)
#define RANGES_NVTX_SCHEMA_5(w, id, name, prefix, flags, list)           \
	RANGES_NVTX_SCHEMA(w, id, name, prefix, flags, 0,                \
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME |         \
	                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS, \
	                   RANGES_NVTX_UNWRAP list)
#define RANGES_NVTX_SCHEMA_6(w, id, name, prefix, flags, schema_id, list)    \
	RANGES_NVTX_SCHEMA(w, id, name, prefix, flags, schema_id,            \
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME |             \
	                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |    \
	                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID, \
	                   RANGES_NVTX_UNWRAP list)
#define RANGES_NVTX_DEFINE_SCHEMA(what, ...) \
	RANGES_NVTX_JOIN(RANGES_NVTX_SCHEMA_, RANGES_NVTX_COUNT(__VA_ARGS__))(what, __VA_ARGS__)

/* Defines the structure, given all arguments. */
#define RANGES_NVTX_STRUCT(...) \
	RANGES_NVTX_JOIN(RANGES_NVTX_STRUCT_, RANGES_NVTX_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define RANGES_NVTX_STRUCT_2(id, list)               NVTX_DEFINE_STRUCT(id, RANGES_NVTX_UNWRAP list)
#define RANGES_NVTX_STRUCT_3(id, name, list)         NVTX_DEFINE_STRUCT(id, RANGES_NVTX_UNWRAP list)
#define RANGES_NVTX_STRUCT_4(id, name, prefix, list) NVTX_DEFINE_STRUCT(id, RANGES_NVTX_UNWRAP list)
#define RANGES_NVTX_STRUCT_5(id, name, prefix, flags, list) \
	NVTX_DEFINE_STRUCT(id, RANGES_NVTX_UNWRAP list)
#define RANGES_NVTX_STRUCT_6(id, name, prefix, flags, schema_id, list) \
	NVTX_DEFINE_STRUCT(id, RANGES_NVTX_UNWRAP list)

/* ---- The interface ---- */

/* Put this around the list of entries. */
#define NVTX_PAYLOAD_ENTRIES
/* Use this for the id of a schema as the type of an entry. */
#define NVTX_PAYLOAD_NESTED(schemaId)                    NVTX_PAYLOAD_NESTED(schemaId)
#define NVTX_PAYLOAD_ENTRY_NVTX_PAYLOAD_NESTED(schemaId) schemaId

/* Defines struct_id, a type with the given members (type, member). */
#define NVTX_DEFINE_STRUCT(struct_id, ...)                           \
	typedef struct {                                             \
		RANGES_NVTX_EACH(RANGES_NVTX_DECLARE, , __VA_ARGS__) \
	} struct_id;

/*
 * Define two variables for nvtxPayloadSchemaRegister: struct_idSchema, which has the entries, and
 * struct_idAttr. The second macro also defines the type. Arguments: the structure's name; then
 * optionally the schema's name, what precedes the variables ("static const"), the schema's flags
 * and id; last the entries.
 */
#define NVTX_DEFINE_SCHEMA_FOR_STRUCT(struct_id, ...) \
	RANGES_NVTX_DEFINE_SCHEMA(RANGES_NVTX_ENTRY, struct_id, __VA_ARGS__)
#define NVTX_DEFINE_STRUCT_WITH_SCHEMA(struct_id, ...) \
	RANGES_NVTX_STRUCT(struct_id, __VA_ARGS__)     \
	RANGES_NVTX_DEFINE_SCHEMA(RANGES_NVTX_TYPED_ENTRY, struct_id, __VA_ARGS__)

/* Registers the schema in a domain. In NVTX this is a statement with its ';', so it is one here.
 * Its value is the id. */
#define NVTX_PAYLOAD_SCHEMA_REGISTER(domain, struct_id) \
	nvtxPayloadSchemaRegister(domain, &struct_id##Attr);

/* Defines and registers a schema, inside a function. The variable struct_id_schemaId has the id. */
#define NVTX_DEFINE_SCHEMA_FOR_STRUCT_AND_REGISTER(domain, struct_id, ...) \
	NVTX_DEFINE_SCHEMA_FOR_STRUCT(struct_id, __VA_ARGS__)              \
	const uint64_t struct_id##_schemaId = NVTX_PAYLOAD_SCHEMA_REGISTER(domain, struct_id)
#define NVTX_DEFINE_STRUCT_WITH_SCHEMA_AND_REGISTER(domain, struct_id, ...) \
	NVTX_DEFINE_STRUCT_WITH_SCHEMA(struct_id, __VA_ARGS__)              \
	const uint64_t struct_id##_schemaId = NVTX_PAYLOAD_SCHEMA_REGISTER(domain, struct_id)

/* clang-format on */

#endif
