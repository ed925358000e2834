/* SPDX-License-Identifier: MIT */
/* Feeds the bytes of a JSON input to the tokenizer. */
#include "analyzer/read-json/kineto-json.h"

#include <stdio.h>
#include <string.h>

static int read_input(void *context, char *buffer, size_t size, size_t *count,
                      struct rlog_error *err)
{
	return ra_kineto_input_read(context, buffer, size, count, err);
}

void ra_kineto_json_read(struct ra_json *json, struct ra_kineto_input *input)
{
	struct rlog_error *stop = &json->stop;

	json->read = read_input;
	json->source = input;
	ra_json_read_all(json);
	if (stop->code != 0 && !json->has_failed && ra_kineto_input_is_gzip(input)) {
		const size_t length = strlen(stop->message);

		(void) snprintf(stop->message + length, sizeof(stop->message) - length,
		                " (offset of the unpacked text)");
	}
}
