/* SPDX-License-Identifier: MIT */
/* NVTX's calls that name things: categories, threads, domains, registered strings. */
#include "libranges/nvtx-names.h"

#include <errno.h>
#include <string.h>

#include "format/wire.h"
#include "libranges/arena.h"
#include "libranges/handles.h"
#include "libranges/names.h"
#include "libranges/thread.h"
#include "libranges/wide.h"

static void define(uint32_t kind, uint64_t id, uint32_t string)
{
	const struct rlog_def def = { .kind = kind, .id = id, .string = string };

	rcap_lifetime_lock();
	rcap_arena_add_def(&rcap_process.spool, &def);
	rcap_lifetime_unlock();
}

/* A text of either kind as UTF-8 bytes; wide ones go through `utf8`. */
struct text {
	const char *bytes;
	size_t length;
	size_t full_length;
	char utf8[RCAP_WIDE_BYTES];
};

static bool take_text(struct text *text, const char *narrow, const wchar_t *wide)
{
	text->full_length = 0;
	if (wide) {
		text->bytes = text->utf8;
		text->length =
			rcap_wide_to_utf8(wide, text->utf8, sizeof(text->utf8), &text->full_length);
	} else if (narrow) {
		text->bytes = narrow;
		text->length = strnlen(narrow, RCAP_NAMES_LOOK_BYTES);
	} else {
		return false;
	}
	return true;
}

static uint32_t intern_text(struct rcap_thread *thread, const struct text *text)
{
	bool lost = false;
	const uint32_t id =
		rcap_names_intern(text->bytes, text->length, text->full_length, NULL, &lost);

	if (lost) {
		rcap_thread_count_lost_name(thread);
	}
	return id;
}

static void name_category(const void *domain, uint32_t category, const char *narrow,
                          const wchar_t *wide)
{
	struct rcap_thread *thread = rcap_thread_enter();
	struct text text;
	const int saved = errno;

	if (!thread) {
		return;
	}
	if (take_text(&text, narrow, wide)) {
		rcap_handles_name_category(rcap_handles_domain(domain), category,
		                           intern_text(thread, &text), text.bytes, text.length);
	}
	errno = saved;
	rcap_thread_leave(thread);
}

void rcap_nvtx_names_category_a(uint32_t category, const char *text)
{
	name_category(NULL, category, text, NULL);
}

void rcap_nvtx_names_category_w(uint32_t category, const wchar_t *text)
{
	name_category(NULL, category, NULL, text);
}

void rcap_nvtx_names_domain_category_a(const void *domain, uint32_t category, const char *text)
{
	name_category(domain, category, text, NULL);
}

void rcap_nvtx_names_domain_category_w(const void *domain, uint32_t category, const wchar_t *text)
{
	name_category(domain, category, NULL, text);
}

static void name_os_thread(uint32_t tid, const char *narrow, const wchar_t *wide)
{
	struct rcap_thread *thread = rcap_thread_enter();
	struct text text;
	const int saved = errno;

	if (!thread) {
		return;
	}
	if (take_text(&text, narrow, wide)) {
		define(RLOG_DEF_THREAD_NAME, tid, intern_text(thread, &text));
	}
	errno = saved;
	rcap_thread_leave(thread);
}

void rcap_nvtx_names_os_thread_a(uint32_t tid, const char *text)
{
	name_os_thread(tid, text, NULL);
}

void rcap_nvtx_names_os_thread_w(uint32_t tid, const wchar_t *text)
{
	name_os_thread(tid, NULL, text);
}

static const void *make_handle(enum rcap_handle_kind kind, const void *domain, const char *narrow,
                               const wchar_t *wide)
{
	struct rcap_thread *thread = rcap_thread_enter();
	const struct rcap_handle *handle = NULL;
	struct text text;
	const int saved = errno;

	if (!thread) {
		return NULL;
	}
	if (take_text(&text, narrow, wide)) {
		handle = rcap_handles_make(kind, rcap_handles_domain(domain), text.bytes,
		                           text.length, text.full_length);
	}
	errno = saved;
	rcap_thread_leave(thread);
	return handle;
}

const void *rcap_nvtx_names_create_domain_a(const char *text)
{
	return make_handle(RCAP_HANDLE_DOMAIN, NULL, text, NULL);
}

const void *rcap_nvtx_names_create_domain_w(const wchar_t *text)
{
	return make_handle(RCAP_HANDLE_DOMAIN, NULL, NULL, text);
}

const void *rcap_nvtx_names_register_string_a(const void *domain, const char *text)
{
	return make_handle(RCAP_HANDLE_STRING, domain, text, NULL);
}

const void *rcap_nvtx_names_register_string_w(const void *domain, const wchar_t *text)
{
	return make_handle(RCAP_HANDLE_STRING, domain, NULL, text);
}

/* A domain's handle stays good: programs do use it again. */
void rcap_nvtx_names_destroy_domain(const void *domain)
{
	(void) domain;
}
