/* SPDX-License-Identifier: MIT */
/* Holds what packets of a Perfetto trace define for later packets: names, tracks, clocks. */
#ifndef RA_PERFETTO_STATE_H
#define RA_PERFETTO_STATE_H

#include "analyzer/base/util-map.h"
#include "analyzer/protobuf/protobuf.h"
#include "analyzer/rows/kineto-store.h"

/* Kinds of interned texts. A writer numbers the texts of each kind. */
enum ra_perfetto_names {
	RA_PERFETTO_CATEGORIES,
	RA_PERFETTO_NAMES,
	RA_PERFETTO_KEYS,
	RA_PERFETTO_VALUES,
	RA_PERFETTO_STAGES, /* stages of GPUs, and queues of GPUs */
	RA_PERFETTO_KINDS
};

/* ids 0 to 63 are shared; each writer has its own clocks 64 to 127 */
#define RA_PERFETTO_CLOCKS 128u

struct ra_perfetto_clock {
	int64_t offset_ns;   /* time of the clock + offset_ns = time since boot */
	uint64_t last;       /* for a clock that counts from the previous packet: its last value */
	uint64_t multiplier; /* ns in a unit of the clock */
	bool is_known;
	bool is_incremental;
};

/* A sequence: the packets of one writer. */
struct ra_perfetto_sequence {
	/* number of times that its numbers for names started again, after a loss */
	uint32_t generation;
	uint32_t default_clock;
	uint64_t default_track;
	struct ra_perfetto_clock clocks[RA_PERFETTO_CLOCKS / 2];
};

struct ra_perfetto_track {
	uint64_t uuid;
	uint64_t parent; /* uuid of the parent; 0: none */
	int64_t pid;
	int64_t tid;
	uint32_t name; /* string ids; 0: none */
	uint32_t label;
	uint32_t unit;
	int64_t sort_index;
	bool has_process, has_thread, has_sort_index;
	bool is_async;  /* the track is not the row of a thread */
	uint32_t *open; /* owned: numbers of its open slices */
	size_t open_count, open_capacity;
};

struct ra_perfetto_state {
	struct ra_kineto_store *store;          /* borrowed: stores the texts */
	struct ra_perfetto_sequence *sequences; /* owned */
	size_t sequence_count, sequence_capacity;
	struct ra_util_map sequence_of; /* id → index */
	struct ra_util_map names;       /* (generation, kind, number) → string id */
	uint32_t generations;
	struct ra_perfetto_clock clocks[RA_PERFETTO_CLOCKS / 2]; /* clocks 0 to 63 */
	struct ra_perfetto_track *tracks;                        /* owned */
	size_t track_count, track_capacity;
	struct ra_util_map track_of; /* uuid → index */
	int64_t base_ns;             /* time 0, by CLOCK_REALTIME; 0: unknown */
};

void ra_perfetto_state_init(struct ra_perfetto_state *state, struct ra_kineto_store *store);
void ra_perfetto_state_fini(struct ra_perfetto_state *state);

/* Forgets names and clocks but keeps the tracks. Called before the file is read again. */
void ra_perfetto_state_rewind(struct ra_perfetto_state *state);

/* The sequence and time of a packet. */
struct ra_perfetto_packet {
	uint32_t sequence; /* index of the sequence */
	bool has_time;
	int64_t time_ns; /* ns since boot */
};

/* Stores what a packet defines for later packets. Fills `packet`. */
void ra_perfetto_state_take(struct ra_perfetto_state *state, struct ra_protobuf packet,
                            struct ra_perfetto_packet *facts);

/* Finds a text by its number. Return: string id; 0: the number has no text. */
uint32_t ra_perfetto_state_name(const struct ra_perfetto_state *state, uint32_t sequence,
                                enum ra_perfetto_names kind, uint64_t number);

/* The index of a track. A track that was never described becomes a track of no thread. */
uint32_t ra_perfetto_state_track(struct ra_perfetto_state *state, uint64_t uuid);

/* Gives tracks the process and thread of the tracks that contain them. Call it after the first
 * reading. */
void ra_perfetto_state_place(struct ra_perfetto_state *state);

#endif
