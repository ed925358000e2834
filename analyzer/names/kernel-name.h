/* SPDX-License-Identifier: MIT */
/* Gives names of kernels for tables: as the compiler made them, or parts of the C++ name. */
#ifndef RA_KERNEL_NAME_H
#define RA_KERNEL_NAME_H

#include "analyzer/base/text/util-text.h"

enum ra_kernel_form {
	RA_KERNEL_FULL,    /* void ns::f<int>(float*) */
	RA_KERNEL_SHORT,   /* ns::f; for CUTLASS and others ns::f<…>, because only the arguments
	                      differ */
	RA_KERNEL_BASE,    /* f; with template arguments in the same cases */
	RA_KERNEL_MANGLED, /* the name as it was recorded */
};

/* The values of --kernel-name, indexed by form; ends with NULL. */
extern const char *const ra_kernel_name_words[];

/*
 * Appends a kernel's name in a form. A name that is not a C++ function's, mangled or not, stays as
 * it is. So does a mangled name if there is no C++ library to demangle it.
 */
void ra_kernel_name_put(struct ra_util_text *text, struct rlog_string name,
                        enum ra_kernel_form form);

#endif
