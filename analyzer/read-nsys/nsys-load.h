/* SPDX-License-Identifier: MIT */
/* Reads an export of nsys in SQLite. */
#ifndef RA_NSYS_LOAD_H
#define RA_NSYS_LOAD_H

#include "analyzer/model/input.h"

/* The input for exports of nsys. If it was built without libsqlite3, it refuses such files with a
 * message. */
extern const struct ra_input ra_nsys_load_input;

#endif
