/* SPDX-License-Identifier: MIT */
/* Writes JUnit's XML, which CI systems show as tests that pass or fail. */
#ifndef RA_JUNIT_H
#define RA_JUNIT_H

#include "analyzer/base/text/util-text.h"

void ra_junit_begin(struct ra_util_text *text, const char *suite, size_t cases, size_t failures);
void ra_junit_end(struct ra_util_text *text);

/* Appends a test case. @failure: tells why it fails, escaped as RA_TEXT_TERMINAL; if empty, the
 * case passes. */
void ra_junit_put(struct ra_util_text *text, const char *kind, struct rlog_string name,
                  struct rlog_string failure);

/* Appends a case that can't be decided. @why: tells why; not empty. */
void ra_junit_put_skipped(struct ra_util_text *text, const char *kind, struct rlog_string name,
                          struct rlog_string why);

/* Appends a case that passes, with a text for the reader. */
void ra_junit_put_passed(struct ra_util_text *text, const char *kind, struct rlog_string name,
                         struct rlog_string output);

#endif
