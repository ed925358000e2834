/* SPDX-License-Identifier: MIT */
/* Reading an export of nsys in SQLite. */
#ifndef RA_NSYS_LOAD_H
#define RA_NSYS_LOAD_H

#include "analyzer/model/input.h"

/* Where libsqlite3 was not there when this was built, it refuses such files in words. */
extern const struct ra_input ra_nsys_load_input;

#endif
