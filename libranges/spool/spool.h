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
 * definitions. Everything in here is addressed by block number and offset, so that a process which
 * has never seen the producer can read it after the producer's death. Pages are allocated
 * (posix_fallocate) before anybody touches them: a full file system is an error code then, not a
 * SIGBUS (facts: reliability, 22).
 *
 * The spool is private to one version of libranges: RCAP_SPOOL_VERSION changes with any change of
 * these structs.
 */
#define RCAP_SPOOL_VERSION 14u
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
 * One record. The first slot of an event is a = ticks, b = word of rcap_slot_word(); attribute
 * slots follow it, with a = value and op RCAP_OP_ATTR.
 */
struct rcap_slot {
	uint64_t a;
	uint64_t b;
};

/* An attribute slot: name field = enum rlog_attr, domain field = NVTX payload type (of the payload
 * only). */
#define RCAP_OP_ATTR 0x80u
/*
 * A data slot, behind the attributes: bytes of the event's `data`, RCAP_DATA_BYTES at most, first
 * those in `a`, then those in the name field; how many there are stands in the domain field.
 */
#define RCAP_OP_DATA    0x81u
#define RCAP_DATA_BYTES 12u
/* A slot of a GPU's stream that is no event: from here on its events are of cycle `a`. */
#define RCAP_OP_CYCLE 0x82u
/* Pseudo attribute: the range id of start and end. */
#define RCAP_ATTR_ID 0xFFu

/*
 * A slot's second word: name in bits 0-31, domain 32-47, op 48-55, check 56-63. The check byte is
 * made of the slot's place in its page (address bits 4-11; slots are aligned to 16), so a record
 * that the program overwrote or that was never written is told (mostly).
 */
static inline uint64_t rcap_slot_bare_word(uint32_t name, uint32_t domain, uint32_t op)
{
	return (uint64_t) 0x5A << 56 | (uint64_t) op << 48 | (uint64_t) domain << 32 | name;
}

/* What the slot's place makes of the bare word, by xor. */
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
	/* Minus the bytes of slots not yet published: counts from -RCAP_BLOCK_SLOTS * 16 up to 0,
	 * so that the hot path can store what it has at hand. Producer: store release after the
	 * slots; drain: load acquire. */
	_Atomic uint32_t head;
	/* Block number that follows in the queue, RCAP_NO_BLOCK while this is the last. Stored
	 * (release) after the final head, so a drain that loads next (acquire) first and then head
	 * has the final head. */
	_Atomic uint32_t next;
	uint32_t next_free; /* in the free list */
	uint32_t pad[13];
	struct rcap_slot slots[RCAP_BLOCK_SLOTS];
};

enum rcap_stream_state {
	RCAP_STREAM_FREE,
	RCAP_STREAM_LIVE,
	RCAP_STREAM_ENDED, /* its thread has ended; becomes FREE when drained */
	RCAP_STREAM_OFF,   /* its thread was seen while the capture was off: it only counts */
};

/* Where the drain stands in a stream: the next slot to write to the log, and the ordinal of its
 * event. */
struct rcap_position {
	uint64_t ordinal;
	uint64_t remarks; /* of the events before: those that the program did not make (loss, depth)
	                   */
	uint32_t block;
	uint32_t slot;
};

/*
 * A producer that waits for room (RANGES_ON_FULL=block) has its block emptied by the drain if there
 * is no other: else threads could hold all blocks, one each, and wait for ever. It withdraws by
 * changing WANTED back; BUSY lasts some instructions.
 */
enum rcap_refill {
	RCAP_REFILL_NONE,
	RCAP_REFILL_WANTED, /* by the producer, which writes nothing until it is changed */
	RCAP_REFILL_BUSY,   /* by the drain */
	RCAP_REFILL_DONE,   /* by the drain, release: the block is empty */
};

