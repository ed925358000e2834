/* SPDX-License-Identifier: MIT */
/* Demangles names of C++ functions. */
#ifndef RA_DEMANGLE_H
#define RA_DEMANGLE_H

#include "format/tables.h"

/*
 * Demangles a kernel's name ("_Z…") with the C++ library of the machine, if there is one.
 *
 * @out: gets a NUL-terminated text that the caller frees, or NULL if the name stays as it is.
 */
void ra_demangle_name(struct rlog_string name, char **out);

#endif
