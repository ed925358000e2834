/* SPDX-License-Identifier: MIT */
/* The spool: one shared-memory file per process that holds every event until it is in the log. */
#ifndef RCAP_SPOOL_H
#define RCAP_SPOOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/error.h"
#include "format/tables.h"
#include "format/wire.h"
#include "libranges/spool/control.h"
#include "libranges/spool/facts.h"

/*
 * Layout: page 0… the header, then blocks of 16 KiB. A block is a piece of a thread's event queue,
 * a table of stream records, or (eight in a row) an extent of the arena that holds names and
 * definitions. All addresses are block number and offset, so that a process that never knew the
 * producer can read them after its death. Pages are allocated (posix_fallocate) before anybody
 * touches them: a full file system is then an error code. Else it would be a SIGBUS at the first
 * write to the page.
 *
 * The spool is private to one version of libranges: RCAP_SPOOL_VERSION changes with any change of
 * these structs.
 */
#define RCAP_SPOOL_VERSION 15u
#define RCAP_BLOCK_BYTES   16384u
#define RCAP_BLOCK_SLOTS   ((RCAP_BLOCK_BYTES - 64u) / 16u)
#define RCAP_EXTENT_BLOCKS 8u
#define RCAP_EXTENT_BYTES  ((size_t) RCAP_EXTENT_BLOCKS * RCAP_BLOCK_BYTES)
#define RCAP_MAX_EXTENTS   2048u
#define RCAP_STREAM_BYTES  256u
#define RCAP_STREAMS_BLOCK (RCAP_BLOCK_BYTES / RCAP_STREAM_BYTES)
#define RCAP_STREAM_BLOCKS 512u
#define RCAP_LIVE_BLOCKS   (RCAP_STREAM_BLOCKS * RCAP_STREAMS_BLOCK / 16u)
#define RCAP_NO_BLOCK      UINT32_MAX
#define RCAP_SPOOL_SUFFIX  ".spool"

/*
 * One record. The first slot of an event has a = ticks, b = word of rcap_slot_word(). Attribute
 * slots follow it, with a = value and op RCAP_OP_ATTR.
 */
struct rcap_slot {
	uint64_t a;
	uint64_t b;
};

/* An attribute slot: the name field has the enum rlog_attr, the domain field the NVTX payload
 * type (for payloads only). */
#define RCAP_OP_ATTR 0x80u
/*
 * A data slot, after the attributes: up to RCAP_DATA_BYTES bytes of the event's `data`, first in
 * `a`, then in the name field. The domain field has their number.
 */
#define RCAP_OP_DATA    0x81u
#define RCAP_DATA_BYTES 12u
/* A slot of a GPU's stream that is no event: the events after it belong to cycle `a`. */
#define RCAP_OP_CYCLE 0x82u
/* Pseudo attribute: the range id of start and end. */
#define RCAP_ATTR_ID 0xFFu

/*
 * A slot's second word: name in bits 0-31, domain 32-47, op 48-55, check 56-63. The check byte
 * depends on the slot's place in its page (address bits 4-11; slots are aligned to 16), so most
 * records that the program overwrote, or that were never written, are detected.
 */
static inline uint64_t rcap_slot_bare_word(uint32_t name, uint32_t domain, uint32_t op)
{
	return (uint64_t) 0x5A << 56 | (uint64_t) op << 48 | (uint64_t) domain << 32 | name;
}

/* Returns the check byte for a slot's place. It is xored into the bare word. */
static inline uint64_t rcap_slot_check(const struct rcap_slot *slot)
{
	return (uint64_t) (uintptr_t) slot << 52;
}

static inline uint64_t rcap_slot_word(const struct rcap_slot *slot, uint32_t name, uint32_t domain,
                                      uint32_t op)
{
	return rcap_slot_bare_word(name, domain, op) ^ rcap_slot_check(slot);
}

