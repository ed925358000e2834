/* SPDX-License-Identifier: MIT */
/* Makes the file name of a log from the pattern of RANGES_OUTPUT. */
#include "libranges/drain/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libranges/settings/config.h"
#include "libranges/base/log.h"

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE (1 << 0)
#endif

struct text {
	char *bytes;
	size_t length;
	size_t size;
	bool is_full;
};

static void append(struct text *out, const char *bytes, size_t length)
{
	if (length >= out->size - out->length) {
		out->is_full = true;
		return;
	}
	memcpy(out->bytes + out->length, bytes, length);
	out->length += length;
	out->bytes[out->length] = '\0';
}

static void append_number(struct text *out, int64_t number)
{
	char digits[24];
	const size_t length = rcap_log_format(digits, sizeof(digits), "%ld", (long) number);

	append(out, digits, length);
}

/* Stores why a pattern is refused. Does not use stdio, because this runs in the traced process. */
static int refuse(struct rlog_error *err, int code, size_t offset, const char *why)
{
	if (err != NULL) {
		err->code = code;
		err->sys_errno = 0;
		err->offset = offset;
		rcap_log_format(err->message, sizeof(err->message), "%s", why);
	}
	return -code;
}

/* Expands %q{NAME}. *at points to the q, and afterwards to the closing brace. */
static int append_variable(struct text *out, const char *pattern, const char **at,
                           struct rlog_error *err)
{
	const size_t offset = (size_t) (*at - pattern);
	const char *const close = strchr(*at, '}');
	char name[128];
	const char *value;
	size_t length;

	if ((*at)[1] != '{' || close == NULL) {
		return refuse(err, RLOG_E_ARGUMENT, offset, "%q must be followed by {NAME}");
	}
	length = (size_t) (close - *at) - 2;
	if (length == 0 || length >= sizeof(name)) {
		return refuse(err, RLOG_E_ARGUMENT, offset,
		              "%q{NAME}: the name is empty or too long");
	}
	memcpy(name, *at + 2, length);
	name[length] = '\0';
	*at = close;
	value = secure_getenv(name);
	if (value == NULL) {
		return refuse(err, RLOG_E_ARGUMENT, offset, "%q{NAME}: the variable is not set");
	}
	if (strchr(value, '/') != NULL || strstr(value, "..") != NULL) {
		return refuse(err, RLOG_E_ARGUMENT, offset,
		              "%q{NAME}: the variable's value may not hold \"/\" or \"..\"");
	}
	append(out, value, strlen(value));
	return 0;
}

/* Expands the conversion whose letter is at *at. */
static int append_conversion(struct text *out, const char *pattern, const char **at,
                             const struct rcap_output_names *names, struct rlog_error *err)
{
	const char *const rank = names->rank != NULL ? names->rank : "0";

	switch (**at) {
	case 'p':
		append_number(out, names->pid);
		return 0;
	case 'h':
		append(out, names->host, strlen(names->host));
		return 0;
	case 'r':
		append(out, rank, strlen(rank));
		return 0;
	case 'n':
		append_number(out, (int64_t) names->attempt + 1);
		return 0;
	case 'c':
		append_number(out, names->cycle == 0 ? 1 : names->cycle);
		return 0;
	case '%':
		append(out, "%", 1);
		return 0;
	case 'q':
		return append_variable(out, pattern, at, err);
	default:
		return refuse(err, RLOG_E_ARGUMENT, (size_t) (*at - pattern),
		              "unknown conversion: expected %p, %h, %r, %n, %c, %q{NAME} or %%");
	}
}

static int expand(struct text *out, const char *pattern, const struct rcap_output_names *names,
                  struct rlog_error *err)
{
	for (const char *at = pattern; *at != '\0'; at++) {
		int rc;

		if (*at != '%') {
			append(out, at, 1);
			continue;
		}
		at++;
		rc = append_conversion(out, pattern, &at, names, err);
		if (rc != 0) {
			return rc;
		}
	}
	if (out->is_full) {
		return refuse(err, RLOG_E_FULL, 0, "the file name is too long");
	}
	if (out->length == 0 || out->bytes[out->length - 1] == '/') {
		return refuse(err, RLOG_E_ARGUMENT, 0, "the file name is empty");
	}
	return 0;
}

