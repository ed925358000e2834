/* SPDX-License-Identifier: MIT */
/* The handles that NVTX hands to programs: domains and registered strings. They are valid for the
 * life of the process image. */
#ifndef RCAP_HANDLES_H
#define RCAP_HANDLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/process/process.h"

enum rcap_handle_kind {
	RCAP_HANDLE_DOMAIN = 1,
	RCAP_HANDLE_STRING = 2,
	RCAP_HANDLE_NAME = 3, /* the name of a token; programs never see this handle */
};

/*
 * Ids of domains that RANGES_DOMAINS leaves out are this or higher. Ids of other domains fit in 16
 * bits. A domain that is left out has a handle like any other, so that the program notices nothing.
 * The first of these ids is that of the default domain.
 */
#define RCAP_DOMAIN_OFF 0x10000u

/*
 * A handle is never freed: programs use domains after they have destroyed them, and handles made
 * before a fork stay valid in the child. It is written once. Only `string_id` and `generation`
 * change later, when the capture of a fork child stores the text again.
 */
struct rcap_handle {
	uint32_t kind;               /* enum rcap_handle_kind */
	uint32_t domain;             /* id of the handle's domain; of a domain: its own id */
	_Atomic uint32_t string_id;  /* valid if `generation` is that of the process; relaxed */
	_Atomic uint32_t generation; /* stored with release after string_id; loaded with acquire
	                              * before it */
	const char *text;            /* our copy of the text */
	uint32_t length;
	uint32_t full_length;
};

_Static_assert(sizeof(struct rcap_handle) == 32, "a power of two: a check needs no division");

/* The array of handles, and the number of handles. The number is stored with release after a handle
 * is complete. */
extern const struct rcap_handle *rcap_handles_base __attribute__((visibility("hidden")));
extern _Atomic uint32_t rcap_handles_count __attribute__((visibility("hidden")));
/* Id of the default domain: 0 or RCAP_DOMAIN_OFF. Relaxed: it is always written with the same
 * value. */
extern _Atomic uint32_t rcap_handles_default __attribute__((visibility("hidden")));

/*
 * Finds the handle for a pointer that a program gave us.
 *
 * Return: NULL for NULL, wild pointers and handles of another kind.
 * Context: any thread, signal handlers; a few instructions.
 */
static inline const struct rcap_handle *rcap_handles_check(const void *pointer,
                                                           enum rcap_handle_kind kind)
{
	const uintptr_t at = (uintptr_t) pointer - (uintptr_t) rcap_handles_base;
	const struct rcap_handle *handle = pointer;

	if (!pointer || at % sizeof(*handle) != 0 ||
	    at / sizeof(*handle) >=
	            atomic_load_explicit(&rcap_handles_count, memory_order_acquire)) {
		return NULL;
	}
	return handle->kind == (uint32_t) kind ? handle : NULL;
}

/* True if the handle's string id belongs to this capture, and the name was stored. */
static inline bool rcap_handles_is_current(const struct rcap_handle *handle)
{
	/* Acquire pairs with the release in rcap_handles_string(), so the id belongs to this
	 * generation. */
	return atomic_load_explicit(&handle->generation, memory_order_acquire) ==
	               rcap_process.generation &&
	       atomic_load_explicit(&handle->string_id, memory_order_relaxed) > 1;
}

static inline uint32_t rcap_handles_current_id(const struct rcap_handle *handle)
{
	return atomic_load_explicit(&handle->string_id, memory_order_relaxed);
}

/*
 * Decides whether the default domain is recorded.
 *
 * @list: RANGES_DOMAINS; NULL or not valid: all domains are recorded.
 */
void rcap_handles_decide_default(const char *list);

/*
 * Finds or makes a handle. Equal texts (of the same domain) give the same handle. For a new domain,
 * decides whether it is recorded. Strings of domains that are left out take no room in the log
 * until a recorded domain uses them.
 *
 * @domain: domain of the string; ignored for a domain.
 * Return: NULL if there is no room (65535 domains, 131072 handles, 32 MiB of text).
 * Context: any thread, capture started; no malloc.
 */
const struct rcap_handle *rcap_handles_make(enum rcap_handle_kind kind, uint32_t domain,
                                            const char *bytes, size_t length, size_t full_length);

/*
 * Returns the string id of a handle in this capture.
 *
 * @lost, context: as in rcap_names_intern().
 */
uint32_t rcap_handles_string(const struct rcap_handle *handle, bool *lost);

/* True if the domain with this id has this name. The default domain is called "default". Context:
 * any; slow. */
bool rcap_handles_is_domain(uint32_t domain, const char *name);

/* Stores the name of a category, and defines it in the log. A later name replaces an earlier
 * one. */
void rcap_handles_name_category(uint32_t domain, uint32_t category, uint32_t string_id,
                                const char *bytes, size_t length);

/* Writes all domains and categories to a new capture. Context: rcap_process_start() only. */
bool rcap_handles_replay(void);

/* Counts a pointer that is not NULL and not a domain's handle. Return: id of the default domain. */
uint32_t rcap_handles_default_domain(const void *pointer);

/*
 * Finds the id of a domain by its handle. A wild handle is counted, and taken as the default
 * domain. Return: the id; at least RCAP_DOMAIN_OFF if the domain is left out. A call in such a
 * domain must return what a program without a tool would get. It must return before
 * rcap_thread_enter(), so that a thread without other calls stays unknown. Only calls that make a
 * handle continue.
 */
static inline uint32_t rcap_handles_find_domain(const void *pointer)
{
	const struct rcap_handle *handle = rcap_handles_check(pointer, RCAP_HANDLE_DOMAIN);

	return handle ? handle->domain : rcap_handles_default_domain(pointer);
}

/* True if a domain is left out. */
static inline bool rcap_handles_is_off(const void *pointer)
{
	return rcap_handles_find_domain(pointer) >= RCAP_DOMAIN_OFF;
}

#endif
