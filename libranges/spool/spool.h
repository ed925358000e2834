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
 * Layout: first the header, then blocks of 16 KiB. A block is a part of a thread's event queue, or
 * a table of stream records. Eight adjacent blocks can be an extent of the arena, which has names
 * and definitions. All references are block numbers and offsets, so that a process that never knew
 * the producer can follow them after its death. Pages are allocated (posix_fallocate) before
 * anything touches them, so a full file system gives an error code. Otherwise the first write to a
 * page would give a SIGBUS.
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
 * A slot. The first slot of an event has a = ticks and b = rcap_slot_word(). The event's attribute
 * slots follow, with a = value and op RCAP_OP_ATTR.
 */
struct rcap_slot {
	uint64_t a;
	uint64_t b;
};

/* Op of an attribute slot. Its name field has the enum rlog_attr. Its domain field has the NVTX
 * payload type, for payloads only. */
#define RCAP_OP_ATTR 0x80u
/*
 * Op of a data slot, which comes after the attributes. It has up to RCAP_DATA_BYTES bytes of the
 * event's `data`, first in `a`, then in the name field. The domain field has their number.
 */
#define RCAP_OP_DATA    0x81u
#define RCAP_DATA_BYTES 12u
/* Op of a slot in a GPU's stream that is no event: the events after it belong to cycle `a`. */
#define RCAP_OP_CYCLE 0x82u
/* A number like those of enum rlog_attr: the slot has the range id of a start or end. */
#define RCAP_ATTR_ID 0xFFu

/*
 * Makes a slot's second word: name in bits 0-31, domain in 32-47, op in 48-55, check byte in 56-63.
 * The check byte depends on the slot's place in its page (address bits 4-11; slots are aligned to
 * 16). So most records that the program has overwritten, or that were never written, are detected.
 */
static inline uint64_t rcap_slot_bare_word(uint32_t name, uint32_t domain, uint32_t op)
{
	return (uint64_t) 0x5A << 56 | (uint64_t) op << 48 | (uint64_t) domain << 32 | name;
}

/* Returns the check byte for a slot's place. It is xored with the bare word. */
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
	/* Minus the number of bytes of slots that are not published yet. Increases from
	 * -RCAP_BLOCK_SLOTS * 16 to 0. The hot path already has this value, so it only stores it.
	 * The producer stores it with release after the slots; the drain loads it with acquire. */
	_Atomic uint32_t head;
	/* The next block of the queue; RCAP_NO_BLOCK for the last one. Stored with release after
	 * the final head. So a drain that loads `next` (acquire) before `head` gets the final
	 * head. */
	_Atomic uint32_t next;
	uint32_t next_free; /* the next block of the free list */
	uint32_t pad[13];
	struct rcap_slot slots[RCAP_BLOCK_SLOTS];
};

enum rcap_stream_state {
	RCAP_STREAM_FREE,
	RCAP_STREAM_LIVE,
	RCAP_STREAM_ENDED, /* the thread has ended; becomes FREE when all is drained */
	RCAP_STREAM_OFF,   /* the thread was seen only while the capture was off; only counts
	                    * calls */
};

/* The drain's position in a stream: the next slot to write to the log, and the ordinal of its
 * event. */
struct rcap_position {
	uint64_t ordinal;
	uint64_t remarks; /* number of earlier rows that are not the program's events (loss,
	                   * depth) */
	uint32_t block;
	uint32_t slot;
};

/*
 * With RANGES_ON_FULL=block, a producer that waits for room lets the drain empty its current block
 * if no other block is free. Otherwise each thread could own one block, and all would wait for
 * ever. The producer withdraws by changing WANTED back. BUSY lasts for some instructions.
 */
enum rcap_refill {
	RCAP_REFILL_NONE,
	RCAP_REFILL_WANTED, /* set by the producer, which writes nothing until this changes */
	RCAP_REFILL_BUSY,   /* set by the drain */
	RCAP_REFILL_DONE,   /* set by the drain with release: the block is empty */
};

