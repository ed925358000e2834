/* SPDX-License-Identifier: MIT */
/* Counts a finding of `analyzer verify`, and reports it to the caller. */
#include "analyzer/inspect/verify.h"

#include <stdarg.h>
#include <stdio.h>

void ra_verify_report(struct ra_verify *verify, uint64_t offset, const char *format, ...)
{
	char message[300];
	va_list list;

	va_start(list, format);
	vsnprintf(message, sizeof(message), format, list);
	va_end(list);
	verify->findings++;
	verify->finding(verify->context, offset, message);
}
