/* SPDX-License-Identifier: MIT */
/* The bytes of an input of JSON, to the tokenizer. */
#ifndef RA_KINETO_JSON_H
#define RA_KINETO_JSON_H

#include "analyzer/json/json-read.h"
#include "analyzer/read-json/kineto-input.h"

/* As ra_json_read_all(), of an input; json->stop says which text its offset is of. */
void ra_kineto_json_read(struct ra_json *json, struct ra_kineto_input *input);

#endif