struct rcap_block {
	/* Minus the bytes of slots not yet published: counts from -RCAP_BLOCK_SLOTS * 16 up to
	 * 0, so that the hot path can store a value that it has at hand. Producer: store release
	 * after the slots; drain: load acquire. */
	_Atomic uint32_t head;
	/* The next block of the queue, RCAP_NO_BLOCK for the last. Stored (release) after the
	 * final head: a drain that loads next (acquire) before head gets the final head. */
	_Atomic uint32_t next;
	uint32_t next_free; /* in the free list */
	uint32_t pad[13];
	struct rcap_slot slots[RCAP_BLOCK_SLOTS];
};

enum rcap_stream_state {
	RCAP_STREAM_FREE,
	RCAP_STREAM_LIVE,
	RCAP_STREAM_ENDED, /* its thread has ended; becomes FREE when drained */
	RCAP_STREAM_OFF,   /* seen while the capture was off: only counts calls */
};

/* The drain's position in a stream: the next slot to write to the log, and its event's ordinal. */
struct rcap_position {
	uint64_t ordinal;
	uint64_t remarks; /* earlier events that the program did not make (loss, depth) */
	uint32_t block;
	uint32_t slot;
};

/*
 * A producer that waits for room (RANGES_ON_FULL=block) lets the drain empty its current block if
 * no other is free: else threads could hold one block each and wait for ever. It withdraws by
 * changing WANTED back; BUSY lasts some instructions.
 */
enum rcap_refill {
	RCAP_REFILL_NONE,
	RCAP_REFILL_WANTED, /* by the producer, which writes nothing until this changes */
	RCAP_REFILL_BUSY,   /* by the drain */
	RCAP_REFILL_DONE,   /* by the drain, release: the block is empty */
};

/* A producer thread. */
struct rcap_stream {
	_Atomic uint32_t
		state; /* enum rcap_stream_state; release on change, acquire in the drain */
	uint32_t id;   /* in the log; never reused */
	uint32_t tid;
	/* low bit: which of done[] is valid. The drain fills the other, then stores with release */
	_Atomic uint32_t commit;
	struct rcap_position done[2];
	_Atomic uint64_t lost[RLOG_CAUSES]; /* relaxed; producer adds, drain reads */
	_Atomic uint32_t refill;            /* enum rcap_refill */
	/* Calls while the capture was off. Relaxed; only its thread writes */
	_Atomic uint64_t outside;
	uint32_t clock; /* clock of its events, enum rlog_stream_clock */
	uint8_t pad[RCAP_STREAM_BYTES - 36 - 2 * 24 - RLOG_CAUSES * 8];
};

enum rcap_spool_state {
	RCAP_SPOOL_LIVE = 1,
	RCAP_SPOOL_CLOSING, /* the program is ending: the drain writes the rest */
	RCAP_SPOOL_CLOSED,  /* the log was closed */
};

/* How the program holds the lock on its spool (spool-lock.h). */
enum rcap_spool_locking {
	RCAP_LOCKING_NONE,    /* the file system knows no locks */
	RCAP_LOCKING_PROGRAM, /* by a file descriptor that the program could close */
	RCAP_LOCKING_DRAIN,   /* by one that the program can't reach */
};

/* Who empties the spool while the program lives. */
enum rcap_spool_drained {
	RCAP_DRAINED_INSIDE,  /* a thread in the program */
	RCAP_DRAINED_OUTSIDE, /* the launcher: it also frees blocks and extends the file */
	RCAP_DRAINED_AT_EXIT,
};

/* Sums of streams that have ended and were removed. */
struct rcap_ended {
	uint64_t ordinal; /* sums of rcap_position */
	uint64_t remarks;
	uint64_t lost[RLOG_CAUSES];
	uint32_t stream; /* the last one: its record may still exist */
	uint32_t pad;
};

/* Counts of earlier logs, which were lost or deleted when this log was begun. */
struct rcap_log_base {
	struct rcap_ended ended;
	uint64_t rows;    /* of all streams */
	uint64_t remarks; /* part of rows: those that the program did not make */
};

/* A position in the arena. */
struct rcap_arena_position {
	uint64_t offset;
	uint64_t def;
	uint32_t string;
	uint32_t pad;
};

