/* SPDX-License-Identifier: MIT */
/* --compat=tb: makes the tables of operators, kernels and memory, grouped by keys. */
#ifndef RA_TB_TABLES_H
#define RA_TB_TABLES_H

#include "analyzer/compat/tb/tb.h"

/* The number of ids in the key of a row. Unused ids are 0. */
#define RA_TB_KEY_PARTS 7

struct ra_tb_key {
	uint32_t part[RA_TB_KEY_PARTS];
};

/* An index of rows by their keys. Zero-initialise. */
struct ra_tb_index {
	struct ra_util_map map;
	struct ra_tb_key *keys; /* owned; one for each row */
	size_t count;
	size_t capacity;
};

/* Finds the row of a key. Return: its number; a new key gets the next number. */
uint32_t ra_tb_index_find(struct ra_tb_index *index, const struct ra_tb_key *key);
void ra_tb_index_fini(struct ra_tb_index *index);

struct ra_tb_operator {
	uint32_t name;
	uint32_t shape;   /* string id of JSON text; 0: there is none, or it is [] */
	uint32_t stack;   /* string id, 0: none */
	bool is_eligible; /* whether the first call could use tensor cores */
	uint64_t calls;
	double host_total;
	double host_self;
	double device_total;
	double device_self;
	double tensor_total;
	double tensor_self;
};

struct ra_tb_operators {
	struct ra_tb_operator *rows; /* owned; in the order of their first calls */
	size_t count;
};

struct ra_tb_kernel {
	uint32_t row;     /* row in struct ra_kineto of the first one */
	uint32_t op_name; /* in op_kernels: string id of the operator's name, or RA_TB_ROOT_NAME */
	bool is_tensor;
	bool op_is_eligible;
	uint64_t calls;
	double total;
	double min;
	double max;
	double mean_blocks;
	double mean_occupancy;
};

struct ra_tb_kernels {
	struct ra_tb_kernel *rows; /* owned; in the order of their first calls */
	size_t count;
};

/* An operator's memory on a device, in bytes. */
struct ra_tb_memory {
	uint32_t name;
	int64_t device_type; /* 0 CPU, 1 GPU */
	int64_t device;      /* -1: the CPU */
	int64_t self_increase;
	int64_t self_allocated;
	int64_t self_allocations; /* number of allocations */
	int64_t increase;
	int64_t allocated;
	int64_t allocations;
	uint64_t calls; /* number of calls of the operator, on all devices */
};

struct ra_tb_peak {
	int64_t device_type;
	int64_t device;
	double allocated; /* the largest "Total Allocated" */
	double reserved;
};

struct ra_tb_memories {
	struct ra_tb_memory *rows; /* owned */
	size_t count;
	struct ra_tb_peak *peaks; /* owned; one for each device, in the order in which they first
	                             occur */
	size_t peak_count;
	size_t peak_capacity;
	size_t events; /* number of memory instants */
};

void ra_tb_memories_init(struct ra_tb_memories *memories, const struct ra_tb *tb);
void ra_tb_memories_fini(struct ra_tb_memories *memories);

struct ra_tb_tables {
	struct ra_tb_operators operators;
	struct ra_tb_kernels kernels;
	struct ra_tb_kernels op_kernels; /* grouped by operator, too */
	struct ra_tb_memories memories;
};

/* Makes tb->tables if they do not exist. Frees the trees, which nothing else needs. */
void ra_tb_tables_need(struct ra_tb *tb, bool by_shape, bool by_stack);

/* NULL is allowed. */
void ra_tb_tables_destroy(struct ra_tb_tables *tables);

#endif
