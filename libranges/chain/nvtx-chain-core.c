/* SPDX-License-Identifier: MIT */
/*
 * Wrappers of NVTX's core module for a chained tool: a function for each shape of arguments, and
 * one for each call. Our function comes last when a range opens, and first when it closes, so that
 * the tool's work is outside of our ranges. The program gets our result.
 */
#include <wchar.h>

#include "libranges/chain/nvtx-chain-translate.h"
#include "libranges/chain/nvtx-chain-wrap.h"

#define CORE RCAP_NVTX_MODULE_CORE

/* Types of functions. The argument of the first three is attributes or a text. Both are pointers,
 * but only attributes may have a handle. */
typedef void mark_fn(const void *argument);
typedef int push_fn(const void *argument);
typedef uint64_t start_fn(const void *argument);
typedef int pop_fn(void);
typedef void end_fn(uint64_t id);
typedef void name_fn(uint32_t number, const void *text);

static const void *their_event(const void *attributes, struct rcap_chain_event *copy)
{
	return rcap_nvtx_chain_translate_event(NULL, attributes, copy);
}

static void mark(unsigned int id, const void *argument, const void *their_argument)
{
	mark_fn *ours = RCAP_CHAIN_OURS(mark_fn, CORE, id);
	mark_fn *theirs = RCAP_CHAIN_THEIRS(mark_fn, CORE, id);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(argument);
	}
	if (theirs) {
		theirs(their_argument);
	}
}

static int push(unsigned int id, const void *argument, const void *their_argument)
{
	push_fn *ours = RCAP_CHAIN_OURS(push_fn, CORE, id);
	push_fn *theirs = RCAP_CHAIN_THEIRS(push_fn, CORE, id);
	RCAP_CHAIN_KEEP_ERRNO;

	if (theirs) {
		theirs(their_argument);
	}
	return ours ? ours(argument) : RCAP_NVTX_NO_TRACKING;
}

static uint64_t start(unsigned int id, const void *argument, const void *their_argument)
{
	start_fn *ours = RCAP_CHAIN_OURS(start_fn, CORE, id);
	start_fn *theirs = RCAP_CHAIN_THEIRS(start_fn, CORE, id);
	uint64_t their_id;
	RCAP_CHAIN_KEEP_ERRNO;

	if (!theirs) {
		return ours ? ours(argument) : 0;
	}
	their_id = theirs(their_argument);
	return rcap_nvtx_chain_translate_started(ours ? ours(argument) : 0, their_id);
}

static void name(unsigned int id, uint32_t number, const void *text)
{
	name_fn *ours = RCAP_CHAIN_OURS(name_fn, CORE, id);
	name_fn *theirs = RCAP_CHAIN_THEIRS(name_fn, CORE, id);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(number, text);
	}
	if (theirs) {
		theirs(number, text);
	}
}

void rcap_nvtx_chain_core_mark_ex(const struct rcap_nvtx_attributes *attributes)
{
	struct rcap_chain_event copy;

	mark(RCAP_NVTX_MARK_EX, attributes, their_event(attributes, &copy));
}

void rcap_nvtx_chain_core_mark_a(const char *text)
{
	mark(RCAP_NVTX_MARK_A, text, text);
}

void rcap_nvtx_chain_core_mark_w(const wchar_t *text)
{
	mark(RCAP_NVTX_MARK_W, text, text);
}

uint64_t rcap_nvtx_chain_core_range_start_ex(const struct rcap_nvtx_attributes *attributes)
{
	struct rcap_chain_event copy;

	return start(RCAP_NVTX_RANGE_START_EX, attributes, their_event(attributes, &copy));
}

uint64_t rcap_nvtx_chain_core_range_start_a(const char *text)
{
	return start(RCAP_NVTX_RANGE_START_A, text, text);
}

uint64_t rcap_nvtx_chain_core_range_start_w(const wchar_t *text)
{
	return start(RCAP_NVTX_RANGE_START_W, text, text);
}

void rcap_nvtx_chain_core_range_end(uint64_t id)
{
	end_fn *ours = RCAP_CHAIN_OURS(end_fn, CORE, RCAP_NVTX_RANGE_END);
	end_fn *theirs = RCAP_CHAIN_THEIRS(end_fn, CORE, RCAP_NVTX_RANGE_END);
	uint64_t their_id = 0;
	const bool is_known = rcap_nvtx_chain_translate_ended(&id, &their_id);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(id);
	}
	if (theirs && is_known) {
		theirs(their_id);
	}
}

int rcap_nvtx_chain_core_range_push_ex(const struct rcap_nvtx_attributes *attributes)
{
	struct rcap_chain_event copy;

	return push(RCAP_NVTX_RANGE_PUSH_EX, attributes, their_event(attributes, &copy));
}

int rcap_nvtx_chain_core_range_push_a(const char *text)
{
	return push(RCAP_NVTX_RANGE_PUSH_A, text, text);
}

int rcap_nvtx_chain_core_range_push_w(const wchar_t *text)
{
	return push(RCAP_NVTX_RANGE_PUSH_W, text, text);
}

int rcap_nvtx_chain_core_range_pop(void)
{
	pop_fn *ours = RCAP_CHAIN_OURS(pop_fn, CORE, RCAP_NVTX_RANGE_POP);
	pop_fn *theirs = RCAP_CHAIN_THEIRS(pop_fn, CORE, RCAP_NVTX_RANGE_POP);
	RCAP_CHAIN_KEEP_ERRNO;
	const int depth = ours ? ours() : RCAP_NVTX_NO_TRACKING;

	if (theirs) {
		theirs();
	}
	return depth;
}

void rcap_nvtx_chain_names_category_a(uint32_t category, const char *text)
{
	name(RCAP_NVTX_NAME_CATEGORY_A, category, text);
}

void rcap_nvtx_chain_names_category_w(uint32_t category, const wchar_t *text)
{
	name(RCAP_NVTX_NAME_CATEGORY_W, category, text);
}

void rcap_nvtx_chain_names_os_thread_a(uint32_t tid, const char *text)
{
	name(RCAP_NVTX_NAME_OS_THREAD_A, tid, text);
}

void rcap_nvtx_chain_names_os_thread_w(uint32_t tid, const wchar_t *text)
{
	name(RCAP_NVTX_NAME_OS_THREAD_W, tid, text);
}