struct rcap_spool_header {
	uint8_t magic[8]; /* rcap_spool_hide_magic() */
	uint32_t version;
	uint32_t endian; /* 0x01020304 */
	uint32_t header_bytes;
	uint32_t word_bytes;
	uint32_t block_bytes;
	uint32_t max_blocks; /* what RANGES_BUFFER and the free memory allow */
	uint32_t all_blocks; /* what the address space holds; the extra is for urgent needs only */
	uint32_t bound;      /* what set max_blocks: enum rcap_room_bound */
	/* of the owner, field 22 of /proc/PID/stat; names a process together with the pid */
	uint64_t start_time;
	uint64_t pid_ns; /* inode of its pid namespace */
	uint32_t level;  /* level and tag: settings that the drain needs */
	uint32_t tag;
	_Atomic uint32_t state; /* enum rcap_spool_state */
	uint32_t crash_safe;
	_Atomic uint32_t locking; /* enum rcap_spool_locking */
	uint32_t drained;         /* enum rcap_spool_drained */
	/* Time at which a drain outside last emptied it; CLOCK_MONOTONIC. Relaxed: it only tells a
	 * live drain from one that is gone. */
	_Atomic uint64_t drained_ns;
	_Atomic uint32_t ended_commit; /* low bit: which of ended[] is valid */
	struct rcap_ended ended[2];

	/* Pool. */
	_Alignas(64) _Atomic uint32_t
		ready;          /* blocks with memory behind them. Release by who extends */
	_Atomic uint32_t fresh; /* blocks ever taken from the front */
	_Alignas(64) _Atomic uint64_t free_list; /* block number, tag << 32 against ABA */
	_Atomic uint32_t free_count;             /* approximate; for the drain's look-ahead */
	/* Blocks that may have memory behind them now, without vital ones: max_blocks, or fewer
	 * while memory is short. Relaxed; the drain's. */
	_Atomic uint32_t max_now;
	/* The drain makes room: producers make no system calls for it, because they can't (another
	 * root directory), or a sandbox may forbid it. Relaxed. */
	_Atomic uint32_t is_grown_by_drain;
	_Atomic uint32_t gone; /* blocks whose memory the drain gave to the system. Relaxed */
	/* errno value of the last time that the file could not grow; 0: it always could. Relaxed */
	_Atomic uint32_t grow_error;

	/* Streams and arena. Counts are stored (release) after the entries that they count. */
	_Alignas(64) _Atomic uint32_t streams;
	_Atomic uint32_t next_stream_id;
	_Atomic uint64_t arena_head; /* logical offset: extent * RCAP_EXTENT_BYTES + offset */
	uint32_t stream_block[RCAP_STREAM_BLOCKS];
	uint32_t arena_extent[RCAP_MAX_EXTENTS];
	/* Stacks of open ranges (live.h), by stream index: block number + 1. */
	_Atomic uint32_t live_block[RCAP_LIVE_BLOCKS];
	_Atomic uint32_t live_started; /* likewise, of the open start/end ranges */

	/* For the log, and for programs that report about it. */
	_Atomic uint64_t events; /* of the program, written to the log */
	_Atomic uint64_t log_bytes;
	_Atomic uint64_t late; /* events that came after the log was closed */
	struct rcap_control control;
	struct rlog_clock_point first_clock;
	_Atomic uint64_t lost_process[RLOG_CAUSES]; /* of threads without a stream */
	_Atomic uint64_t oddities[RLOG_ODDITIES];   /* relaxed; rcap_oddity_count() */
	char output[4096];                          /* wanted path, absolute; patterns expanded */
	char log_path[4096];                        /* opened path */
	uint64_t log_device;                        /* device of log_path */
	struct rcap_log_base log_base;
	_Atomic uint64_t log_inode; /* 0: no log was begun. Release, after path and device */
	char note[256];             /* why the log could not be written; empty if it could */
	/* clock, ticks_per_s, counts: the three facts that the capture itself knows */
	char clock[16];
	uint64_t ticks_per_s;
	char counts[64]; /* what is counted: texts, each with a NUL; an empty one ends the list */
	uint32_t forked;
	uint32_t is_root; /* may use the plain output name */
	/* The attempt with which the name of its log begins. Earlier programs of this process have
	 * the names before it (spool-past.h). */
	uint32_t first_attempt;
	char settings[4096]; /* texts, each with a NUL; an empty one ends the list */
	char notes[1024];    /* texts, each with a NUL; an empty one ends the list */
	struct rcap_facts facts;
};

