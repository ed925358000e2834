/* SPDX-License-Identifier: MIT */
/* JUnit's XML: what CI systems show as tests that pass or fail. */
#ifndef RA_JUNIT_H
#define RA_JUNIT_H

#include "analyzer/base/text/util-text.h"

void ra_junit_begin(struct ra_util_text *text, const char *suite, size_t cases, size_t failures);
void ra_junit_end(struct ra_util_text *text);

/* A case. @failure: why it fails, as RA_TEXT_TERMINAL; an empty one passes. */
void ra_junit_put(struct ra_util_text *text, const char *kind, struct rlog_string name,
                  struct rlog_string failure);

/* A case that can't be told. @why: not empty. */
void ra_junit_put_skipped(struct ra_util_text *text, const char *kind, struct rlog_string name,
                          struct rlog_string why);

/* A case that passes, with something to be read. */
void ra_junit_put_passed(struct ra_util_text *text, const char *kind, struct rlog_string name,
                         struct rlog_string output);

#endif
