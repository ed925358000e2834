/* SPDX-License-Identifier: MIT */
/*
 * The host's part of ranges/device.h, without CUDA: for programs that allocate and copy the memory
 * themselves. Sections reach the tool as NVTX's deferred events (doc/format.md, section 16).
 *
 * 	ranges_sections_init(&buffer, device_memory, host_memory, blocks, slots, every);
 * 	… cleared: the first 4 × blocks bytes of device_memory …
 * 	launch(…, ranges_sections_launch(&buffer));
 * 	… synchronised, copied to host_memory, cleared again …
 * 	ranges_sections_submit(&buffer);
 *
 * Only one thread may use a buffer at a time. Without a tool each of these calls does nothing.
 */
#ifndef RANGES_DEVICE_HOST_H
#define RANGES_DEVICE_HOST_H

#include <stdlib.h>

#include <ranges/nvtx-payload.h>
#include <ranges/nvtx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Only sections whose id is below this can have a name. */
#define RANGES_SECTION_NAMES 256u

/* A kernel writes one record at each begin and each end. */
struct ranges_section_record {
	uint64_t time;   /* %globaltimer: ns */
	uint64_t clock;  /* cycles of the SM */
	uint32_t sm;     /* %smid */
	uint32_t block;  /* x + width × (y + height × z), modulo 2^32 */
	uint32_t id_end; /* 2 × id for a begin, 2 × id + 1 for an end */
	uint32_t launch;
};

/* A kernel's parameter, passed by value. */
struct ranges_sections {
	struct ranges_section_record *records; /* on the device: a table of blocks × slots
	                                        * records */
	uint32_t *used; /* on the device: number of begins and ends of each block so far */
	uint32_t blocks;
	uint32_t slots; /* 0: nothing is recorded */
	uint32_t every;
	uint32_t launch;
	uint32_t next; /* the next slot of the calling block; UINT32_MAX: not read from `used`
	                * yet */
};

/* State of a buffer, on the host. Programs must not use its members. */
struct ranges_section_buffer {
	/* on the device: used[], then records[] from the next multiple of 32 bytes on */
	void *memory;
	void *copy;                /* on the host: a copy of `memory` */
	nvtxDomainHandle_t domain; /* NULL: nothing is recorded */
	uint64_t record_schema;
	uint64_t launch_schema;
	uint32_t blocks;
	uint32_t slots;
	uint32_t every;
	uint32_t launch; /* number of the next launch */
	nvtxStringHandle_t names[RANGES_SECTION_NAMES];
};

/* What is passed to the tool for each record. */
struct ranges_section_row {
	uint64_t time;
	uint64_t clock;
	uint64_t buffer;
	nvtxStringHandle_t name; /* NULL: the section has no name */
	uint32_t sm;
	uint32_t block;
	uint32_t id_end;
	uint32_t launch;
};

/* What is passed to the tool before the records of a launch. With `launch` 0 it tells what did not
 * fit in the buffer. */
struct ranges_section_launch_row {
	uint64_t buffer;
	uint32_t launch;
	uint32_t dropped; /* number of begins and ends that did not fit */
};

/* Rows in one call, 30 KiB. This is half of what libranges takes in one call, and never too much
 * for it. */
#define RANGES_SECTION_BATCH 640u

/* Returns the size of a buffer in bytes, which is the same on the device and on the host. */
static inline size_t ranges_sections_bytes(uint32_t blocks, uint32_t slots)
{
	const size_t used = (blocks * sizeof(uint32_t) + 31) / 32 * 32;

	return used +
	       RANGES_NVTX_VALUE(size_t, blocks) * slots * sizeof(struct ranges_section_record);
}

static inline uint64_t ranges_sections_register_1(nvtxDomainHandle_t domain, const char *name,
                                                  const nvtxPayloadSchemaEntry_t *entries,
                                                  size_t count, size_t bytes)
{
	nvtxPayloadSchemaAttr_t schema;

	memset(&schema, 0, sizeof(schema));
	schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
	schema.name = name;
	schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
	schema.entries = entries;
	schema.numEntries = count;
	schema.payloadStaticSize = bytes;
	return nvtxPayloadSchemaRegister(domain, &schema);
}

