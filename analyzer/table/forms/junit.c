/* SPDX-License-Identifier: MIT */
/* Writes JUnit's XML, which CI systems show as tests that pass or fail. */
#include "analyzer/table/forms/junit.h"

/* Appends text for XML. XML allows no control characters, not even escaped ones; RA_TEXT_TERMINAL
 * has removed them. */
static void put_xml(struct ra_util_text *text, struct rlog_string name)
{
	struct ra_util_text safe = { 0 };

	ra_util_text_put_name(&safe, name, RA_TEXT_TERMINAL);
	for (size_t i = 0; i < safe.length; i++) {
		const char c = safe.bytes[i];

		if (c == '&') {
			ra_util_text_format(text, "&amp;");
		} else if (c == '<') {
			ra_util_text_format(text, "&lt;");
		} else if (c == '"') {
			ra_util_text_format(text, "&quot;");
		} else {
			ra_util_text_put_char(text, c);
		}
	}
	ra_util_text_free(&safe);
}

void ra_junit_begin(struct ra_util_text *text, const char *suite, size_t cases, size_t failures)
{
	ra_util_text_format(text,
	                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	                    "<testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\">\n",
	                    suite, cases, failures);
}

void ra_junit_end(struct ra_util_text *text)
{
	ra_util_text_format(text, "</testsuite>\n");
}

static void put_case(struct ra_util_text *text, const char *kind, struct rlog_string name,
                     const char *element, struct rlog_string message)
{
	ra_util_text_format(text, "  <testcase classname=\"%s\" name=\"", kind);
	put_xml(text, name);
	if (message.length == 0) {
		ra_util_text_format(text, "\"/>\n");
		return;
	}
	ra_util_text_format(text, "\">\n    <%s message=\"", element);
	put_xml(text, message);
	ra_util_text_format(text, "\"/>\n  </testcase>\n");
}

void ra_junit_put(struct ra_util_text *text, const char *kind, struct rlog_string name,
                  struct rlog_string failure)
{
	put_case(text, kind, name, "failure", failure);
}

void ra_junit_put_skipped(struct ra_util_text *text, const char *kind, struct rlog_string name,
                          struct rlog_string why)
{
	put_case(text, kind, name, "skipped", why);
}

void ra_junit_put_passed(struct ra_util_text *text, const char *kind, struct rlog_string name,
                         struct rlog_string output)
{
	ra_util_text_format(text, "  <testcase classname=\"%s\" name=\"", kind);
	put_xml(text, name);
	ra_util_text_format(text, "\">\n    <system-out>");
	put_xml(text, output);
	ra_util_text_format(text, "</system-out>\n  </testcase>\n");
}
