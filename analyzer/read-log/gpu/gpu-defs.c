/* SPDX-License-Identifier: MIT */
/* Reads devices and launch shapes from definitions (doc/format.md section 5, kinds 16 and 19). */
#include "analyzer/read-log/gpu/gpu-defs.h"

#include <string.h>

#include "analyzer/base/util.h"
#include "format/columns/cursor.h"
#include "format/read/reader.h"
#include "format/wire.h"

#define MAX_NUMBERS 32

void ra_gpu_defs_read_numbers(const struct ra_model *model, uint64_t string, uint64_t *out,
                              size_t size)
{
	struct rlog_cursor cursor;
	uint32_t count = 0;

	for (size_t i = 0; i < size; i++) {
		out[i] = 0;
	}
	if (string >= model->string_count || model->strings[string].bytes == NULL) {
		return;
	}
	cursor.pos = (const uint8_t *) model->strings[string].bytes;
	cursor.end = cursor.pos + model->strings[string].length;
	if (rlog_cursor_peek(&cursor) != RLOG_CURSOR_ARRAY ||
	    rlog_cursor_read_array(&cursor, &count) != 0) {
		return;
	}
	for (uint32_t i = 0; i < count && i < size; i++) {
		struct rlog_cursor_int number;

		if (rlog_cursor_peek(&cursor) != RLOG_CURSOR_INT ||
		    rlog_cursor_read_int(&cursor, &number) != 0) {
			return;
		}
		out[i] = number.bits;
	}
}

/* Reads the UUID, the last entry of a device's detail. */
static void read_uuid(const struct ra_model *model, uint64_t string, uint8_t uuid[16])
{
	struct rlog_cursor cursor;
	const char *bytes = NULL;
	uint32_t count = 0;

	if (string >= model->string_count || model->strings[string].bytes == NULL) {
		return;
	}
	cursor.pos = (const uint8_t *) model->strings[string].bytes;
	cursor.end = cursor.pos + model->strings[string].length;
	if (rlog_cursor_read_array(&cursor, &count) != 0) {
		return;
	}
	while (rlog_cursor_peek(&cursor) == RLOG_CURSOR_INT) {
		(void) rlog_cursor_skip(&cursor);
	}
	if (rlog_cursor_peek(&cursor) == RLOG_CURSOR_TEXT &&
	    rlog_cursor_read_text(&cursor, &bytes, &count) == 0 && count == 16) {
		memcpy(uuid, bytes, 16);
	}
}

static int32_t to_i32(uint64_t value)
{
	return value <= INT32_MAX ? (int32_t) value : 0;
}

static int64_t to_i64(uint64_t value)
{
	return value <= INT64_MAX / 4 ? (int64_t) value : 0;
}

static void add_device(struct ra_builder *builder, const struct rlog_def *def)
{
	struct ra_gpu *gpu = &builder->model->gpu;
	struct ra_gpu_device device = { .id = (uint32_t) def->id };
	uint64_t detail[MAX_NUMBERS];

	ra_gpu_defs_read_numbers(builder->model, def->value, detail, MAX_NUMBERS);
	device.limits = (struct ra_occupancy_device){
		.cc_major = to_i32(detail[0]),
		.cc_minor = to_i32(detail[1]),
		.multiprocessors = to_i32(detail[2]),
		.threads_per_sm = to_i32(detail[3] * detail[4]),
		.threads_per_block = to_i32(detail[6]),
		.registers_per_sm = to_i32(detail[7]),
		.registers_per_block = to_i32(detail[8]),
		.shared_per_sm_bytes = to_i64(detail[9]),
		.shared_per_block_bytes = to_i64(detail[10]),
		.shared_optin_bytes = to_i64(detail[11]),
		.shared_reserved_bytes = to_i64(detail[12]),
	};
	read_uuid(builder->model, def->value, device.uuid);
	device.clock_khz = (uint32_t) detail[13];
	device.bandwidth_kb_s = detail[14];
	device.memory_bytes = detail[15];
	ra_builder_map_name(builder, def->string, &device.name);
	for (size_t i = 0; i < gpu->device_count; i++) {
		if (gpu->devices[i].id == device.id) {
			/* if a definition is repeated, the last one is kept */
			gpu->devices[i] = device;
			return;
		}
	}
	ra_util_resize(&gpu->devices, gpu->device_count + 1, sizeof(device));
	gpu->devices[gpu->device_count++] = device;
}

static struct ra_gpu_shape read_shape(const struct ra_model *model, const struct rlog_def *def)
{
	struct ra_gpu_shape shape;
	uint64_t detail[MAX_NUMBERS];

	ra_gpu_defs_read_numbers(model, def->value, detail, MAX_NUMBERS);
	for (size_t i = 0; i < 3; i++) {
		shape.grid[i] = (uint32_t) detail[i];
		shape.block[i] = (uint32_t) detail[3 + i];
		shape.cluster[i] = (uint32_t) detail[6 + i];
	}
	shape.registers = (uint32_t) detail[9];
	shape.static_shared_bytes = (uint32_t) detail[10];
	shape.dynamic_shared_bytes = (uint32_t) detail[11];
	shape.local_bytes = (uint32_t) detail[13];
	shape.is_optin = detail[14] == 1;
	shape.launch_type = (uint8_t) detail[15];
	shape.priority = (int32_t) (int64_t) detail[16];
	return shape;
}

void ra_gpu_defs_map_contexts(const struct ra_model *model, struct ra_util_map *devices)
{
	size_t count = 0;
	const struct rlog_def *defs = rlog_reader_borrow_defs(model->reader, &count);

	for (size_t i = 0; i < count; i++) {
		if (defs[i].kind == RLOG_DEF_CONTEXT && defs[i].parent <= UINT16_MAX) {
			ra_util_map_put(devices, defs[i].id, (uint32_t) defs[i].parent);
		}
	}
}

void ra_gpu_defs_load(struct ra_builder *builder, struct ra_util_map *shapes)
{
	struct ra_gpu *gpu = &builder->model->gpu;
	size_t capacity = 0;
	size_t count = 0;
	const struct rlog_def *defs = rlog_reader_borrow_defs(builder->model->reader, &count);

	for (size_t i = 0; i < count; i++) {
		if (defs[i].kind == RLOG_DEF_DEVICE && defs[i].id <= UINT16_MAX) {
			add_device(builder, &defs[i]);
		} else if (defs[i].kind == RLOG_DEF_LAUNCH_SHAPE) {
			ra_util_grow(&gpu->shapes, &capacity, gpu->shape_count + 1,
			             sizeof(*gpu->shapes));
			gpu->shapes[gpu->shape_count] = read_shape(builder->model, &defs[i]);
			ra_util_map_put(shapes, defs[i].id, (uint32_t) gpu->shape_count++);
		}
	}
	ra_gpu_sort_devices(gpu);
}
