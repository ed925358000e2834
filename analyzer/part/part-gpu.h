/* SPDX-License-Identifier: MIT */
/* Finds which GPU rows belong to a part: those of calls that began during the part, whenever they
 * ran. */
#ifndef RA_PART_GPU_H
#define RA_PART_GPU_H

#include "analyzer/part/part-job.h"

/* When the last GPU row begins, in ns since the log's time 0; INT64_MIN: there is none. */
int64_t ra_part_gpu_find_last(struct ra_part *part);

/* Finds out when calls began. Reads all chunks of the GPU's streams, because what ran during the
 * part may belong to any call, and headers do not tell to which. The streams must be planned
 * before. */
void ra_part_gpu_find_calls(struct ra_part *part);

/* Writes the rows of a GPU stream that belong to the part. Counts work that ran during the part but
 * was launched before. @stream: index into part->streams. Return: the writer's code. */
int ra_part_gpu_copy_stream(struct ra_part *part, size_t stream, struct rlog_error *err);

void ra_part_gpu_fini(struct ra_part_gpu *gpu);

#endif
