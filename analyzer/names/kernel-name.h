/* SPDX-License-Identifier: MIT */
/* What tables call kernels: the name as the compiler made it, or more or less of the C++ name. */
#ifndef RA_KERNEL_NAME_H
#define RA_KERNEL_NAME_H

#include "analyzer/base/text/util-text.h"

enum ra_kernel_form {
	RA_KERNEL_FULL, /* void ns::f<int>(float*) */
	RA_KERNEL_SHORT, /* ns::f; of CUTLASS and others ns::f<…>, where that is what they differ in
	                  */
	RA_KERNEL_BASE,    /* f; the same */
	RA_KERNEL_MANGLED, /* as it was recorded */
};

/* The words of --kernel-name, at the index of their form; ends with NULL. */
extern const char *const ra_kernel_name_words[];

/*
 * Appends a kernel's name in a form. What is no C++ function's name, mangled or written out, stays
 * as it is, and so does what no C++ library is there to demangle.
 */
void ra_kernel_name_put(struct ra_util_text *text, struct rlog_string name,
                        enum ra_kernel_form form);

#endif
