/* SPDX-License-Identifier: MIT */
/* Decides where Perfetto draws GPU activity: a process for each device, rows for its streams. */
#ifndef RA_LAYOUT_GPU_H
#define RA_LAYOUT_GPU_H

#include "analyzer/timeline/layout/layout.h"
#include "analyzer/link/projection.h"

/*
 * A device is drawn as a process with the device's number, as in PyTorch's traces. A stream is a
 * row with the stream's number, if that is free. If operations of a stream overlap, they are put on
 * further rows, so that a row shows one operation at a time. Devices above 15 get numbers from
 * RA_LAYOUT_FIRST_GPU_PID on.
 */
#define RA_LAYOUT_FIRST_GPU_PID 6000000u

enum ra_layout_gpu_kind {
	RA_LAYOUT_GPU_OP,       /* index into model->gpu.ops */
	RA_LAYOUT_GPU_SYNC,     /* index into model->gpu.syncs */
	RA_LAYOUT_GPU_OVERHEAD, /* index into model->gpu.overheads; on a row of the process */
	/* index into model->slices; drawn at the time of its work on a stream */
	RA_LAYOUT_GPU_RANGE,
	RA_LAYOUT_GPU_SECTION, /* index into model->gpu.sections; with a row for each block */
};

/* A row. The caller gets it once, before the first item of the row. */
struct ra_layout_gpu_row {
	enum ra_layout_gpu_kind kind;
	uint32_t pid;
	uint32_t tid;
	uint32_t queue;   /* index of the queue; RA_NONE: a queue on which nothing ran */
	uint32_t context; /* CUPTI's ids of context and stream; not set for overheads */
	uint32_t stream;  /* UINT32_MAX: none */
	uint32_t track;   /* for ranges */
	uint32_t block;   /* for sections */
	uint32_t lane;    /* 0: the first row of its kind */
	uint32_t rank;    /* position among the rows of its process */
	bool is_second;   /* another context of the device has a stream with the same number */
};

struct ra_layout_gpu_item {
	enum ra_layout_gpu_kind kind;
	uint32_t index;
	uint32_t device; /* not set for overheads */
	uint32_t pid;
	uint32_t tid;
	uint16_t depth; /* depth in Perfetto */
	int64_t start_ns;
	int64_t dur_ns;
	const struct ra_projection_row *projection; /* for ranges; valid only during the call … */
	const struct ra_gpu_queue *queue;           /* … and the queue on which the work was */
};

struct ra_layout_gpu_visitor {
	/* The functions that get the rows and items. Each may be NULL. */
	void (*device)(void *context, uint32_t device, uint32_t pid);
	void (*row)(void *context, const struct ra_layout_gpu_row *row);
	void (*item)(void *context, const struct ra_layout_gpu_item *item);
	void *context;
};

/*
 * Goes through all GPU activity: device by device, row by row, in order of time within a row. Call
 * it after all tracks; then the rows get the same numbers each time.
 */
void ra_layout_gpu_walk(struct ra_layout *layout, const struct ra_model *model,
                        const struct ra_layout_gpu_visitor *visitor);

#endif