/* One producer thread. */
struct rcap_stream {
	_Atomic uint32_t
		state; /* enum rcap_stream_state; release by who changes it, acquire by the drain */
	uint32_t id;   /* of the log; never reused */
	uint32_t tid;
	_Atomic uint32_t commit; /* low bit: which of done[] is valid. Release by the drain after
	                            filling the other */
	struct rcap_position done[2];
	_Atomic uint64_t lost[RLOG_CAUSES]; /* relaxed; producer adds, drain reads */
	_Atomic uint32_t refill;            /* enum rcap_refill */
	/* Calls while the capture was off. Relaxed; its thread's alone */
	_Atomic uint64_t outside;
	uint32_t clock; /* of its times, enum rlog_stream_clock */
	uint8_t pad[RCAP_STREAM_BYTES - 36 - 2 * 24 - RLOG_CAUSES * 8];
};

enum rcap_spool_state {
	RCAP_SPOOL_LIVE = 1,
	RCAP_SPOOL_CLOSING, /* the program is ending: the drain writes what is left */
	RCAP_SPOOL_CLOSED,  /* the log was closed */
};

/* How the program holds the lock on its spool (spool-lock.h). */
enum rcap_spool_locking {
	RCAP_LOCKING_NONE,    /* the file system knows no locks */
	RCAP_LOCKING_PROGRAM, /* by a file number that the program could close */
	RCAP_LOCKING_DRAIN,   /* out of its reach */
};

/* Who writes what is in the spool while the program lives. */
enum rcap_spool_drained {
	RCAP_DRAINED_INSIDE,  /* a thread of the program's */
	RCAP_DRAINED_OUTSIDE, /* the launcher: it also gives blocks back, and lets the file grow */
	RCAP_DRAINED_AT_EXIT,
};

/* What streams have left behind that have ended and were dropped. */
struct rcap_ended {
	uint64_t ordinal; /* sums of rcap_position */
	uint64_t remarks;
	uint64_t lost[RLOG_CAUSES];
	uint32_t stream; /* the last one: its record may still stand there */
	uint32_t pad;
};

/* What had been written to other logs when this one was begun; they were lost, or deleted. */
struct rcap_log_base {
	struct rcap_ended ended;
	uint64_t rows;    /* of all streams */
	uint64_t remarks; /* of them, those that the program did not make */
};

/* Where one stands in the arena. */
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
	uint32_t max_blocks; /* what RANGES_BUFFER and the memory that was left allow */
	uint32_t all_blocks; /* there is address space for; more only for what can't wait */
	uint32_t bound;      /* what max_blocks is due to: enum rcap_room_bound */
	uint64_t start_time; /* of the owner, field 22 of /proc/PID/stat: with the pid it names a
	                        process */
	uint64_t pid_ns;     /* inode of its pid namespace */
	uint32_t level;      /* settings the drain needs */
	uint32_t tag;
	_Atomic uint32_t state; /* enum rcap_spool_state */
	uint32_t crash_safe;
	_Atomic uint32_t locking; /* enum rcap_spool_locking */
	uint32_t drained;         /* enum rcap_spool_drained */
	/* When it was drained from outside last; CLOCK_MONOTONIC. Relaxed: it tells a drain that
	 * lives from one that is gone. */
	_Atomic uint64_t drained_ns;
	_Atomic uint32_t ended_commit; /* low bit: which of ended[] is valid */
	struct rcap_ended ended[2];

	/* Pool. */
	_Alignas(64) _Atomic uint32_t
		ready;          /* blocks with memory behind them. Release by who grows */
	_Atomic uint32_t fresh; /* blocks ever handed out from the front */
	_Alignas(64) _Atomic uint64_t free_list; /* block number, tag << 32 against ABA */
	_Atomic uint32_t free_count;             /* about; statistics for the drain's look-ahead */
	/* Blocks that may have memory behind them now, vital ones apart: max_blocks, or fewer while
	 * memory is short. Relaxed; the drain's. */
	_Atomic uint32_t max_now;
	/* Producers make no system calls for more room: they can't (another root directory), or a
	 * sandbox may forbid it. The drain sees to it that there is some. Relaxed. */
	_Atomic uint32_t is_grown_by_drain;
	_Atomic uint32_t gone; /* blocks whose memory the drain has given back. Relaxed */

	/* Streams and arena. Counts are stored (release) after the entries they cover. */
	_Alignas(64) _Atomic uint32_t streams;
	_Atomic uint32_t next_stream_id;
	_Atomic uint64_t arena_head; /* logical offset: extent * RCAP_EXTENT_BYTES + offset */
	uint32_t stream_block[RCAP_STREAM_BLOCKS];
	uint32_t arena_extent[RCAP_MAX_EXTENTS];
	/* Stacks of open ranges (live.h), by stream index: the number of the block, plus 1. */
	_Atomic uint32_t live_block[RCAP_LIVE_BLOCKS];
	_Atomic uint32_t live_started; /* likewise, of what was started and is open */

	/* For the log, and for who reports about it. */
	_Atomic uint64_t events; /* of the program's, written to the log */
	_Atomic uint64_t log_bytes;
	_Atomic uint64_t late; /* events that found no place after the log was closed */
	struct rcap_control control;
	struct rlog_clock_point first_clock;
	_Atomic uint64_t lost_process[RLOG_CAUSES]; /* of threads that have no stream */
	_Atomic uint64_t oddities[RLOG_ODDITIES];   /* relaxed; rcap_oddity_count() */
	char output[4096];                          /* path wanted, absolute; patterns expanded */
	char log_path[4096];                        /* path opened */
	uint64_t log_device;                        /* of that file */
	struct rcap_log_base log_base;
	_Atomic uint64_t log_inode; /* 0: no log was begun. Release, after path and device */
	char note[256];             /* why the log could not be written, empty if it could */
	char clock[16];             /* the three facts that the capture itself knows */
	uint64_t ticks_per_s;
	char counts[64]; /* what is counted: texts, each ended by a NUL; an empty one ends the list
	                  */
	uint32_t forked;
	uint32_t is_root; /* may have the plain output name */
	/* The attempt that its log's name begins with: the names before are those of earlier
	 * programs of this process (spool-past.h). */
	uint32_t first_attempt;
	char settings[4096]; /* texts, each ended by a NUL; an empty one ends the list */
	char notes[1024];    /* likewise */
	struct rcap_facts facts;
};

