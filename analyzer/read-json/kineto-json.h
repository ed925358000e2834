/* SPDX-License-Identifier: MIT */
/* Feeds the bytes of a JSON input to the tokenizer. */
#ifndef RA_KINETO_JSON_H
#define RA_KINETO_JSON_H

#include "analyzer/json/json-read.h"
#include "analyzer/read-json/kineto-input.h"

/* Does what ra_json_read_all() does, for an input. The message in json->stop tells if its offset is
 * one in the unpacked text. */
void ra_kineto_json_read(struct ra_json *json, struct ra_kineto_input *input);

#endif
