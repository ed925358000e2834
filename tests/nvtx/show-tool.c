/* SPDX-License-Identifier: MIT */
/*
 * An NVTX tool for tests: writes each call with its arguments, a line each, to the file
 * SHOW_TOOL_OUT. Handles and ids that it gives out are numbers from 1001 on. SHOW_TOOL_EXT=none: it
 * exports an entry for extensions that refuses. Knows the interface from doc text only, includes no
 * NVTX header.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show-tool.h"

/* NOLINTBEGIN(bugprone-macro-parentheses,performance-no-int-to-ptr,readability-function-size):
 * arguments are pointers or numbers, as the table says */

typedef void (*slot_fn)(void);
typedef uint64_t (*any_fn)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, double);

struct callbacks {
	size_t struct_size;
	int (*get_module)(int module, slot_fn **out_table[], unsigned *out_size);
};

struct segment {
	size_t segment_id;
	size_t slot_count;
	intptr_t *slots;
};

struct module_info {
	uint16_t nvtx_version;
	uint16_t struct_size;
	uint16_t module_id;
	uint16_t compat_id;
	size_t segment_count;
	struct segment *segments;
	intptr_t (*get_export_function)(uint32_t id);
	const uint16_t *ext_info;
};

struct attributes {
	uint16_t version;
	uint16_t size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type;
	int32_t reserved0;
	uint64_t payload;
	int32_t message_type;
	const void *message;
};

struct payload {
	uint64_t schema;
	size_t size;
	const unsigned char *bytes;
};

/* Of a schema. */
struct entry {
	uint64_t flags;
	uint64_t type;
	const char *name;
	const char *description;
	uint64_t detail;
	uint64_t offset;
	const void *semantics;
	const void *reserved;
};

/* Of an enumeration. */
struct value {
	const char *name;
	uint64_t value;
	int8_t is_flag;
};

static FILE *out;
static int depth;
static uint64_t given = 1000;

static void show_message(int32_t type, const void *message)
{
	if (type == 1) {
		fprintf(out, " \"%s\"", message != NULL ? (const char *) message : "(null)");
	} else if (type == 2) {
		fprintf(out, " L\"%ls\"", (const wchar_t *) message);
	} else if (type == 3) {
		fprintf(out, " string:%llu", (unsigned long long) (uintptr_t) message);
	}
}

/* By their sizes; their bytes may be addresses. */
static void show_payloads(const struct payload *payloads, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		fprintf(out, " [%llu:", (unsigned long long) payloads[i].schema);
		if (payloads[i].size == SIZE_MAX) {
			fprintf(out, "\"%s\"]", (const char *) payloads[i].bytes);
			continue;
		}
		fprintf(out, "%zu]", payloads[i].size);
	}
}

static void show_attributes(const struct attributes *attributes)
{
	fprintf(out, " {%u %u c%u", attributes->version, attributes->size, attributes->category);
	if (attributes->color_type != 0) {
		fprintf(out, " #%08x", attributes->color);
	}
	if (attributes->payload_type == (int32_t) 0xDFBD0009) {
		show_payloads((const struct payload *) (uintptr_t) attributes->payload,
		              (uint64_t) attributes->reserved0);
	} else if (attributes->payload_type != 0) {
		fprintf(out, " %d:%llx", attributes->payload_type,
		        (unsigned long long) attributes->payload);
	}
	show_message(attributes->message_type, attributes->message);
	fputc('}', out);
}

static void show_entries(const struct entry *entries, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		fprintf(out, " (%llx %llu %s %llu @%llu)", (unsigned long long) entries[i].flags,
		        (unsigned long long) entries[i].type,
		        entries[i].name != NULL ? entries[i].name : "-",
		        (unsigned long long) entries[i].detail,
		        (unsigned long long) entries[i].offset);
	}
}

static void show_values(const struct value *values, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		fprintf(out, " (%s %llu %d)", values[i].name, (unsigned long long) values[i].value,
		        values[i].is_flag);
	}
}

