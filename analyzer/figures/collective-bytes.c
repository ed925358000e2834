/* SPDX-License-Identifier: MIT */
/* Computes the bytes that go into a collective, from the shapes and types in its row of a
 * trace. */
#include "analyzer/figures/collective-bytes.h"

#include <stdbool.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/names/scalar.h"

int64_t ra_collective_type_bytes(struct rlog_string name)
{
	const struct ra_scalar *scalar = ra_scalar_find(name);

	return scalar == NULL ? 0 : scalar->bytes;
}

/* Finds the next "text" of a JSON array of texts. Return: the characters after it, NULL if there is
 * no further text. */
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

/* Multiplies the sizes in the next [a,b,…] of an array. Return: the characters after it, NULL if
 * there is no further list. */
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