#define RCAP_HEADER_BLOCKS \
	((sizeof(struct rcap_spool_header) + RCAP_BLOCK_BYTES - 1) / RCAP_BLOCK_BYTES)

_Static_assert(sizeof(struct rcap_slot) == 16, "slots are 16 bytes");
_Static_assert(sizeof(struct rcap_block) == RCAP_BLOCK_BYTES, "blocks are packed");
_Static_assert(sizeof(struct rcap_stream) == RCAP_STREAM_BYTES, "streams are packed");

/* Stored XOR 0xFF, so that a search for spools does not find the constant in our code. */
static inline void rcap_spool_hide_magic(uint8_t out[8])
{
	static const uint8_t magic[8] = { 'r', 's', 'p', 'o', 'o', 'l', '0', '1' };

	for (size_t i = 0; i < 8; i++) {
		out[i] = magic[i] ^ 0xFF;
	}
}

/* Size of a spool with this many blocks. */
static inline size_t rcap_spool_bytes(uint32_t blocks)
{
	return (RCAP_HEADER_BLOCKS + (size_t) blocks) * RCAP_BLOCK_BYTES;
}

/* A mapped spool. */
struct rcap_spool {
	struct rcap_spool_header *header; /* start of the mapping */
	size_t mapped_bytes;
	char path[512];  /* empty: anonymous memory (crash_safe 0) */
	uint64_t device; /* of the file, to check it when it is opened again for extending */
	uint64_t inode;
	int lock_fd; /* holds the lock; 0: none, or the drain has it */
	/* The spool's file in the drain's own file table; 0: the drain has none. It is needed
	 * because the program may lose the right to open the file. Only the drain uses it. */
	int drain_fd;
};

struct rcap_spool_options {
	const char *directory; /* private (0700, ours). NULL or unusable: anonymous memory,
	                          header->crash_safe = 0 */
	/* Most memory that the spool may take. Half of the file system's free space and a quarter
	 * of the memory that is left to the process (room.h) are upper limits. */
	uint64_t limit_bytes;
	uint64_t extra_bytes; /* further memory for urgent needs; limited in the same way */
	bool is_outside;      /* another process may extend the file */
};

/*
 * Creates the spool file of this process and maps it.
 *
 * Return: 0, -RLOG_E_SYSTEM. Context: any thread; a few hundred µs; no malloc.
 */
int rcap_spool_create(struct rcap_spool *spool, const struct rcap_spool_options *options,
                      struct rlog_error *err);

/*
 * Maps the spool of a living program to drain it from outside, and keeps recoveries away from it.
 *
 * Return: 0; -RLOG_E_EMPTY: it has another drain, or is not ready; -code as rcap_spool_open().
 */
int rcap_spool_attach(struct rcap_spool *spool, const char *path, struct rlog_error *err);

/*
 * Locks the spool that another process left, and maps it.
 *
 * @holder: gets an enum rcap_spool_holder. With NONE the lock is held until rcap_spool_close(),
 * with GONE nothing is mapped. Return: 0, -RLOG_E_SYSTEM, -RLOG_E_NOT_A_LOG (no spool, of another
 * version, or cut short), -RLOG_E_EMPTY (its program had recorded nothing yet: nothing is mapped,
 * the lock is held).
 */
int rcap_spool_open(struct rcap_spool *spool, const char *path, int *holder,
                    struct rlog_error *err);

/* Unmaps the spool and releases the lock; the file stays. */
void rcap_spool_close(struct rcap_spool *spool);

/* Removes the file; the mapping stays. */
void rcap_spool_unlink(const struct rcap_spool *spool);