/* The record of a stream, which is a producer thread. */
struct rcap_stream {
	_Atomic uint32_t state; /* enum rcap_stream_state; stored with release, loaded with acquire
	                         * by the drain */
	uint32_t id;            /* id in the log; never used again */
	uint32_t tid;
	/* The low bit says which of done[] is valid. The drain fills the other one, then stores
	 * this with release. */
	_Atomic uint32_t commit;
	struct rcap_position done[2];
	_Atomic uint64_t lost[RLOG_CAUSES]; /* relaxed; the producer adds, and the drain reads */
	_Atomic uint32_t refill;            /* enum rcap_refill */
	/* Number of calls while the capture was off. Relaxed; only the stream's thread writes
	 * it. */
	_Atomic uint64_t outside;
	uint32_t clock; /* clock of the stream's events: enum rlog_stream_clock */
	uint8_t pad[RCAP_STREAM_BYTES - 36 - 2 * 24 - RLOG_CAUSES * 8];
};

enum rcap_spool_state {
	RCAP_SPOOL_LIVE = 1,
	RCAP_SPOOL_CLOSING, /* the program is ending, and the drain writes the rest */
	RCAP_SPOOL_CLOSED,  /* the log was closed */
};

/* What has the lock on the spool for the program (spool-lock.h). */
enum rcap_spool_locking {
	RCAP_LOCKING_NONE,    /* nothing: the file system has no locks */
	RCAP_LOCKING_PROGRAM, /* a descriptor that the program could close */
	RCAP_LOCKING_DRAIN,   /* a descriptor that the program can't reach */
};

/* What empties the spool while the program lives. */
enum rcap_spool_drained {
	RCAP_DRAINED_INSIDE,  /* a thread in the program */
	RCAP_DRAINED_OUTSIDE, /* the launcher, which also frees blocks and extends the file */
	RCAP_DRAINED_AT_EXIT,
};

/* Sums of the streams that have ended and were removed. */
struct rcap_ended {
	uint64_t ordinal; /* sum of the members of rcap_position; so is remarks */
	uint64_t remarks;
	uint64_t lost[RLOG_CAUSES];
	uint32_t stream; /* the stream added last: its record may still exist */
	uint32_t pad;
};

/* Counts of earlier logs that were lost or deleted when this log was begun. */
struct rcap_log_base {
	struct rcap_ended ended;
	uint64_t rows;    /* rows of all streams */
	uint64_t remarks; /* rows that are not the program's events; included in `rows` */
};

/* A position in the arena. */
struct rcap_arena_position {
	uint64_t offset;
	uint64_t def;
	uint32_t string;
	uint32_t pad;
};

struct rcap_spool_header {
	uint8_t magic[8]; /* written by rcap_spool_hide_magic() */
	uint32_t version;
	uint32_t endian; /* 0x01020304 */
	uint32_t header_bytes;
	uint32_t word_bytes;
	uint32_t block_bytes;
	uint32_t max_blocks; /* most blocks by RANGES_BUFFER and the free memory */
	uint32_t all_blocks; /* most blocks in the address space; those after max_blocks are for
	                      * urgent needs only */
	uint32_t bound;      /* what limited max_blocks: enum rcap_room_bound */
	/* Start time of the owner: field 22 of /proc/PID/stat. Together with the pid it identifies
	 * a process. */
	uint64_t start_time;
	uint64_t pid_ns; /* inode of the owner's pid namespace */
	uint32_t level;  /* level and tag: settings that the drain needs */
	uint32_t tag;
	_Atomic uint32_t state; /* enum rcap_spool_state */
	uint32_t crash_safe;
	_Atomic uint32_t locking; /* enum rcap_spool_locking */
	uint32_t drained;         /* enum rcap_spool_drained */
	/* CLOCK_MONOTONIC at which a drain outside has last emptied the spool. Relaxed: it only
	 * shows whether that drain lives. */
	_Atomic uint64_t drained_ns;
	_Atomic uint32_t ended_commit; /* the low bit says which of ended[] is valid */
	struct rcap_ended ended[2];

