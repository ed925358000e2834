/* SPDX-License-Identifier: MIT */
/* The list of inputs. */
#ifndef RA_INPUTS_H
#define RA_INPUTS_H

#include <stddef.h>

#include "analyzer/model/input.h"

/* The input whose files begin like this source; the log's input if none does. */
const struct ra_input *ra_inputs_find(const struct ra_source *source);

/* The length of the suffix in a file's name that some input has; 0: none. */
size_t ra_inputs_suffix(const char *name);

#endif
