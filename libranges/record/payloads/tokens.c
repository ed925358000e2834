/* SPDX-License-Identifier: MIT */
/* The registry of resources and sync objects. */
#include "libranges/record/payloads/tokens.h"

#include <errno.h>
#include <sys/mman.h>

#include "format/columns/pack.h"
#include "format/wire.h"
#include "libranges/spool/arena.h"
#include "libranges/record/payloads/args.h"
#include "libranges/record/names/names.h"
#include "libranges/process/oddity.h"
#include "libranges/record/thread.h"

#define MAX_TOKENS 65536u

/* The tokens: one private mapping, which is copied by fork. Everything but the checks is done under
 * the lock. */
static struct rcap_token *_Atomic tokens;
static _Atomic uint32_t token_count;
static uint32_t free_list; /* index + 1; 0: empty */
static uint64_t last_id;

static bool map_tokens(void)
{
	const int saved = errno;
	void *memory;

	if (atomic_load_explicit(&tokens, memory_order_relaxed)) {
		return true;
	}
	memory = mmap(NULL, MAX_TOKENS * sizeof(struct rcap_token), PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	errno = saved;
	if (memory == MAP_FAILED) {
		return false;
	}
	atomic_store_explicit(&tokens, memory, memory_order_release);
	return true;
}

/* Finds a free token. The lock is held. */
static struct rcap_token *take_place(void)
{
	const uint32_t count = atomic_load_explicit(&token_count, memory_order_relaxed);
	struct rcap_token *base;

	if (!map_tokens()) {
		return NULL;
	}
	base = atomic_load_explicit(&tokens, memory_order_relaxed);
	if (free_list != 0) {
		struct rcap_token *token = &base[free_list - 1];

		free_list = token->next_free;
		return token;
	}
	if (count == MAX_TOKENS) {
		return NULL;
	}
	atomic_store_explicit(&token_count, count + 1, memory_order_release);
	return &base[count];
}

/* Makes the string of a resource's detail. Return: its id; 0 for other objects. */
static uint32_t make_detail(uint32_t kind, const struct rcap_token *token)
{
	uint8_t bytes[32 + RLOG_PACK_SLACK];
	struct rlog_pack pack;
	bool lost = false;
	uint32_t id;

	if (kind != RCAP_TOKEN_RESOURCE) {
		return 0;
	}
	rlog_pack_init(&pack, bytes, 32);
	rlog_pack_array(&pack, 2);
	rlog_pack_uint(&pack, token->type);
	rlog_pack_uint(&pack, token->identifier);
	id = rcap_names_intern((const char *) pack.bytes, pack.used, 0, NULL, &lost);
	return lost ? 0 : id;
}

/* Writes the definition of a token. The lock is held. */
static void define(uint32_t kind, const struct rcap_token *token, uint32_t name, uint32_t detail)
{
	const struct rlog_def def = {
		.kind = kind == RCAP_TOKEN_RESOURCE ? RLOG_DEF_RESOURCE : RLOG_DEF_SYNC_OBJECT,
		.id = token->id,
		.parent = token->domain,
		.string = name,
		.value = detail,
	};

	rcap_arena_add_def(&rcap_process.spool, &def);
}

const struct rcap_token *rcap_tokens_make(enum rcap_token_kind kind,
                                          const struct rcap_token *wanted)
{
	const bool is_off = wanted->domain >= RCAP_DOMAIN_OFF;
	bool lost = false;
	const uint32_t name = is_off ? 0 : rcap_tokens_name(wanted, &lost);
	const uint32_t detail = is_off ? 0 : make_detail((uint32_t) kind, wanted);
	struct rcap_token *token;

	rcap_process_lock();
	token = take_place();
	if (token) {
		token->domain = wanted->domain;
		token->id = ++last_id;
		token->name = wanted->name;
		token->identifier = wanted->identifier;
		token->type = wanted->type;
		if (!is_off) {
			define((uint32_t) kind, token, name, detail);
		}
		atomic_store_explicit(&token->kind, (uint32_t) kind, memory_order_release);
	}
	rcap_process_unlock();
	return token;
}

const struct rcap_token *rcap_tokens_check(const void *pointer, enum rcap_token_kind kind)
{
	const struct rcap_token *base = atomic_load_explicit(&tokens, memory_order_acquire);
	const uintptr_t at = (uintptr_t) pointer - (uintptr_t) base;
	const struct rcap_token *token = pointer;

	if (!pointer || !base || at % sizeof(*token) != 0 ||
	    at / sizeof(*token) >= atomic_load_explicit(&token_count, memory_order_acquire)) {
		return NULL;
	}
	return atomic_load_explicit(&token->kind, memory_order_acquire) == (uint32_t) kind ? token
	                                                                                   : NULL;
}

static void give_back(const struct rcap_token *token)
{
	struct rcap_token *base = atomic_load_explicit(&tokens, memory_order_acquire);
	const uint32_t index = (uint32_t) (token - base);

	rcap_process_lock();
	/* Two threads may be destroying the token at once. */
	if (atomic_load_explicit(&base[index].kind, memory_order_relaxed) != 0) {
		atomic_store_explicit(&base[index].kind, 0, memory_order_relaxed);
		base[index].next_free = free_list;
		free_list = index + 1;
	}
	rcap_process_unlock();
}

void rcap_tokens_end(const void *pointer, enum rcap_token_kind kind, uint32_t function)
{
	const struct rcap_token *token = rcap_tokens_check(pointer, kind);
	struct rcap_thread *thread = rcap_thread_enter_to_define();
	struct rlog_pack args;

	if (!thread) {
		return;
	}
	if (!token || token->domain < RCAP_DOMAIN_OFF) {
		args = rcap_args_begin(thread, 1);
		rlog_pack_uint(&args, token ? token->id : 0);
		rcap_args_record(thread, function, token ? token->domain : 0, 0, &args);
	}
	if (token) {
		give_back(token);
	} else {
		rcap_oddity_count(RLOG_ODDITY_WILD_HANDLE);
	}
	rcap_thread_leave(thread);
}

uint32_t rcap_tokens_name(const struct rcap_token *token, bool *lost)
{
	return token->name ? rcap_handles_string(token->name, lost) : 0;
}

void rcap_tokens_replay(void)
{
	const struct rcap_token *base = atomic_load_explicit(&tokens, memory_order_acquire);
	const uint32_t count = atomic_load_explicit(&token_count, memory_order_acquire);
	bool lost = false;

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t kind = atomic_load_explicit(&base[i].kind, memory_order_acquire);

		if (kind != 0 && base[i].domain < RCAP_DOMAIN_OFF) {
			define(kind, &base[i], rcap_tokens_name(&base[i], &lost),
			       make_detail(kind, &base[i]));
		}
	}
}