	/* The pool of blocks. */
	_Alignas(64) _Atomic uint32_t ready; /* number of blocks that have memory. Stored with
	                                      * release when they are added */
	_Atomic uint32_t fresh; /* number of blocks that were ever taken from the front */
	_Alignas(64) _Atomic uint64_t free_list; /* block number, and tag << 32 against ABA */
	_Atomic uint32_t free_count;             /* about the number of free blocks; for the drain,
	                                          * which extends the pool */
	/* Most blocks that may have memory now, without those for urgent needs: max_blocks, or
	 * fewer while memory is short. Relaxed; used by the drain. */
	_Atomic uint32_t max_now;
	/* 1 if the drain extends the spool. Producers then make no system calls for that, because
	 * they can't (another root directory), or because a sandbox may forbid it. Relaxed. */
	_Atomic uint32_t is_grown_by_drain;
	_Atomic uint32_t gone; /* number of blocks whose memory the drain gave back to the system.
	                        * Relaxed */
	/* errno value when the file could not grow last; 0 if it always could. Relaxed */
	_Atomic uint32_t grow_error;

	/* Streams and arena. Each count is stored with release after the entries that it counts. */
	_Alignas(64) _Atomic uint32_t streams;
	_Atomic uint32_t next_stream_id;
	_Atomic uint64_t arena_head; /* logical offset: extent * RCAP_EXTENT_BYTES + offset */
	uint32_t stream_block[RCAP_STREAM_BLOCKS];
	uint32_t arena_extent[RCAP_MAX_EXTENTS];
	/* Blocks with stacks of open ranges (live.h), indexed by stream: block number + 1. */
	_Atomic uint32_t live_block[RCAP_LIVE_BLOCKS];
	_Atomic uint32_t live_started; /* block with the open start/end ranges: number + 1 */

	/* For the log, and for programs that report about the log. */
	_Atomic uint64_t events; /* number of the program's events that were written to the log */
	_Atomic uint64_t log_bytes;
	_Atomic uint64_t late; /* number of events that came after the log was closed */
	struct rcap_control control;
	struct rlog_clock_point first_clock;
	_Atomic uint64_t lost_process[RLOG_CAUSES]; /* events lost by threads without a stream */
	_Atomic uint64_t oddities[RLOG_ODDITIES];   /* relaxed; rcap_oddity_count() */
	char output[4096];                          /* the log's name, as an absolute pattern */
	char log_path[4096];                        /* path that was opened */
	uint64_t log_device;                        /* device of the file at log_path */
	struct rcap_log_base log_base;
	_Atomic uint64_t log_inode; /* inode of that file; 0: no log was begun. Stored with release
	                             * after path and device */
	char note[256];             /* why the log could not be written; "" if it could */
	/* The facts clock, ticks_per_s and counts: the capture itself knows them. */
	char clock[16];
	uint64_t ticks_per_s;
	char counts[64]; /* names of what is counted, each with a NUL; an empty one ends the list */
	uint32_t forked;
	uint32_t is_root; /* 1 if the process may use the plain output name */
	/* The attempt with which the name of the log begins. Earlier programs of this process use
	 * the names before it (spool-past.h). */
	uint32_t first_attempt;
	char settings[4096]; /* a list of texts, each with a NUL; an empty one ends the list */
	char notes[1024];    /* a list of texts, each with a NUL; an empty one ends the list */
	struct rcap_facts facts;
};

#define RCAP_HEADER_BLOCKS \
	((sizeof(struct rcap_spool_header) + RCAP_BLOCK_BYTES - 1) / RCAP_BLOCK_BYTES)

