/* SPDX-License-Identifier: MIT */
/* Which track an API call belongs on: threads by their OS id, which may be used again. */
#ifndef RA_GPU_THREADS_H
#define RA_GPU_THREADS_H

#include "analyzer/model/model.h"

struct ra_gpu_threads;

/* @model: its tracks of threads are complete. */
struct ra_gpu_threads *ra_gpu_threads_create(struct ra_model *model);
void ra_gpu_threads_destroy(struct ra_gpu_threads *threads);

/*
 * The track of a thread at a time: of those with its id the last that had begun by then, else the
 * first. A thread that made no range gets a track behind all others.
 */
uint32_t ra_gpu_threads_find(struct ra_gpu_threads *threads, uint64_t tid, int64_t time_ns);

#endif
