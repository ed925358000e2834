/* SPDX-License-Identifier: MIT */
/* Where Perfetto draws what the GPUs did: a process per device, rows for its streams. */
#ifndef RA_LAYOUT_GPU_H
#define RA_LAYOUT_GPU_H

#include "analyzer/timeline/layout/layout.h"
#include "analyzer/link/projection.h"

/*
 * A device is a process whose number is the device's, as in PyTorch's traces; a stream is a row
 * whose number is the stream's where that is free. Operations of a stream can overlap: those that
 * do lie on further rows, so that each row holds one thing at a time. Numbers above
 * RA_LAYOUT_FIRST_GPU_PID stand for devices above 15.
 */
#define RA_LAYOUT_FIRST_GPU_PID 6000000u

enum ra_layout_gpu_kind {
	RA_LAYOUT_GPU_OP,       /* index: of model->gpu.ops */
	RA_LAYOUT_GPU_SYNC,     /* index: of model->gpu.syncs */
	RA_LAYOUT_GPU_OVERHEAD, /* index: of model->gpu.overheads; on a row of the CPU's process */
	RA_LAYOUT_GPU_RANGE,    /* index: of model->slices; where its work lies on a stream */
	RA_LAYOUT_GPU_SECTION,  /* index: of model->gpu.sections; a row for each block */
};

/* A row, told once before its first item. */
struct ra_layout_gpu_row {
	enum ra_layout_gpu_kind kind;
	uint32_t pid;
	uint32_t tid;
	uint32_t queue;   /* index, RA_NONE: of none that ran anything */
	uint32_t context; /* CUPTI's ids; of overheads nothing */
	uint32_t stream;  /* UINT32_MAX: none */
	uint32_t track;   /* of ranges */
	uint32_t block;   /* of sections */
	uint32_t lane;    /* 0: the first of its kind */
	uint32_t rank;    /* place among the rows of its process */
	bool is_second;   /* a stream of another context of the device has the same number */
};

struct ra_layout_gpu_item {
	enum ra_layout_gpu_kind kind;
	uint32_t index;
	uint32_t device; /* of overheads nothing */
	uint32_t pid;
	uint32_t tid;
	uint16_t depth; /* as Perfetto will have it */
	int64_t start_ns;
	int64_t dur_ns;
	const struct ra_projection_row *projection; /* of ranges; as long as the call … */
	const struct ra_gpu_queue *queue;           /* … and where it lies */
};

struct ra_layout_gpu_visitor {
	/* Each may be NULL. */
	void (*device)(void *context, uint32_t device, uint32_t pid);
	void (*row)(void *context, const struct ra_layout_gpu_row *row);
	void (*item)(void *context, const struct ra_layout_gpu_item *item);
	void *context;
};

/*
 * Walks all that the GPUs did: device by device, row by row, in the order of time on each. Each
 * walk of the same model gives rows the same numbers, if it comes behind all tracks.
 */
void ra_layout_gpu_walk(struct ra_layout *layout, const struct ra_model *model,
                        const struct ra_layout_gpu_visitor *visitor);

#endif
