/* SPDX-License-Identifier: MIT */
/* Names of C++ functions as people write them. */
#ifndef RA_DEMANGLE_H
#define RA_DEMANGLE_H

#include "format/tables.h"

/*
 * Demangles a kernel's name ("_Z…"). The C++ library of the machine does it, if there is one.
 *
 * @out: gets a NUL-terminated text that the caller frees, or NULL if the name stays as it is.
 */
void ra_demangle_name(struct rlog_string name, char **out);

#endif