_Static_assert(sizeof(struct rcap_slot) == 16, "slots are 16 bytes");
_Static_assert(sizeof(struct rcap_block) == RCAP_BLOCK_BYTES, "blocks are packed");
_Static_assert(sizeof(struct rcap_stream) == RCAP_STREAM_BYTES, "streams are packed");

/* Writes the magic. The constant is stored XOR 0xFF, so that a search for spools does not find it
 * in our code. */
static inline void rcap_spool_hide_magic(uint8_t out[8])
{
	static const uint8_t magic[8] = { 'r', 's', 'p', 'o', 'o', 'l', '0', '1' };

	for (size_t i = 0; i < 8; i++) {
		out[i] = magic[i] ^ 0xFF;
	}
}

/* Returns the size of a spool with this many blocks. */
static inline size_t rcap_spool_bytes(uint32_t blocks)
{
	return (RCAP_HEADER_BLOCKS + (size_t) blocks) * RCAP_BLOCK_BYTES;
}

/* A mapped spool. */
struct rcap_spool {
	struct rcap_spool_header *header; /* start of the mapping */
	size_t mapped_bytes;
	char path[512];  /* "" for anonymous memory (crash_safe is 0) */
	uint64_t device; /* device of the file, to check the file when it is opened again to extend
	                  * it */
	uint64_t inode;
	int lock_fd; /* descriptor that has the lock; 0: there is none, or the drain has it */
	/* The spool's file in the drain's own file table; 0: the drain has no own table. It is
	 * needed because the program may lose the right to open the file. Only the drain uses
	 * it. */
	int drain_fd;
};

struct rcap_spool_options {
	const char *directory; /* private directory (0700, ours). NULL, or a directory that can't be
	                        * used: the spool is anonymous memory, and header->crash_safe is
	                        * 0 */
	/* Most memory that the spool may take. It never takes more than half of the file system's
	 * free space, and a quarter of the memory that is left to the process (room.h). */
	uint64_t limit_bytes;
	uint64_t extra_bytes; /* further memory for urgent needs; has the same limits */
	bool is_outside;      /* true if another process may extend the file */
};

/*
 * Creates and maps the spool file of this process.
 *
 * Return: 0, -RLOG_E_SYSTEM. Context: any thread; a few hundred µs; no malloc.
 */
int rcap_spool_create(struct rcap_spool *spool, const struct rcap_spool_options *options,
                      struct rlog_error *err);

/*
 * Maps the spool of a living program, to drain it from outside. Keeps recoveries away from the
 * spool.
 *
 * Return: 0; -RLOG_E_EMPTY: it has another drain, or is not ready; -code as rcap_spool_open().
 */
int rcap_spool_attach(struct rcap_spool *spool, const char *path, struct rlog_error *err);

/*
 * Locks and maps the spool that another process has left.
 *
 * @holder: gets an enum rcap_spool_holder. With NONE the lock is held until rcap_spool_close().
 * With GONE nothing is mapped.
 * Return: 0, -RLOG_E_SYSTEM, -RLOG_E_NOT_A_LOG (not a spool, of another version, or cut short),
 * -RLOG_E_EMPTY (its program has not recorded anything: nothing is mapped, but the lock is held).
 */
int rcap_spool_open(struct rcap_spool *spool, const char *path, int *holder,
                    struct rlog_error *err);

/* Unmaps the spool and releases the lock. The file stays. */
void rcap_spool_close(struct rcap_spool *spool);

/* Removes the file. The mapping stays. */
void rcap_spool_unlink(const struct rcap_spool *spool);

/*
 * Takes a block from the pool. Extends the file if that is needed and allowed.
 *
 * Return: block number; RCAP_NO_BLOCK if the limit is reached, or the file system is full.
 * Context: any thread; usually some instructions, else one fallocate; errno is kept.
 */
uint32_t rcap_spool_take_block(struct rcap_spool *spool);