#define RCAP_HEADER_BLOCKS \
	((sizeof(struct rcap_spool_header) + RCAP_BLOCK_BYTES - 1) / RCAP_BLOCK_BYTES)

_Static_assert(sizeof(struct rcap_slot) == 16, "slots are 16 bytes");
_Static_assert(sizeof(struct rcap_block) == RCAP_BLOCK_BYTES, "blocks are packed");
_Static_assert(sizeof(struct rcap_stream) == RCAP_STREAM_BYTES, "streams are packed");

/* Stored XOR 0xFF, so that the constant in our code is not taken for a spool. */
static inline void rcap_spool_hide_magic(uint8_t out[8])
{
	static const uint8_t magic[8] = { 'r', 's', 'p', 'o', 'o', 'l', '0', '1' };

	for (size_t i = 0; i < 8; i++) {
		out[i] = magic[i] ^ 0xFF;
	}
}

/* Bytes of a spool of so many blocks. */
static inline size_t rcap_spool_bytes(uint32_t blocks)
{
	return (RCAP_HEADER_BLOCKS + (size_t) blocks) * RCAP_BLOCK_BYTES;
}

/* A mapped spool. */
struct rcap_spool {
	struct rcap_spool_header *header; /* start of the mapping */
	size_t mapped_bytes;
	char path[512];  /* empty: anonymous memory (crash_safe 0) */
	uint64_t device; /* of the file, checked when it is opened again to be extended */
	uint64_t inode;
	int lock_fd; /* holds the lock; 0: there is none, or the drain has it */
	/* The file, in the drain's own table of files; 0: it has none. The program may lose the
	 * right to open it. The drain's */
	int drain_fd;
};

struct rcap_spool_options {
	const char *directory; /* private (0700, ours). NULL or unusable: anonymous memory,
	                          header->crash_safe = 0 */
	/* Most memory it may take; lowered to half of the file system's free space, and to a
	 * quarter of the memory that is left to the process (room.h). */
	uint64_t limit_bytes;
	uint64_t extra_bytes; /* beyond that, for what can't wait; lowered likewise */
	bool is_outside;      /* another process may let the file grow */
};