/*
 * Takes a block from the pool; extends the file if that is needed and allowed.
 *
 * Return: block number, RCAP_NO_BLOCK if the limit is reached or the file system is full.
 * Context: any thread; usually a handful of instructions, else one fallocate; errno is kept.
 */
uint32_t rcap_spool_take_block(struct rcap_spool *spool);

/* Takes a block for an urgent need: a thread's first block, a table. May exceed the limit by the
 * extra bytes that rcap_spool_create() got. Return, context: as rcap_spool_take_block(). */
uint32_t rcap_spool_take_vital(struct rcap_spool *spool);

/* Takes RCAP_EXTENT_BLOCKS neighbouring blocks, as for urgent needs. Return: number of the
 * first, or RCAP_NO_BLOCK. */
uint32_t rcap_spool_take_extent(struct rcap_spool *spool);

/* Blocks that may have memory behind them now, without vital ones. */
uint32_t rcap_spool_limit_now(const struct rcap_spool *spool);

/* Takes a freed block. Return: RCAP_NO_BLOCK if there is none. Context: any thread. */
uint32_t rcap_spool_pop_free(const struct rcap_spool *spool);

/*
 * Allocates memory in the file for blocks `first` to `end`. @fd: of the file; 0: it is opened.
 * Return: 1 if there is memory, 0 if not, -1 if the file can't be opened. Context: any thread,
 * with signals blocked.
 */
int rcap_spool_claim(const struct rcap_spool *spool, int fd, uint32_t first, uint32_t end);

/* Frees a block. Context: any thread. */
void rcap_spool_free_block(struct rcap_spool *spool, uint32_t block);

/*
 * Extends the pool ahead of need and touches its pages, so that producers meet no page fault.
 *
 * @blocks: free blocks wanted. Context: the drain.
 */
void rcap_spool_look_ahead(struct rcap_spool *spool, uint32_t blocks);

/* True if only the drain extends the spool, and can. Context: any thread. */
bool rcap_spool_is_grown_outside(const struct rcap_spool *spool);

/* True when less than a quarter of the memory allowed is left. */
bool rcap_spool_is_tight(const struct rcap_spool *spool);

/* True if a block number is valid. */
bool rcap_spool_has_block(const struct rcap_spool *spool, uint32_t block);

/* Address of a block; the number must be valid. */
static inline struct rcap_block *rcap_spool_block(const struct rcap_spool *spool, uint32_t block)
{
	return (struct rcap_block *) (void *) ((char *) spool->header +
	                                       (RCAP_HEADER_BLOCKS + (size_t) block) *
	                                               RCAP_BLOCK_BYTES);
}

/* Number of published slots in a block. Acquire: they are whole. Never more than a block has,
 * whatever it holds. */
static inline uint32_t rcap_spool_published(struct rcap_block *block)
{
	const uint32_t left = 0u - atomic_load_explicit(&block->head, memory_order_acquire);

	return left > RCAP_BLOCK_SLOTS * sizeof(struct rcap_slot)
	               ? 0
	               : RCAP_BLOCK_SLOTS - left / (uint32_t) sizeof(struct rcap_slot);
}

/* Stream record by index (0 … header->streams - 1), NULL if its table is not valid. */
struct rcap_stream *rcap_spool_stream(const struct rcap_spool *spool, uint32_t index);

/* The valid position of a stream. Context: the drain, or recovery. */
struct rcap_position rcap_spool_position(const struct rcap_stream *stream);

/* Sums of the streams that have ended and were dropped. Context: as above. */
const struct rcap_ended *rcap_spool_ended(const struct rcap_spool *spool);

/* Adds a stream to these sums, unless it was added before a death. Context: as above. */
void rcap_spool_add_ended(struct rcap_spool *spool, const struct rcap_stream *stream);

/* True for a stream that rcap_spool_ended() does not hold. */
bool rcap_spool_is_counted_alone(const struct rcap_spool *spool, const struct rcap_stream *stream);

/* Sets the position so that a death halfway leaves the old one. Context: the drain, or recovery. */
void rcap_spool_commit(struct rcap_stream *stream, struct rcap_position position);

#endif