/* Registers the layout of both kinds of rows, for any NVTX tool. */
static inline void ranges_sections_describe_1(struct ranges_section_buffer *buffer)
{
	const nvtxSemanticsTime_t timer = {
		{ sizeof(nvtxSemanticsTime_t), NVTX_SEMANTIC_ID_TIME_V1, NVTX_TIME_SEMANTIC_VERSION,
		  RANGES_NVTX_NULL },
		NVTX_TIMESTAMP_TYPE_GPU_GLOBALTIMER,
	};
#define RANGES_SECTION_ENTRY(flags, type, name, offset, semantics)                        \
	{                                                                                 \
		flags, NVTX_PAYLOAD_ENTRY_TYPE_##type, name, RANGES_NVTX_NULL, 0, offset, \
			semantics, RANGES_NVTX_NULL                                       \
	}
	const nvtxPayloadSchemaEntry_t record[] = {
		RANGES_SECTION_ENTRY(NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP, UINT64, "time", 0,
		                     &timer.header),
		RANGES_SECTION_ENTRY(0, UINT64, "clock", 8, RANGES_NVTX_NULL),
		RANGES_SECTION_ENTRY(0, UINT64, "buffer", 16, RANGES_NVTX_NULL),
		RANGES_SECTION_ENTRY(NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE,
		                     NVTX_REGISTERED_STRING_HANDLE, "name", 24, RANGES_NVTX_NULL),
		RANGES_SECTION_ENTRY(0, UINT32, "sm", 32, RANGES_NVTX_NULL),
		RANGES_SECTION_ENTRY(0, UINT32, "block", 36, RANGES_NVTX_NULL),
		RANGES_SECTION_ENTRY(0, UINT32, "id_end", 40, RANGES_NVTX_NULL),
		RANGES_SECTION_ENTRY(0, UINT32, "launch", 44, RANGES_NVTX_NULL),
	};
	const nvtxPayloadSchemaEntry_t launch[] = {
		RANGES_SECTION_ENTRY(0, UINT64, "buffer", 0, RANGES_NVTX_NULL),
		RANGES_SECTION_ENTRY(0, UINT32, "launch", 8, RANGES_NVTX_NULL),
		RANGES_SECTION_ENTRY(0, UINT32, "dropped", 12, RANGES_NVTX_NULL),
	};
#undef RANGES_SECTION_ENTRY

	buffer->record_schema = ranges_sections_register_1(buffer->domain, "ranges.section", record,
	                                                   sizeof(record) / sizeof(record[0]),
	                                                   sizeof(struct ranges_section_row));
	buffer->launch_schema = ranges_sections_register_1(
		buffer->domain, "ranges.section_launch", launch, sizeof(launch) / sizeof(launch[0]),
		sizeof(struct ranges_section_launch_row));
}

/*
 * Prepares a buffer.
 *
 * @memory: ranges_sections_bytes(blocks, slots) bytes on the device, aligned to 32; the first 4 ×
 * blocks of them must be 0. @copy: as many bytes on the host, aligned to 8. The caller owns both.
 * @blocks, @slots, @every: see ranges_sections_create().
 * Context: any thread.
 */
static inline void ranges_sections_init(struct ranges_section_buffer *buffer, void *memory,
                                        void *copy, uint32_t blocks, uint32_t slots, uint32_t every)
{
	memset(buffer, 0, sizeof(*buffer));
	buffer->memory = memory;
	buffer->copy = copy;
	buffer->blocks = blocks;
	buffer->slots = slots;
	buffer->every = every != 0 ? every : 1;
	buffer->domain = nvtxDomainCreateA("ranges.sections");
	if (buffer->domain == RANGES_NVTX_NULL) {
		return;
	}
	/* An earlier buffer may have had this memory, so the launches begin with other numbers. */
	buffer->launch = RANGES_NVTX_VALUE(uint32_t, nvtxTimestampGet());
	ranges_sections_describe_1(buffer);
}

/*
 * Names a section.
 *
 * @id: below RANGES_SECTION_NAMES; sections with other ids get no name.
 * @name: UTF-8, copied.
 */
static inline void ranges_sections_name(struct ranges_section_buffer *buffer, uint32_t id,
                                        const char *name)
{
	if (buffer->domain != RANGES_NVTX_NULL && id < RANGES_SECTION_NAMES) {
		buffer->names[id] = nvtxDomainRegisterStringA(buffer->domain, name);
	}
}

static inline void ranges_sections_tell_1(const struct ranges_section_buffer *buffer,
                                          uint32_t launch, uint32_t dropped)
{
	struct ranges_section_launch_row row;
	nvtxPayloadData_t data;

	row.buffer = RANGES_NVTX_CAST(uintptr_t, buffer->memory);
	row.launch = launch;
	row.dropped = dropped;
	data.schemaId = buffer->launch_schema;
	data.size = sizeof(row);
	data.payload = &row;
	nvtxEventSubmit(buffer->domain, &data, 1);
}

