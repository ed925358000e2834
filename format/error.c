/* SPDX-License-Identifier: MIT */
/* Names of error codes, and filling struct rlog_error. */
#include "format/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
	[RLOG_OK] = "OK",
	[RLOG_E_SYSTEM] = "E_SYSTEM",
	[RLOG_E_NO_MEMORY] = "E_NO_MEMORY",
	[RLOG_E_NOT_A_LOG] = "E_NOT_A_LOG",
	[RLOG_E_EMPTY] = "E_EMPTY",
	[RLOG_E_VERSION] = "E_VERSION",
	[RLOG_E_HEADER] = "E_HEADER",
	[RLOG_E_PAYLOAD_CRC] = "E_PAYLOAD_CRC",
	[RLOG_E_INFLATE] = "E_INFLATE",
	[RLOG_E_MSGPACK] = "E_MSGPACK",
	[RLOG_E_SCHEMA] = "E_SCHEMA",
	[RLOG_E_TRUNCATED] = "E_TRUNCATED",
	[RLOG_E_NOT_A_FILE] = "E_NOT_A_FILE",
	[RLOG_E_FULL] = "E_FULL",
	[RLOG_E_ARGUMENT] = "E_ARGUMENT",
	[RLOG_E_TOO_DENSE] = "E_TOO_DENSE",
};

int rlog_error_set(struct rlog_error *err, int code, uint64_t offset, const char *format, ...)
{
	const int saved_errno = errno;
	va_list args;

	if (err) {
		memset(err, 0, sizeof(*err));
		err->code = code;
		err->sys_errno = code == RLOG_E_SYSTEM ? saved_errno : 0;
		err->offset = offset;
		va_start(args, format);
		(void) vsnprintf(err->message, sizeof(err->message), format, args);
		va_end(args);
	}
	errno = saved_errno;
	return -code;
}

const char *rlog_error_name(int code)
{
	const size_t count = sizeof(names) / sizeof(names[0]);

	if (code < 0 || (size_t) code >= count || !names[code]) {
		return "E_UNKNOWN";
	}
	return names[code];
}
