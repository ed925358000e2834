/* SPDX-License-Identifier: MIT */
/* Keeps copies of strings and definitions. */
#include "format/write/keep.h"

#include <stdlib.h>
#include <string.h>

#include "format/error.h"

void rlog_keep_fini(struct rlog_keep *keep)
{
	free(keep->bytes);
	free(keep->strings);
	free(keep->defs);
	*keep = (struct rlog_keep){ 0 };
}

/* Makes room for `needed` elements. Return: the array, the same or a bigger one; NULL: no memory,
 * and the old array is unchanged. */
static void *make_room(void *array, size_t needed, size_t *capacity, size_t element_bytes)
{
	size_t bigger = *capacity ? *capacity : 64;
	void *grown = NULL;

	if (needed <= *capacity) {
		return array;
	}
	while (bigger < needed) {
		if (bigger > SIZE_MAX / element_bytes / 2) {
			return NULL;
		}
		bigger *= 2;
	}
	grown = realloc(array, bigger * element_bytes);
	if (grown) {
		*capacity = bigger;
	}
	return grown;
}

int rlog_keep_add_strings(struct rlog_keep *keep, const struct rlog_string *strings, size_t count)
{
	size_t bytes = keep->byte_count;
	void *grown = NULL;

	if (count == 0) {
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		bytes += strings[i].length;
	}
	/* Asks for one byte more, so that the block is allocated even if all strings are empty. */
	grown = make_room(keep->bytes, bytes + 1, &keep->byte_capacity, 1);
	if (!grown) {
		return -RLOG_E_NO_MEMORY;
	}
	keep->bytes = grown;
	grown = make_room(keep->strings, keep->string_count + count, &keep->string_capacity,
	                  sizeof(*keep->strings));
	if (!grown) {
		return -RLOG_E_NO_MEMORY;
	}
	keep->strings = grown;
	for (size_t i = 0; i < count; i++) {
		const struct rlog_string *const string = &strings[i];

		keep->strings[keep->string_count++] = (struct rlog_keep_string){
			.at = keep->byte_count,
			.length = string->length,
			.full_length = string->full_length,
		};
		if (string->length) {
			memcpy(keep->bytes + keep->byte_count, string->bytes, string->length);
		}
		keep->byte_count += string->length;
	}
	return 0;
}

int rlog_keep_add_defs(struct rlog_keep *keep, const struct rlog_def *defs, size_t count)
{
	void *grown = NULL;

	if (count == 0) {
		return 0;
	}
	grown = make_room(keep->defs, keep->def_count + count, &keep->def_capacity,
	                  sizeof(*keep->defs));
	if (!grown) {
		return -RLOG_E_NO_MEMORY;
	}
	keep->defs = grown;
	memcpy(keep->defs + keep->def_count, defs, count * sizeof(*defs));
	keep->def_count += count;
	return 0;
}

void rlog_keep_cut_strings(struct rlog_keep *keep, size_t count)
{
	if (count < keep->string_count) {
		keep->byte_count = keep->strings[count].at;
		keep->string_count = count;
	}
}

void rlog_keep_cut_defs(struct rlog_keep *keep, size_t count)
{
	keep->def_count = count < keep->def_count ? count : keep->def_count;
}

struct rlog_string rlog_keep_string_at(const struct rlog_keep *keep, size_t i)
{
	const struct rlog_keep_string *const kept = &keep->strings[i];

	return (struct rlog_string){
		.bytes = keep->bytes + kept->at,
		.length = kept->length,
		.full_length = kept->full_length,
	};
}
