/* SPDX-License-Identifier: MIT */
/* Lists the inputs: the kinds of files that can be read. */
#ifndef RA_INPUTS_H
#define RA_INPUTS_H

#include <stddef.h>

#include "analyzer/model/input.h"

/* The input whose files begin like this source; if none does, the input for logs. */
const struct ra_input *ra_inputs_find(const struct ra_source *source);

/* The length of the suffix of a file's name, if it is a suffix of some input's files; 0: it is
 * not. */
size_t ra_inputs_suffix(const char *name);

#endif
