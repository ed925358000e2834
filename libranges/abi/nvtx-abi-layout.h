/* SPDX-License-Identifier: MIT */
/* Checks the layout of NVTX's structures on LP64; other machines have layouts of their own. */
#ifndef RCAP_NVTX_ABI_LAYOUT_H
#define RCAP_NVTX_ABI_LAYOUT_H

#include <stddef.h>

#define RCAP_NVTX_IS_SIZED(type, bytes) \
	_Static_assert(sizeof(void *) != 8 || sizeof(struct type) == (bytes), #type)
#define RCAP_NVTX_IS_AT(type, member, off)                                            \
	_Static_assert(sizeof(void *) != 8 || offsetof(struct type, member) == (off), \
	               #type "." #member)

#endif
