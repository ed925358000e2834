/* SPDX-License-Identifier: MIT */
/* Names for the files made from inputs, one per input. */
#include "analyzer/batch/batch-names.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "format/codec.h"

/* Without control characters, because names are listed in a file, one per line. */
static char *make_name(const struct ra_batch_input *input)
{
	const size_t length = strlen(input->source) - ra_batch_inputs_suffix(input->source);
	char *name = ra_alloc_format("%s%s%.*s", input->run, input->run[0] == '\0' ? "" : "/",
	                             (int) length, input->source);

	for (char *at = name; *at != '\0'; at++) {
		if ((unsigned char) *at < ' ' || *at == 0x7F) {
			*at = '_';
		}
	}
	return name;
}

static int compare_names(const void *a, const void *b)
{
	const struct ra_batch_input *const *left = a;
	const struct ra_batch_input *const *right = b;

	return strcmp((*left)->name, (*right)->name);
}

static void add_crc(struct ra_batch_input *input)
{
	char *name = ra_alloc_format("%s-%08x", input->name,
	                             (unsigned) rlog_codec_crc(input->path, strlen(input->path)));

	free(input->name);
	input->name = name;
}

/* Makes the names in a sorted list unique: if several are equal, each gets a CRC. */
static void tell_apart(struct ra_batch_input **sorted, size_t count)
{
	for (size_t first = 0; first < count;) {
		size_t end = first + 1;

		while (end < count && strcmp(sorted[end]->name, sorted[first]->name) == 0) {
			end++;
		}
		for (size_t i = first; i < end && end - first > 1; i++) {
			add_crc(sorted[i]);
		}
		first = end;
	}
}

void ra_batch_names_make(struct ra_batch_inputs *inputs)
{
	// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
	struct ra_batch_input **sorted = ra_alloc_zeros(inputs->count + 1, sizeof(*sorted));

	for (size_t i = 0; i < inputs->count; i++) {
		struct ra_batch_input *input = &inputs->rows[i];

		free(input->name);
		input->name = make_name(input);
		sorted[i] = input;
	}
	RA_SORT(sorted, inputs->count, compare_names);
	tell_apart(sorted, inputs->count);
	free(sorted);
}
