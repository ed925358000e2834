/* SPDX-License-Identifier: MIT */
/* The list of inputs. */
#ifndef RA_INPUTS_H
#define RA_INPUTS_H

#include "analyzer/model/input.h"

/* The input whose files begin like this one; the log's if none does. */
const struct ra_input *ra_inputs_find(const struct ra_source *source);

#endif
