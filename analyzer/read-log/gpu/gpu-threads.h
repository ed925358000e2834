/* SPDX-License-Identifier: MIT */
/* Finds the track of a thread by its OS id and a time. An id may be reused. */
#ifndef RA_GPU_THREADS_H
#define RA_GPU_THREADS_H

#include "analyzer/model/model.h"

struct ra_gpu_threads;

/* @model: its tracks of threads must be complete. */
struct ra_gpu_threads *ra_gpu_threads_create(struct ra_model *model);
void ra_gpu_threads_destroy(struct ra_gpu_threads *threads);

/*
 * The track of a thread at a time. If several threads had this id, the last of them that had begun
 * by then is taken, or the first if none had. A thread without ranges gets a new track after all
 * others.
 */
uint32_t ra_gpu_threads_find(struct ra_gpu_threads *threads, uint64_t tid, int64_t time_ns);

#endif