/* Of a schema, an enumeration or a counter. */
static void show_definition(char kind, const uint64_t *fields)
{
	const char *const name = (const char *) (uintptr_t) fields[kind == 'c' ? 2 : 1];

	fprintf(out, " {%llx \"%s\"", (unsigned long long) fields[0], name != NULL ? name : "");
	if (kind == 's') { /* type, flags, size, alignment, id, entries */
		fprintf(out, " %llu %llx %llu %llu %llu", (unsigned long long) fields[2],
		        (unsigned long long) fields[3], (unsigned long long) fields[6],
		        (unsigned long long) fields[7], (unsigned long long) fields[8]);
		show_entries((const struct entry *) (uintptr_t) fields[4], fields[5]);
	} else if (kind == 'm') { /* size, id, entries */
		fprintf(out, " %llu %llu", (unsigned long long) fields[4],
		        (unsigned long long) fields[5]);
		show_values((const struct value *) (uintptr_t) fields[2], fields[3]);
	} else { /* schema, scope, id */
		fprintf(out, " %llu %llu %llu", (unsigned long long) fields[1],
		        (unsigned long long) fields[4], (unsigned long long) fields[6]);
	}
	fputc('}', out);
}

/* Of a resource or a lock. */
static void show_object(char kind, const int32_t *fields)
{
	const int at = kind == 'r' ? 4 : 1; /* of the message's type */
	const void *message;

	memcpy(&message, kind == 'r' ? fields + 6 : fields + 2, sizeof(message));
	fprintf(out, " {%d", fields[0] >> 16);
	if (kind == 'r') {
		fprintf(out, " %x", (unsigned) fields[1]);
	}
	show_message(fields[at], message);
	fputc('}', out);
}

/* Numbers of any size; what looks like an address is one, and differs from run to run. */
static void show_number(const char *text, uint64_t number)
{
	if (number >> 40 != 0 && (int64_t) number >> 40 != -1) {
		fprintf(out, " %s@", text);
	} else {
		fprintf(out, " %s%lld", text, (long long) number);
	}
}

static void show_argument(char kind, const uint64_t *args, int at, double number)
{
	switch (kind) {
	case 'a':
		show_message(1, (const void *) (uintptr_t) args[at]);
		break;
	case 'w':
		show_message(2, (const void *) (uintptr_t) args[at]);
		break;
	case 'e':
		show_attributes((const struct attributes *) (uintptr_t) args[at]);
		break;
	case 'p':
		show_payloads((const struct payload *) (uintptr_t) args[at], args[at + 1]);
		break;
	case 'r':
	case 'y':
		show_object(kind, (const int32_t *) (uintptr_t) args[at]);
		break;
	case 's':
	case 'm':
	case 'c':
		show_definition(kind, (const uint64_t *) (uintptr_t) args[at]);
		break;
	case 'i':
		show_number("", (uint64_t) (int64_t) (int32_t) args[at]);
		break;
	case 'b':
		show_number("", args[at] & 0xFF);
		break;
	case 'f':
		fprintf(out, " %g", number);
		break;
	default: /* 'n' */
		show_number("", args[at]);
	}
}

static uint64_t show(int index, const uint64_t *args, double number)
{
	const struct show_tool_row *row;
	uint64_t result = 0;
	int at = 0;

	/* There are a few more functions than rows; nobody gets the extra ones. */
	if ((size_t) index >= sizeof(show_tool_rows) / sizeof(show_tool_rows[0])) {
		return 0;
	}
	row = &show_tool_rows[index];
	fprintf(out, "%s", row->name);
	for (const char *kind = row->kinds; *kind != '\0'; kind++) {
		show_argument(*kind, args, at, number);
		at += *kind != 'f';
	}
	if (row->result == '+') {
		result = (uint64_t) depth++;
	} else if (row->result == '-') {
		result = (uint64_t) --depth;
	} else if (row->result == 'h') {
		result = ++given;
	} else if (row->result == '1') {
		result = 1;
	}
	if (row->result != 'v') {
		fprintf(out, " = %lld", (long long) result);
	}
	fputc('\n', out);
	return result;
}

