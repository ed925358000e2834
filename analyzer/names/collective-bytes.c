/* SPDX-License-Identifier: MIT */
/* Computes the bytes that go into a collective, from the shapes and types in its row of a
 * trace. */
#include "analyzer/names/collective-bytes.h"

#include <stdbool.h>
#include <string.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"

static const struct {
	const char *name;
	int64_t bytes;
} sizes_of_types[] = {
	{ "c10::BFloat16", 2 },
	{ "c10::Half", 2 },
	{ "float", 4 },
	{ "double", 8 },
	{ "bool", 1 },
	{ "signed char", 1 },
	{ "unsigned char", 1 },
	{ "short", 2 },
	{ "short int", 2 },
	{ "unsigned short", 2 },
	{ "short unsigned int", 2 },
	{ "int", 4 },
	{ "unsigned int", 4 },
	{ "long", 8 },
	{ "long int", 8 },
	{ "unsigned long", 8 },
	{ "long unsigned int", 8 },
	{ "c10::Float8_e4m3fn", 1 },
	{ "c10::Float8_e5m2", 1 },
	{ "c10::Float8_e4m3fnuz", 1 },
	{ "c10::Float8_e5m2fnuz", 1 },
	{ "c10::complex<c10::Half>", 4 },
	{ "c10::complex<float>", 8 },
	{ "c10::complex<double>", 16 },
	{ "Float", 4 },
	{ "Half", 2 },
	{ "BFloat16", 2 },
	{ "Double", 8 },
	{ "Bool", 1 },
	{ "Byte", 1 },
	{ "Char", 1 },
	{ "Short", 2 },
	{ "Int", 4 },
	{ "Long", 8 },
	{ "UInt16", 2 },
	{ "UInt32", 4 },
	{ "UInt64", 8 },
	{ "Float8_e4m3fn", 1 },
	{ "Float8_e5m2", 1 },
	{ "Float8_e4m3fnuz", 1 },
	{ "Float8_e5m2fnuz", 1 },
	{ "ComplexHalf", 4 },
	{ "ComplexFloat", 8 },
	{ "ComplexDouble", 16 },
};

int64_t ra_collective_type_bytes(struct rlog_string name)
{
	for (size_t i = 0; i < sizeof(sizes_of_types) / sizeof(sizes_of_types[0]); i++) {
		if (ra_util_string_is(name, sizes_of_types[i].name)) {
			return sizes_of_types[i].bytes;
		}
	}
	return 0;
}

/* Finds the next "text" of a JSON array of texts. Return: what follows it, NULL if there is
 * none. */
static const char *next_text(const char *at, const char *end, struct rlog_string *text)
{
	const char *close;

	at = at == NULL ? NULL : memchr(at, '"', (size_t) (end - at));
	close = at == NULL ? NULL : memchr(at + 1, '"', (size_t) (end - at - 1));
	if (close == NULL) {
		return NULL;
	}
	text->bytes = at + 1;
	text->length = (size_t) (close - at - 1);
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

int64_t ra_collective_bytes_of_row(const struct ra_kineto *kineto, uint32_t row,
                                   ra_collective_sizes *sizes)
{
	uint32_t id = ra_kineto_get_text(kineto, row, RA_KINETO_ARG_INPUT_DIMS);
	struct rlog_string dims;
	struct rlog_string types;
	const char *type_at;
	const char *at;
	int64_t sum = -1;

	if (id == 0) {
		id = ra_kineto_get_text(kineto, row, RA_KINETO_ARG_INPUT_DIMS_OLD);
	}
	dims = ra_kineto_string(kineto, id);
	types = ra_kineto_string(kineto, ra_kineto_get_text(kineto, row, RA_KINETO_ARG_INPUT_TYPE));
	type_at = types.bytes;
	at = dims.length == 0 ? NULL : dims.bytes + 1;
	while (at != NULL) {
		struct rlog_string name = { "", 0, 0 };
		int64_t product;
		int64_t bytes;

		at = next_product(at, dims.bytes + dims.length, &product);
		type_at = next_text(type_at, types.bytes + types.length, &name);
		bytes = sizes(name);
		if (at != NULL && bytes > 0 && !__builtin_mul_overflow(product, bytes, &product)) {
			sum = ra_util_add_time(sum < 0 ? 0 : sum, product);
		}
	}
	return sum;
}
