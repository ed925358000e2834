/* SPDX-License-Identifier: MIT */
/* Reading an export of nsys: what its parts share. */
#ifndef RA_NSYS_H
#define RA_NSYS_H

#include "analyzer/model/builder.h"
#include "analyzer/model/gpu-build.h"
#include "analyzer/read-nsys/nsys-db.h"

/* A globalTid: 8 bits of a machine, 8 of a virtual one, 24 of pid, 24 of tid. Without the tid it is
 * the globalPid. */
#define RA_NSYS_TID_BITS 24u
#define RA_NSYS_ID_MASK  0xFFFFFFu

/* Times beyond are none: sums of two of them stay in range. */
#define RA_NSYS_TIME_MAX (INT64_MAX / 4)

struct ra_nsys_thread {
	uint64_t id;   /* globalTid */
	uint32_t name; /* 0: none */
	uint32_t process;
	uint32_t track; /* once there are tracks */
};

struct ra_nsys {
	struct ra_nsys_db db;
	struct ra_model *model; /* borrowed */
	struct ra_builder builder;
	struct ra_gpu_build gpu;
	struct ra_util_map string_ids; /* of StringIds → name */
	struct ra_util_map texts;      /* hash → name */
	struct ra_nsys_thread *threads;
	size_t thread_count;
	size_t thread_capacity;
	struct ra_util_map thread_of; /* globalTid → index */
	uint64_t *processes;          /* globalPid, in order of appearance */
	size_t process_count;
	size_t process_capacity;
	struct ra_util_map process_of; /* globalPid → index */
	struct ra_util_map corrs;      /* process << 32 | correlation → ours */
	struct ra_util_map domain_of;  /* see nsys-domains.c */
	struct ra_util_map domain_names;
	struct ra_util_map domain_ids;
	struct ra_util_map gpu_ids;    /* nsys' number of a GPU → ours */
	struct ra_util_map device_ids; /* a process and its number of a device → ours */
	uint32_t next_domain;
	size_t category_capacity;
	size_t api_capacity;
	size_t op_capacity;
	size_t sync_capacity;
	size_t overhead_capacity;
	size_t memory_capacity;
	size_t device_capacity;
	int64_t nvtx_end_ns; /* the largest time in NVTX_EVENTS: where open ranges end */
	uint64_t bad_times;  /* rows without usable times: left out */
	bool has_capture;  /* the file tells of the capture, as those that analyzer writes do: more
	                      than nsys … */
	bool has_own_axis; /* … where the time of the capture begins and ends */
	int64_t own_axis_ns[2];
};

/* ---- nsys-capture.c ---- */

/* Reads the clock and, of our own exports, the axis. What fails at SQLite is in db.rc, here and
 * below. */
void ra_nsys_capture_read(struct ra_nsys *nsys);

/* Reads what was lost, and what else belongs to a model that is built. */
void ra_nsys_capture_finish(struct ra_nsys *nsys);

/* ---- nsys-names.c ---- */

/* Reads StringIds. */
void ra_nsys_names_read(struct ra_nsys *nsys);

/* The model's name of a text: equal texts have one. 0 of the empty text. */
uint32_t ra_nsys_names_add(struct ra_nsys *nsys, const char *bytes, size_t length);

/* The name in a column of ids of strings; 0: none. */
uint32_t ra_nsys_names_of_id(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, int column);

/* The name of the text in one column, else of the id in another. */
uint32_t ra_nsys_names_of(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, int text, int id);

/* ---- nsys-domains.c ---- */

/* Reads names of domains, categories and threads out of NVTX_EVENTS. */
void ra_nsys_domains_read(struct ra_nsys *nsys);

/* Index of a process' domain. */
uint16_t ra_nsys_domains_find(struct ra_nsys *nsys, uint64_t global_tid, int64_t id);

/* ---- nsys-threads.c ---- */

/* Index of a thread, which is noted if need be. */
uint32_t ra_nsys_threads_find(struct ra_nsys *nsys, uint64_t global_tid);
uint32_t ra_nsys_threads_find_process(struct ra_nsys *nsys, uint64_t global_tid);

/* A correlation id that is the only one in the file. Processes count for themselves. */
uint32_t ra_nsys_threads_corr(struct ra_nsys *nsys, uint32_t process, uint32_t corr);

/* Makes processes and tracks of what was noted, and renames both in what the model has. */
void ra_nsys_threads_build(struct ra_nsys *nsys);

/* ---- nsys-ranges.c ---- */

struct ra_nsys_events;

/* Reads ranges and marks; of them slices are made once there are tracks. */
struct ra_nsys_events *ra_nsys_ranges_read(struct ra_nsys *nsys);

/* Lowers *first_ns to the first event's time; brings all to an axis that begins there. */
void ra_nsys_ranges_find_first(const struct ra_nsys_events *events, int64_t *first_ns);
void ra_nsys_ranges_shift(struct ra_nsys_events *events, int64_t first_ns);

void ra_nsys_ranges_build(struct ra_nsys *nsys, struct ra_nsys_events *events);
void ra_nsys_ranges_free(struct ra_nsys_events *events);

/* ---- nsys-gpu.c, nsys-devices.c ---- */

void ra_nsys_gpu_read(struct ra_nsys *nsys);
void ra_nsys_calls_read(struct ra_nsys *nsys);

/* Reads calls of the operating system, which give the model neither threads nor an axis: once there
 * are both. */
void ra_nsys_calls_read_os(struct ra_nsys *nsys);
void ra_nsys_devices_read(struct ra_nsys *nsys);

/* Finds which devices processes mean; before anything that ran on one is read. */
void ra_nsys_devices_link(struct ra_nsys *nsys);

/* Our number of a device. @ordinal: the process' own. */
uint32_t ra_nsys_devices_find(const struct ra_nsys *nsys, uint64_t global_pid, uint32_t ordinal);

/* ---- nsys-axis.c ---- */

/* Lets time begin with the first event: a part cut out of an export begins hours after 0. */
void ra_nsys_axis_shift(struct ra_nsys *nsys, struct ra_nsys_events *events);

/* Start and duration in columns 0 and 1. Return: false, counted, if they make no sense. */
bool ra_nsys_times(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, int64_t *start_ns,
                   int64_t *dur_ns);

#endif
