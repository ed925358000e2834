/* SPDX-License-Identifier: MIT */
/* Computes the bytes that go into a collective, from the shapes and types in its row of a
 * trace. */
#include "analyzer/names/collective-bytes.h"

#include <stdbool.h>
#include <string.h>

#include "analyzer/base/util.h"

/* Bytes of one value of a type, by the type's name in the trace. */
static int64_t type_bytes(const char *name, size_t length)
{
	static const struct {
		const char *name;
		int64_t bytes;
	} types[] = {
		{ "long int", 8 },  { "float", 4 },         { "int", 4 },
		{ "c10::Half", 2 }, { "c10::BFloat16", 2 }, { "unsigned char", 1 },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0) {
			return types[i].bytes;
		}
	}
	return 0;
}

/* Finds the next "text" of a JSON array of texts. Return: what follows it, NULL if there is
 * none. */
static const char *next_text(const char *at, const char *end, const char **text, size_t *length)
{
	const char *close;

	at = at == NULL ? NULL : memchr(at, '"', (size_t) (end - at));
	close = at == NULL ? NULL : memchr(at + 1, '"', (size_t) (end - at - 1));
	if (close == NULL) {
		return NULL;
	}
	*text = at + 1;
	*length = (size_t) (close - at - 1);
	return close + 1;
}

/* The product of the next [a,b,…] in an array. Return: what follows it, NULL if there is none. */
static const char *next_product(const char *at, const char *end, int64_t *product)
{
	const char *open = memchr(at, '[', (size_t) (end - at));
	int64_t size = 0;
	bool has_digits = false;

	*product = 1;
	if (open == NULL) {
		return NULL;
	}
	for (at = open + 1; at < end; at++) {
		if (*at >= '0' && *at <= '9') {
			has_digits = true;
			if (__builtin_mul_overflow(size, 10, &size) ||
			    __builtin_add_overflow(size, *at - '0', &size)) {
				return NULL;
			}
			continue;
		}
		if (has_digits && __builtin_mul_overflow(*product, size, product)) {
			return NULL;
		}
		has_digits = false;
		size = 0;
		if (*at == ']') {
			return at + 1;
		}
	}
	return NULL;
}

int64_t ra_collective_bytes_of_row(const struct ra_kineto *kineto, uint32_t row)
{
	uint32_t id = ra_kineto_get_text(kineto, row, RA_KINETO_ARG_INPUT_DIMS);
	struct rlog_string dims;
	struct rlog_string types;
	const char *type_at;
	const char *at;
	int64_t sum = 0;

	if (id == 0) {
		id = ra_kineto_get_text(kineto, row, RA_KINETO_ARG_INPUT_DIMS_OLD);
	}
	dims = ra_kineto_string(kineto, id);
	types = ra_kineto_string(kineto, ra_kineto_get_text(kineto, row, RA_KINETO_ARG_INPUT_TYPE));
	type_at = types.bytes;
	at = dims.length == 0 ? NULL : dims.bytes + 1;
	while (at != NULL) {
		int64_t product;
		const char *name = "";
		size_t length = 0;

		at = next_product(at, dims.bytes + dims.length, &product);
		type_at = next_text(type_at, types.bytes + types.length, &name, &length);
		if (at != NULL &&
		    !__builtin_mul_overflow(product, type_bytes(name, length), &product)) {
			sum = ra_util_add_time(sum, product);
		}
	}
	return sum;
}
