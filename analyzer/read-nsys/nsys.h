/* SPDX-License-Identifier: MIT */
/* Reads an export of nsys: declarations shared by the files of this folder. */
#ifndef RA_NSYS_H
#define RA_NSYS_H

#include "analyzer/model/build/builder.h"
#include "analyzer/model/gpu/gpu-build.h"
#include "analyzer/read-nsys/nsys-db.h"

/* A globalTid has 8 bits for a machine, 8 for a virtual machine, 24 for the pid, 24 for the tid.
 * Without the tid it is the globalPid. */
#define RA_NSYS_TID_BITS 24u
#define RA_NSYS_ID_MASK  0xFFFFFFu

/* Later times are ignored, so that the sum of two times does not overflow. */
#define RA_NSYS_TIME_MAX (INT64_MAX / 4)

struct ra_nsys_thread {
	uint64_t id;   /* globalTid */
	uint32_t name; /* name; 0: none */
	uint32_t process;
	uint32_t track; /* set when tracks are made */
};

struct ra_nsys {
	struct ra_nsys_db db;
	struct ra_model *model; /* borrowed */
	struct ra_builder builder;
	struct ra_gpu_build gpu;
	struct ra_util_map string_ids; /* id in StringIds → name of the model */
	struct ra_util_map texts;      /* hash of a text → name of the model */
	struct ra_nsys_thread *threads;
	size_t thread_count;
	size_t thread_capacity;
	struct ra_util_map thread_of; /* globalTid → index */
	uint64_t *processes;          /* globalPid, in order of appearance */
	size_t process_count;
	size_t process_capacity;
	struct ra_util_map process_of; /* globalPid → index */
	struct ra_util_map corrs;      /* process << 32 | correlation → our correlation id */
	struct ra_util_map domain_of;  /* see nsys-domains.c */
	struct ra_util_map domain_names;
	struct ra_util_map domain_ids;
	struct ra_util_map gpu_ids;    /* nsys' number of a GPU → our number */
	struct ra_util_map device_ids; /* process and its number of a device → our number */
	uint32_t next_domain;
	size_t category_capacity;
	size_t api_capacity;
	size_t op_capacity;
	size_t sync_capacity;
	size_t overhead_capacity;
	size_t memory_capacity;
	size_t device_capacity;
	int64_t nvtx_end_ns; /* largest time in NVTX_EVENTS, at which open ranges end */
	/* number of rows that were left out because their times are not usable */
	uint64_t bad_times;
	bool has_capture;  /* the file has facts of a capture that only analyzer writes … */
	bool has_own_axis; /* … among them when the capture begins and ends */
	int64_t own_axis_ns[2];
};

/* ---- nsys-capture.c ---- */

/* Reads the clock and, in our own exports, when time begins. Errors of SQLite are in db.rc, here
 * and in the functions below. */
void ra_nsys_capture_read(struct ra_nsys *nsys);

/* Reads what was lost, and everything else for which the model must be complete. */
void ra_nsys_capture_finish(struct ra_nsys *nsys);

/* ---- nsys-names.c ---- */

/* Reads StringIds. */
void ra_nsys_names_read(struct ra_nsys *nsys);

/* The model's name for a text; equal texts share a name. Return: 0 for the empty text. */
uint32_t ra_nsys_names_add(struct ra_nsys *nsys, const char *bytes, size_t length);

/* The name for a column that has a string id; 0: none. */
uint32_t ra_nsys_names_of_id(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, int column);

/* The name for a column that has a text. If it has none, the name for a column that has a string
 * id. */
uint32_t ra_nsys_names_of(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, int text, int id);

/* ---- nsys-domains.c ---- */

/* Reads names of domains, categories and threads from NVTX_EVENTS. */
void ra_nsys_domains_read(struct ra_nsys *nsys);

/* The index of a domain of a process. */
uint16_t ra_nsys_domains_find(struct ra_nsys *nsys, uint64_t global_tid, int64_t id);

/* ---- nsys-threads.c ---- */

/* The index of a thread. A new thread is added. */
uint32_t ra_nsys_threads_find(struct ra_nsys *nsys, uint64_t global_tid);
uint32_t ra_nsys_threads_find_process(struct ra_nsys *nsys, uint64_t global_tid);

/* Makes a correlation id that is unique in the file. In the file, each process numbers its own. */
uint32_t ra_nsys_threads_corr(struct ra_nsys *nsys, uint32_t process, uint32_t corr);

/* Makes processes and tracks from the threads noted, and updates their indices in the model. */
void ra_nsys_threads_build(struct ra_nsys *nsys);

/* ---- nsys-ranges.c ---- */

struct ra_nsys_events;

/* Reads ranges and marks. Slices are made from these later, when there are tracks. */
struct ra_nsys_events *ra_nsys_ranges_read(struct ra_nsys *nsys);

/* Lowers *first_ns to the time of the first event, if that is earlier. The second function makes
 * all times begin there. */
void ra_nsys_ranges_find_first(const struct ra_nsys_events *events, int64_t *first_ns);
void ra_nsys_ranges_shift(struct ra_nsys_events *events, int64_t first_ns);

void ra_nsys_ranges_build(struct ra_nsys *nsys, struct ra_nsys_events *events);
void ra_nsys_ranges_free(struct ra_nsys_events *events);

/* ---- nsys-gpu.c, nsys-devices.c ---- */

void ra_nsys_gpu_read(struct ra_nsys *nsys);
void ra_nsys_calls_read(struct ra_nsys *nsys);

/* Reads calls of the operating system. They add neither threads nor time to the model, so call this
 * when both are complete. */
void ra_nsys_calls_read_os(struct ra_nsys *nsys);
void ra_nsys_devices_read(struct ra_nsys *nsys);

/* Finds which device each process's numbers mean. Call it before reading operations. */
void ra_nsys_devices_link(struct ra_nsys *nsys);

/* Our number of a device. @ordinal: the process's number of it. */
uint32_t ra_nsys_devices_find(const struct ra_nsys *nsys, uint64_t global_pid, uint32_t ordinal);

/* ---- nsys-axis.c ---- */

/* Makes time begin with the first event, because a part cut out of an export may begin hours after
 * 0. */
void ra_nsys_axis_shift(struct ra_nsys *nsys, struct ra_nsys_events *events);

/* Reads start and duration from columns 0 and 1. Return: false if they make no sense; then the row
 * is counted. */
bool ra_nsys_times(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, int64_t *start_ns,
                   int64_t *dur_ns);

#endif