/* One function for each row of the table. */
#define FN(n)                                                                              \
	static uint64_t fn_##n(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, \
	                       uint64_t f, double number)                                  \
	{                                                                                  \
		const uint64_t args[] = { a, b, c, d, e, f };                              \
                                                                                           \
		return show(0##n - 01000, args, number);                                   \
	}
#define EIGHT(n) FN(n##0) FN(n##1) FN(n##2) FN(n##3) FN(n##4) FN(n##5) FN(n##6) FN(n##7)
#define NAME(n)  fn_##n
#define EIGHT_NAMES(n)                                                                      \
	NAME(n##0), NAME(n##1), NAME(n##2), NAME(n##3), NAME(n##4), NAME(n##5), NAME(n##6), \
		NAME(n##7)
/* Octal numbers from 1000 on, as a number cannot begin with 0 in a name that is pasted. */
EIGHT(100)
EIGHT(101)
EIGHT(102)
EIGHT(103)
EIGHT(104)
EIGHT(105)
EIGHT(106)
EIGHT(107)
EIGHT(110)
EIGHT(111)
EIGHT(112)
EIGHT(113)
EIGHT(114)
EIGHT(115)

static const any_fn functions[] = {
	EIGHT_NAMES(100), EIGHT_NAMES(101), EIGHT_NAMES(102), EIGHT_NAMES(103), EIGHT_NAMES(104),
	EIGHT_NAMES(105), EIGHT_NAMES(106), EIGHT_NAMES(107), EIGHT_NAMES(110), EIGHT_NAMES(111),
	EIGHT_NAMES(112), EIGHT_NAMES(113), EIGHT_NAMES(114), EIGHT_NAMES(115),
};

static int open_out(void)
{
	const char *const path = getenv("SHOW_TOOL_OUT");

	if (out == NULL && path != NULL) {
		out = fopen(path, "w");
	}
	return out != NULL;
}

static void __attribute__((destructor)) close_out(void)
{
	if (out != NULL) {
		fclose(out);
	}
}

static intptr_t get_function(int module, unsigned slot)
{
	for (int i = 0; show_tool_rows[i].name != NULL; i++) {
		if (show_tool_rows[i].module == module && show_tool_rows[i].slot == slot) {
			return (intptr_t) functions[i];
		}
	}
	return 0;
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(
	const void *(*get_table)(uint32_t));
__attribute__((visibility("default"))) int InitializeInjectionNvtxExtension(
	struct module_info *info);

int InitializeInjectionNvtx2(const void *(*get_table)(uint32_t))
{
	const struct callbacks *const callbacks = get_table(1);

	if (!open_out()) {
		return 0;
	}
	for (int module = 1; module <= 6; module++) {
		slot_fn **table = NULL;
		unsigned size = 0;

		if (callbacks->get_module(module, &table, &size) != 1 || table[0] != NULL) {
			return 0;
		}
		fprintf(out, "module %d: %u\n", module, size - 1);
		for (unsigned slot = 1; slot < size; slot++) {
			*table[slot] = (slot_fn) get_function(module, slot);
		}
	}
	return 1;
}

int InitializeInjectionNvtxExtension(struct module_info *info)
{
	if (!open_out() || info->struct_size != sizeof(*info) || info->segment_count != 1) {
		return 0;
	}
	fprintf(out, "extension %d: version %d compat %04x segment %zu slots %zu\n",
	        info->module_id, info->nvtx_version, info->compat_id, info->segments[0].segment_id,
	        info->segments[0].slot_count);
	if (info->ext_info != NULL) {
		/* Not the last three: only some languages have them. */
		const uint16_t *types = info->ext_info;

		for (int i = 0; i < info->ext_info[0] - 3; i++, types += 2) {
			fprintf(out, " %d/%d", types[0], types[1]);
		}
		fputc('\n', out);
	}
	for (unsigned slot = 0; slot < info->segments[0].slot_count; slot++) {
		if (info->segments[0].slots[slot] != 0) {
			return 0;
		}
		info->segments[0].slots[slot] = get_function(100 + info->module_id, slot);
	}
	return getenv("SHOW_TOOL_EXT") == NULL;
}

/* NOLINTEND(bugprone-macro-parentheses,performance-no-int-to-ptr,readability-function-size) */
