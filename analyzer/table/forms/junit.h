/* SPDX-License-Identifier: MIT */
/* JUnit's XML, which CI systems show as tests that pass or fail. */
#ifndef RA_JUNIT_H
#define RA_JUNIT_H

#include "analyzer/base/text/util-text.h"

void ra_junit_begin(struct ra_util_text *text, const char *suite, size_t cases, size_t failures);
void ra_junit_end(struct ra_util_text *text);

/* Appends a test case. @failure: why it fails, as RA_TEXT_TERMINAL; if empty, it passes. */
void ra_junit_put(struct ra_util_text *text, const char *kind, struct rlog_string name,
                  struct rlog_string failure);

/* Appends a case that can't be decided. @why: not empty. */
void ra_junit_put_skipped(struct ra_util_text *text, const char *kind, struct rlog_string name,
                          struct rlog_string why);

/* Appends a case that passes, with a text to read. */
void ra_junit_put_passed(struct ra_util_text *text, const char *kind, struct rlog_string name,
                         struct rlog_string output);

#endif