/*
 * Makes the spool file of this process and maps it.
 *
 * Return: 0, -RLOG_E_SYSTEM. Context: any thread; a few hundred µs; no malloc.
 */
int rcap_spool_create(struct rcap_spool *spool, const struct rcap_spool_options *options,
                      struct rlog_error *err);

/*
 * Maps the spool of a living program that is to be drained from outside, and keeps recoveries away
 * from it.
 *
 * Return: 0, -RLOG_E_EMPTY: it has another drain, or is not ready, -code as rcap_spool_open().
 */
int rcap_spool_attach(struct rcap_spool *spool, const char *path, struct rlog_error *err);

/*
 * Takes the lock on the spool another process left, and maps it.
 *
 * @holder: gets an enum rcap_spool_holder. With NONE the lock is held until rcap_spool_close(),
 * with GONE nothing is mapped. Return: 0, -RLOG_E_SYSTEM, -RLOG_E_NOT_A_LOG (no spool, or of
 * another version, or cut short), -RLOG_E_EMPTY (its program had recorded nothing yet: nothing is
 * mapped, the lock is held).
 */
int rcap_spool_open(struct rcap_spool *spool, const char *path, int *holder,
                    struct rlog_error *err);

/* Unmaps, and gives the lock back; the file stays. */
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

/* The same for what can't wait: a thread's first block, tables. The limit may be exceeded by what
 * rcap_spool_create() was told. */
uint32_t rcap_spool_take_vital(struct rcap_spool *spool);

/* Takes RCAP_EXTENT_BLOCKS neighbouring blocks, vital ones. Return: number of the first, or
 * RCAP_NO_BLOCK. */
uint32_t rcap_spool_take_extent(struct rcap_spool *spool);

/* Blocks that may have memory behind them at this time, vital ones apart. */
uint32_t rcap_spool_limit_now(const struct rcap_spool *spool);

/* A block that nobody uses, out of those that were used before. Return: RCAP_NO_BLOCK: there is
 * none. Context: any thread. */
uint32_t rcap_spool_pop_free(const struct rcap_spool *spool);

/* Has the file take memory for blocks `first` to `end`. @fd: of it, 0: it is opened. Return: 1 if
 * there is, 0 if not, -1 if the file can't be opened. Context: any thread, with signals blocked. */
int rcap_spool_claim(const struct rcap_spool *spool, int fd, uint32_t first, uint32_t end);

/* Gives a block back. Context: any thread. */
void rcap_spool_free_block(struct rcap_spool *spool, uint32_t block);

/*
 * Extends the pool ahead of need and touches its pages, so that producers meet no page fault.
 *
 * @blocks: free blocks wanted. Context: the drain.
 */
void rcap_spool_look_ahead(struct rcap_spool *spool, uint32_t blocks);

/* True if only the drain lets the spool grow, and can. Context: any thread. */
bool rcap_spool_is_grown_outside(const struct rcap_spool *spool);

/* True when less than a quarter of the memory allowed is left. */
bool rcap_spool_is_tight(const struct rcap_spool *spool);

/* True if a block number can be dereferenced. */
bool rcap_spool_has_block(const struct rcap_spool *spool, uint32_t block);

/* Address of a block; the number must be valid. */
static inline struct rcap_block *rcap_spool_block(const struct rcap_spool *spool, uint32_t block)
{
	return (struct rcap_block *) (void *) ((char *) spool->header +
	                                       (RCAP_HEADER_BLOCKS + (size_t) block) *
	                                               RCAP_BLOCK_BYTES);
}

/* Slots that are published in a block. Acquire: they are whole. Never more than there are, whatever
 * the block holds. */
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

/* Adds a stream to them; nothing, if a death left it in both. Context: as above. */
void rcap_spool_add_ended(struct rcap_spool *spool, const struct rcap_stream *stream);

/* True for a stream that rcap_spool_ended() does not hold. */
bool rcap_spool_is_counted_alone(const struct rcap_spool *spool, const struct rcap_stream *stream);

/* Sets it, so that a death in the middle leaves the old one. Context: the drain, or recovery. */
void rcap_spool_commit(struct rcap_stream *stream, struct rcap_position position);

#endif
