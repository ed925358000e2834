/* SPDX-License-Identifier: MIT */
/* Whose figures a report gives: ours, or those of another tool with its faults. */
#include "analyzer/report/compat.h"

#include <stddef.h>

const char *const ra_compat_words[] = { "none", "tb", "hta", "torch", "torch-old", NULL };