/* Finds the start of the suffix: the last dot of the last component, but not its first character.
 * Without a suffix this is the end. */
static size_t find_suffix(const char *name, size_t length)
{
	const char *const slash = strrchr(name, '/');
	const char *const base = slash != NULL ? slash + 1 : name;
	const char *const dot = strrchr(base, '.');

	return dot == NULL || dot == base ? length : (size_t) (dot - name);
}

/* Inserts text before the suffix. */
static int insert(char *out, size_t size, const char *name, const char *digits, size_t count)
{
	const size_t length = strlen(name);
	const size_t suffix = find_suffix(name, length);

	if (length + count >= size) {
		return -RLOG_E_FULL;
	}
	/* Moves the suffix first, by memmove, because `out` and `name` may be the same. */
	memmove(out + suffix + count, name + suffix, length - suffix + 1);
	memmove(out, name, suffix);
	memcpy(out + suffix, digits, count);
	return 0;
}

int rcap_output_number(char *out, size_t size, const char *name, uint64_t number)
{
	char digits[24];
	const size_t count =
		rcap_log_format(digits, sizeof(digits), ".%lu", (unsigned long) number);

	return insert(out, size, name, digits, count);
}

/* Adds the number of a cycle (letter 'c') or of a snapshot ('s'), if the pattern has no place for
 * it. */
static int add_lettered(char *out, size_t size, char letter, uint32_t number)
{
	char digits[24];
	const size_t count =
		rcap_log_format(digits, sizeof(digits), ".%c%lu", letter, (unsigned long) number);

	return insert(out, size, out, digits, count);
}

bool rcap_output_has(const char *pattern, char conversion)
{
	for (const char *at = pattern; at[0] != '\0' && at[1] != '\0'; at++) {
		if (at[0] != '%') {
			continue;
		}
		at++;
		if (*at == conversion) {
			return true;
		}
	}
	return false;
}

int rcap_output_make(char *out, size_t size, const char *pattern,
                     const struct rcap_output_names *names, struct rlog_error *err)
{
	struct text text = { out, 0, size, false };
	const bool has_number = rcap_output_has(pattern, 'n');
	const bool has_pid = rcap_output_has(pattern, 'p');
	/* With %r the first process of each rank may have the plain name, whatever process has
	 * started it. */
	const bool has_rank = names->rank != NULL && rcap_output_has(pattern, 'r');
	const unsigned plain_attempts = names->is_root || has_pid || has_rank ? 1 : 0;
	int rc = expand(&text, pattern, names, err);

	if (rc == 0 && names->cycle != 0 && !rcap_output_has(pattern, 'c')) {
		rc = add_lettered(out, size, 'c', names->cycle);
	}
	if (rc == 0 && names->snapshot != 0) {
		rc = add_lettered(out, size, 's', names->snapshot);
	}
	if (rc != 0 || has_number || names->attempt < plain_attempts) {
		return rc;
	}
	if (!has_pid) {
		rc = rcap_output_number(out, size, out, (uint64_t) names->pid);
	}
	if (rc == 0 && (has_pid || names->attempt > plain_attempts)) {
		const unsigned number = names->attempt - plain_attempts + (has_pid ? 1 : 0);

		rc = rcap_output_number(out, size, out, number);
	}
	return rc == 0 ? 0 : refuse(err, RLOG_E_FULL, 0, "the file name is too long");
}

int rcap_output_rename_to_free(const char *from, const char *to)
{
	if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
		return 0;
	}
	if (errno != EINVAL && errno != ENOSYS) {
		return -1;
	}
	return link(from, to) == 0 ? unlink(from) : -1;
}