/*
 * Makes the parameter for the next kernel that the calling thread launches. It is for that launch
 * only, and the thread must launch nothing else in between. If the launch goes into a graph that is
 * replayed, its sections have no place on the timeline.
 */
static inline struct ranges_sections ranges_sections_launch(struct ranges_section_buffer *buffer)
{
	const size_t used = (buffer->blocks * sizeof(uint32_t) + 31) / 32 * 32;
	struct ranges_sections sections;

	memset(&sections, 0, sizeof(sections));
	sections.every = 1;
	if (buffer->domain == RANGES_NVTX_NULL || buffer->memory == RANGES_NVTX_NULL) {
		return sections;
	}
	buffer->launch += buffer->launch == UINT32_MAX ? 2 : 1; /* 0 means none */
	ranges_sections_tell_1(buffer, buffer->launch, 0);
	sections.used = RANGES_NVTX_VALUE(uint32_t *, buffer->memory);
	sections.records = RANGES_NVTX_CAST(struct ranges_section_record *,
	                                    RANGES_NVTX_VALUE(char *, buffer->memory) + used);
	sections.blocks = buffer->blocks;
	sections.slots = buffer->slots;
	sections.every = buffer->every;
	sections.launch = buffer->launch;
	sections.next = UINT32_MAX;
	return sections;
}

/* Passes `count` rows to the tool. */
static inline void ranges_sections_put_1(const struct ranges_section_buffer *buffer,
                                         const struct ranges_section_row *rows, uint32_t count)
{
	nvtxEventBatch_t batch;

	if (count == 0) {
		return;
	}
	memset(&batch, 0, sizeof(batch));
	batch.eventSchemaId = buffer->record_schema;
	batch.size = count * sizeof(*rows);
	batch.events = rows;
	batch.scope = NVTX_SCOPE_NONE;
	batch.flags = NVTX_BATCH_FLAG_UNSORTED;
	nvtxEventBatchSubmit(buffer->domain, &batch);
}

/*
 * Passes to the tool what kernels have written. Before, the caller must copy the memory to
 * buffer->copy, and clear the first 4 × blocks bytes on the device. No kernel may write to the
 * memory in between.
 *
 * Context: takes 30 KiB of the stack.
 */
static inline void ranges_sections_submit(const struct ranges_section_buffer *buffer)
{
	const uint32_t *used = RANGES_NVTX_VALUE(const uint32_t *, buffer->copy);
	const size_t skip = (buffer->blocks * sizeof(uint32_t) + 31) / 32 * 32;
	struct ranges_section_row rows[RANGES_SECTION_BATCH];
	uint32_t count = 0;
	uint32_t dropped = 0;
	uint32_t block;
	uint32_t slot;

	if (buffer->domain == RANGES_NVTX_NULL || buffer->copy == RANGES_NVTX_NULL) {
		return;
	}
	for (block = 0; block < buffer->blocks; block++) {
		const struct ranges_section_record *records =
			RANGES_NVTX_CAST(const struct ranges_section_record *,
		                         RANGES_NVTX_VALUE(const char *, buffer->copy) + skip) +
			RANGES_NVTX_VALUE(size_t, block) * buffer->slots;

		for (slot = 0; slot < used[block] && slot < buffer->slots; slot++) {
			struct ranges_section_row *row = &rows[count++];
			const uint32_t id = records[slot].id_end / 2;

			row->time = records[slot].time;
			row->clock = records[slot].clock;
			row->buffer = RANGES_NVTX_CAST(uintptr_t, buffer->memory);
			row->name =
				id < RANGES_SECTION_NAMES ? buffer->names[id] : RANGES_NVTX_NULL;
			row->sm = records[slot].sm;
			row->block = records[slot].block;
			row->id_end = records[slot].id_end;
			row->launch = records[slot].launch;
			if (count == RANGES_SECTION_BATCH) {
				ranges_sections_put_1(buffer, rows, count);
				count = 0;
			}
		}
		dropped += used[block] - slot;
	}
	ranges_sections_put_1(buffer, rows, count);
	if (dropped > 0) {
		ranges_sections_tell_1(buffer, 0, dropped);
	}
}

#ifdef __cplusplus
}
#endif

#endif