/* Takes a block for an urgent need: a thread's first block, or a table. May exceed the limit by the
 * extra bytes that were given to rcap_spool_create(). Return, context: as
 * rcap_spool_take_block(). */
uint32_t rcap_spool_take_vital(struct rcap_spool *spool);

/* Takes RCAP_EXTENT_BLOCKS adjacent blocks, as for urgent needs. Return: number of the first one,
 * or RCAP_NO_BLOCK. */
uint32_t rcap_spool_take_extent(struct rcap_spool *spool);

/* Returns the most blocks that may have memory now, without those for urgent needs. */
uint32_t rcap_spool_limit_now(const struct rcap_spool *spool);

/* Takes a block that was freed. Return: RCAP_NO_BLOCK if there is none. Context: any thread. */
uint32_t rcap_spool_pop_free(const struct rcap_spool *spool);

/*
 * Allocates memory in the file for blocks `first` to `end`. @fd: of the file; 0: opens it. Return:
 * 1 if there is memory, 0 if not, -1 if the file can't be opened. Context: any thread, with signals
 * blocked.
 */
int rcap_spool_claim(const struct rcap_spool *spool, int fd, uint32_t first, uint32_t end);

/* Frees a block. Context: any thread. */
void rcap_spool_free_block(struct rcap_spool *spool, uint32_t block);

/*
 * Extends the pool before it is empty, and touches the new pages, so that producers have no page
 * faults.
 *
 * @blocks: how many free blocks are wanted. Context: the drain.
 */
void rcap_spool_look_ahead(struct rcap_spool *spool, uint32_t blocks);

/* True if only the drain extends the spool, and it can do so. Context: any thread. */
bool rcap_spool_is_grown_outside(const struct rcap_spool *spool);

/* True if less than a quarter of the allowed memory is left. */
bool rcap_spool_is_tight(const struct rcap_spool *spool);

/* True if a block number is valid. */
bool rcap_spool_has_block(const struct rcap_spool *spool, uint32_t block);

/* Returns the address of a block. The number must be valid. */
static inline struct rcap_block *rcap_spool_block(const struct rcap_spool *spool, uint32_t block)
{
	return (struct rcap_block *) (void *) ((char *) spool->header +
	                                       (RCAP_HEADER_BLOCKS + (size_t) block) *
	                                               RCAP_BLOCK_BYTES);
}

/* Returns the number of published slots in a block, never more than a block has, even if the head
 * is damaged. Acquire: the slots are complete. */
static inline uint32_t rcap_spool_published(struct rcap_block *block)
{
	const uint32_t left = 0u - atomic_load_explicit(&block->head, memory_order_acquire);

	return left > RCAP_BLOCK_SLOTS * sizeof(struct rcap_slot)
	               ? 0
	               : RCAP_BLOCK_SLOTS - left / (uint32_t) sizeof(struct rcap_slot);
}

/* Returns the stream record with this index (0 … header->streams - 1); NULL if its table is not
 * valid. */
struct rcap_stream *rcap_spool_stream(const struct rcap_spool *spool, uint32_t index);

/* Returns the valid position of a stream. Context: the drain, or recovery. */
struct rcap_position rcap_spool_position(const struct rcap_stream *stream);

/* Returns the sums of the streams that have ended and were removed. Context: the drain, or
 * recovery. */
const struct rcap_ended *rcap_spool_ended(const struct rcap_spool *spool);

/* Adds a stream to these sums, unless it was added already before a program died. Context: the
 * drain, or recovery. */
void rcap_spool_add_ended(struct rcap_spool *spool, const struct rcap_stream *stream);

/* True if rcap_spool_ended() does not include the stream. */
bool rcap_spool_is_counted_alone(const struct rcap_spool *spool, const struct rcap_stream *stream);

/* Sets the position so that the old one stays valid if the program dies in between. Context: the
 * drain, or recovery. */
void rcap_spool_commit(struct rcap_stream *stream, struct rcap_position position);

#endif
