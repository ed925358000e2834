/* SPDX-License-Identifier: MIT */
/* Names of files that are made of inputs, one for each. */
#include "analyzer/batch/batch-names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order.h"
#include "format/codec.h"

/* Without control characters: names are listed in a file, a line each. */
static char *make_name(const struct ra_batch_input *input)
{
	const size_t length = strlen(input->source) - ra_batch_inputs_suffix(input->source);
	char *name = NULL;

	if (asprintf(&name, "%s%s%.*s", input->run, input->run[0] == '\0' ? "" : "/", (int) length,
	             input->source) < 0) {
		return NULL;
	}
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

static int add_crc(struct ra_batch_input *input)
{
	char *name = NULL;

	if (asprintf(&name, "%s-%08x", input->name,
	             (unsigned) rlog_codec_crc(input->path, strlen(input->path))) < 0) {
		return -RLOG_E_NO_MEMORY;
	}
	free(input->name);
	input->name = name;
	return 0;
}

/* Stretches of equal names. */
static int tell_apart(struct ra_batch_input **sorted, size_t count)
{
	int rc = 0;

	for (size_t first = 0; first < count && rc == 0;) {
		size_t end = first + 1;

		while (end < count && strcmp(sorted[end]->name, sorted[first]->name) == 0) {
			end++;
		}
		for (size_t i = first; i < end && end - first > 1 && rc == 0; i++) {
			rc = add_crc(sorted[i]);
		}
		first = end;
	}
	return rc;
}

int ra_batch_names_make(struct ra_batch_inputs *inputs)
{
	// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
	struct ra_batch_input **sorted = calloc(inputs->count + 1, sizeof(*sorted));
	int rc = sorted == NULL ? -RLOG_E_NO_MEMORY : 0;

	for (size_t i = 0; i < inputs->count && rc == 0; i++) {
		struct ra_batch_input *input = &inputs->rows[i];

		free(input->name);
		input->name = make_name(input);
		sorted[i] = input;
		rc = input->name == NULL ? -RLOG_E_NO_MEMORY : 0;
	}
	if (rc == 0) {
		RA_SORT(sorted, inputs->count, compare_names);
		rc = tell_apart(sorted, inputs->count);
	}
	free(sorted);
	return rc;
}
