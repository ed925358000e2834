/* SPDX-License-Identifier: MIT */
/* Splits names that frameworks make for each call into the operation and its fields. */
#ifndef RA_SPLIT_H
#define RA_SPLIT_H

#include <stdbool.h>

#include "analyzer/base/text/util-text.h"

/* A name with more fields than this is not split. */
#define RA_SPLIT_FIELDS 24

enum ra_split_use {
	RA_SPLIT_CALL,  /* tells which call it was: the normal name lacks it */
	RA_SPLIT_WORD,  /* tells what was called: stays in the normal name */
	RA_SPLIT_SHAPE, /* the sizes of its inputs: a list of lists */
};

struct ra_split_field {
	struct rlog_string key;   /* borrowed from the name, like `value` */
	struct rlog_string value; /* with its quotes */
	enum ra_split_use use;
	bool is_number; /* a decimal integer that fits into 64 bits, as JSON writes it */
};

struct ra_split {
	struct rlog_string op; /* borrowed from the name; never empty */
	struct ra_split_field fields[RA_SPLIT_FIELDS];
	size_t field_count;
	bool is_operator;  /* the name was made by PyTorch's emit_nvtx */
	bool has_own_keys; /* the keys are the program's, not the framework's */
};

/*
 * Splits a name if a framework made it in one of these forms; the first form that fits is used:
 *
 *   PyTorch's emit_nvtx    OP, seq = N, op_id = N, sizes = [[…], …], input_op_ids = [(N,N), …]
 *                          (any field may be missing, but one of the first three is there)
 *   TSL and XLA            OP#KEY=VALUE,KEY=VALUE,…#
 *   layer markers of vLLM, SGLang and others
 *                          {'Module': 'OP', …, 'Inputs': [[…], …], …}
 *
 * A name that was cut when it was recorded may end anywhere after its operation. Time is linear in
 * the name's length.
 *
 * Return: false: it has none of these forms.
 */
bool ra_split_name(struct rlog_string name, struct ra_split *split);

/* Appends the normal name: the name without the parts that differ from call to call. These are the
 * operation and, of TSL's values, those that are not integers, as OP#KEY=VALUE#. */
void ra_split_put_normal(struct ra_util_text *text, const struct ra_split *split);

/* The sizes of the inputs. Return: an empty string if there are none. */
struct rlog_string ra_split_find_shape(const struct ra_split *split);

#endif
