/* SPDX-License-Identifier: MIT */
/* Allocates memory, or ends the process if there is none. */
#include "analyzer/base/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/error.h"

static void (*remove_unfinished)(void);
static const char *line_end;
static void (*before_retreat)(void);
static _Thread_local jmp_buf *retreat; /* where the innermost ra_alloc_try() of this thread returns
                                          to; NULL: none runs */

void ra_alloc_set_cleanup(void (*cleanup)(void))
{
	remove_unfinished = cleanup;
}

void ra_alloc_set_hint(const char *hint)
{
	line_end = hint;
}

void ra_alloc_set_retreat(void (*call)(void))
{
	before_retreat = call;
}

int ra_alloc_try(int (*run)(void *context), void *context)
{
	jmp_buf *const outer = retreat;
	jmp_buf here;
	int rc = -RLOG_E_NO_MEMORY;

	retreat = &here;
	if (setjmp(here) == 0) {
		rc = run(context);
	}
	retreat = outer;
	return rc;
}

void ra_alloc_end(void)
{
	char line[128];
	int length;

	if (retreat != NULL) {
		if (before_retreat != NULL) {
			before_retreat();
		}
		longjmp(*retreat, 1);
	}
	if (remove_unfinished != NULL) {
		remove_unfinished();
	}
	/* Does not call fflush(): streams may need memory themselves, and the text in their buffers
	 * is not complete. */
	length = snprintf(line, sizeof(line), "analyzer: not enough memory for the output%s\n",
	                  line_end == NULL ? "" : line_end);
	(void) !write(STDERR_FILENO, line, (size_t) length);
	_exit(RA_ALLOC_EXIT);
}

void *ra_alloc_bytes(size_t bytes)
{
	void *memory = malloc(bytes == 0 ? 1 : bytes);

	if (memory == NULL) {
		ra_alloc_end();
	}
	return memory;
}

void *ra_alloc_zeros(size_t count, size_t bytes)
{
	void *memory = calloc(count == 0 ? 1 : count, bytes);

	if (memory == NULL) {
		ra_alloc_end();
	}
	return memory;
}

void *ra_alloc_resize(void *memory, size_t count, size_t bytes)
{
	void *moved = NULL;

	if (bytes == 0 || count <= SIZE_MAX / bytes) {
		moved = realloc(memory, count * bytes == 0 ? 1 : count * bytes);
	}
	if (moved == NULL) {
		ra_alloc_end();
	}
	return moved;
}

char *ra_alloc_copy(const char *text)
{
	const size_t bytes = strlen(text) + 1;

	return memcpy(ra_alloc_bytes(bytes), text, bytes);
}

char *ra_alloc_format(const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0) {
		ra_alloc_end();
	}
	return text;
}
