/* SPDX-License-Identifier: MIT */
/* NVTX's calls that name things: categories, threads, domains, registered strings. */
#include "libranges/nvtx/nvtx-calls.h"

#include <errno.h>

#include "format/wire.h"
#include "libranges/spool/arena.h"
#include "libranges/record/payloads/args.h"
#include "libranges/record/names/handles.h"
#include "libranges/abi/nvtx-abi.h"
#include "libranges/nvtx/nvtx-text.h"

static void define(uint32_t kind, uint64_t id, uint32_t string)
{
	const struct rlog_def def = { .kind = kind, .id = id, .string = string };

	rcap_process_lock();
	rcap_arena_add_def(&rcap_process.spool, &def);
	rcap_process_unlock();
}

/* Numbers of functions in doc/format.md section 14. These are for the narrow calls. The wide call
 * of each has the next number. */
#define FUNCTION(module, id) ((uint32_t) (module) << 8 | (uint32_t) (id))
#define NAME_CATEGORY        FUNCTION(RCAP_NVTX_MODULE_CORE, RCAP_NVTX_NAME_CATEGORY_A)
#define NAME_OS_THREAD       FUNCTION(RCAP_NVTX_MODULE_CORE, RCAP_NVTX_NAME_OS_THREAD_A)
#define DOMAIN_NAME_CATEGORY FUNCTION(RCAP_NVTX_MODULE_CORE2, RCAP_NVTX_DOMAIN_NAME_CATEGORY_A)
#define REGISTER_STRING      FUNCTION(RCAP_NVTX_MODULE_CORE2, RCAP_NVTX_DOMAIN_REGISTER_STRING_A)
#define CREATE_DOMAIN        FUNCTION(RCAP_NVTX_MODULE_CORE2, RCAP_NVTX_DOMAIN_CREATE_A)
#define DESTROY_DOMAIN       FUNCTION(RCAP_NVTX_MODULE_CORE2, RCAP_NVTX_DOMAIN_DESTROY)
#define INITIALIZE           FUNCTION(RCAP_NVTX_MODULE_CORE2, RCAP_NVTX_INITIALIZE)

/* Records a call that has a text, and a number as its only other argument. */
static void record_call(struct rcap_thread *thread, uint32_t function, uint32_t domain,
                        uint32_t name, uint64_t argument)
{
	struct rlog_pack args = rcap_args_begin(thread, 1);

	rlog_pack_uint(&args, argument);
	rcap_args_record(thread, function, domain, name, &args);
}

static void name_category(uint32_t function, const void *domain, uint32_t category,
                          const char *narrow, const wchar_t *wide)
{
	const uint32_t domain_id = rcap_handles_find_domain(domain);
	struct rcap_thread *thread;
	struct rcap_nvtx_text text;
	const int saved = errno;
	uint32_t name = 0;

	if (domain_id >= RCAP_DOMAIN_OFF) {
		return;
	}
	thread = rcap_thread_enter_to_define();
	if (!thread) {
		return;
	}
	if (rcap_nvtx_text_take(&text, narrow, wide)) {
		name = rcap_nvtx_text_intern(thread, &text);
		rcap_handles_name_category(domain_id, category, name, text.bytes, text.length);
	}
	record_call(thread, function, domain_id, name, category);
	errno = saved;
	rcap_thread_leave(thread);
}

void rcap_nvtx_names_category_a(uint32_t category, const char *text)
{
	name_category(NAME_CATEGORY, NULL, category, text, NULL);
}

void rcap_nvtx_names_category_w(uint32_t category, const wchar_t *text)
{
	name_category(NAME_CATEGORY + 1, NULL, category, NULL, text);
}

void rcap_nvtx_names_domain_category_a(const void *domain, uint32_t category, const char *text)
{
	name_category(DOMAIN_NAME_CATEGORY, domain, category, text, NULL);
}

void rcap_nvtx_names_domain_category_w(const void *domain, uint32_t category, const wchar_t *text)
{
	name_category(DOMAIN_NAME_CATEGORY + 1, domain, category, NULL, text);
}

static void name_os_thread(uint32_t function, uint32_t tid, const char *narrow, const wchar_t *wide)
{
	struct rcap_thread *thread = rcap_thread_enter_to_define();
	struct rcap_nvtx_text text;
	const int saved = errno;
	uint32_t name = 0;

	if (!thread) {
		return;
	}
	if (rcap_nvtx_text_take(&text, narrow, wide)) {
		name = rcap_nvtx_text_intern(thread, &text);
		define(RLOG_DEF_THREAD_NAME, tid, name);
	}
	record_call(thread, function, 0, name, tid);
	errno = saved;
	rcap_thread_leave(thread);
}

void rcap_nvtx_names_os_thread_a(uint32_t tid, const char *text)
{
	name_os_thread(NAME_OS_THREAD, tid, text, NULL);
}

void rcap_nvtx_names_os_thread_w(uint32_t tid, const wchar_t *text)
{
	name_os_thread(NAME_OS_THREAD + 1, tid, NULL, text);
}

static const void *make_handle(enum rcap_handle_kind kind, const void *domain, const char *narrow,
                               const wchar_t *wide)
{
	struct rcap_thread *thread = rcap_thread_enter_to_define();
	const struct rcap_handle *handle = NULL;
	struct rcap_nvtx_text text;
	const int saved = errno;
	bool lost = false;

	if (!thread) {
		return NULL;
	}
	if (rcap_nvtx_text_take(&text, narrow, wide)) {
		handle = rcap_handles_make(kind, rcap_handles_find_domain(domain), text.bytes,
		                           text.length, text.full_length);
	}
	if (handle && handle->domain >= RCAP_DOMAIN_OFF) {
		/* Nothing is recorded for a domain that is left out. */
	} else if (handle && kind == RCAP_HANDLE_DOMAIN) {
		rcap_args_record(thread, CREATE_DOMAIN + (wide != NULL), handle->domain,
		                 rcap_handles_string(handle, &lost), NULL);
	} else if (handle) {
		record_call(thread, REGISTER_STRING + (wide != NULL), handle->domain,
		            rcap_handles_string(handle, &lost), (uintptr_t) handle);
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

/* A domain's handle stays valid, because programs use it after they have destroyed the domain. */
void rcap_nvtx_names_destroy_domain(const void *domain)
{
	const uint32_t id = rcap_handles_find_domain(domain);
	struct rcap_thread *thread;

	if (id >= RCAP_DOMAIN_OFF) {
		return;
	}
	thread = rcap_thread_enter();
	if (thread) {
		rcap_args_record(thread, DESTROY_DOMAIN, id, 0, NULL);
		rcap_thread_leave(thread);
	}
}

void rcap_nvtx_names_initialize(const void *reserved)
{
	struct rcap_thread *thread = rcap_thread_enter();

	(void) reserved;
	if (thread) {
		rcap_args_record(thread, INITIALIZE, 0, 0, NULL);
		rcap_thread_leave(thread);
	}
}
