/* SPDX-License-Identifier: MIT */
/* The input for logs, in the list of inputs. */
#ifndef RA_LOG_INPUT_H
#define RA_LOG_INPUT_H

#include "analyzer/model/input.h"

extern const struct ra_input ra_log_input;

#endif
