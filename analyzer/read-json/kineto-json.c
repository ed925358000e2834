/* SPDX-License-Identifier: MIT */
/* The bytes of an input of JSON, to the tokenizer. */
#include "analyzer/read-json/kineto-json.h"

#include <stdio.h>
#include <string.h>

struct source {
	struct ra_kineto_input *input;
	bool has_failed; /* the error is the input's own */
};

static int read_input(void *context, char *buffer, size_t size, size_t *count,
                      struct rlog_error *err)
{
	struct source *source = context;
	const int rc = ra_kineto_input_read(source->input, buffer, size, count, err);

	source->has_failed = rc != 0;
	return rc;
}

void ra_kineto_json_read(struct ra_json *json, struct ra_kineto_input *input)
{
	struct source source = { .input = input };
	struct rlog_error *stop = &json->stop;

	json->read = read_input;
	json->source = &source;
	ra_json_read_all(json);
	if (stop->code != 0 && !source.has_failed && ra_kineto_input_is_gzip(input)) {
		const size_t length = strlen(stop->message);

		(void) snprintf(stop->message + length, sizeof(stop->message) - length,
		                " (offset of the unpacked text)");
	}
}
