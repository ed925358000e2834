/* SPDX-License-Identifier: MIT */
/* Lists whose figures a report can give: our own, or those of another tool, including its
 * faults. */
#include "analyzer/report/compat.h"

#include <stddef.h>

const char *const ra_compat_words[] = { "none", "tb", "hta", "torch", "torch-old", NULL };
