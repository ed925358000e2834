/* SPDX-License-Identifier: MIT */
/* Tests a spool that shrinks and grows while threads take blocks. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/spool/shrink.h"
#include "tests/tap.h"

#define BLOCKS 1200u
#define FEW    300u

static struct rcap_spool spool;
static struct rcap_shrink shrink;
static uint32_t taken[BLOCKS];

/* Kibibytes that the file takes. */
static long file_kib(void)
{
	struct stat st;

	return stat(spool.path, &st) == 0 ? (long) st.st_blocks / 2 : 0;
}

static void set_limit(uint32_t blocks)
{
	atomic_store_explicit(&spool.header->max_now, blocks, memory_order_relaxed);
}

/* Return: how many there were. */
static uint32_t take_all(uint32_t wanted)
{
	uint32_t count = 0;

	while (count < wanted) {
		taken[count] = rcap_spool_take_block(&spool);
		if (taken[count] == RCAP_NO_BLOCK) {
			break;
		}
		memset(rcap_spool_block(&spool, taken[count]), 1, RCAP_BLOCK_BYTES);
		count++;
	}
	return count;
}

static void test_one_thread(void)
{
	long before;
	uint32_t gone;

	tap_is_uint(take_all(BLOCKS), BLOCKS, "blocks are there");
	before = file_kib();
	set_limit(FEW);
	for (uint32_t i = 0; i < BLOCKS; i++) {
		rcap_shrink_free_block(&shrink, &spool, taken[i]);
	}
	gone = atomic_load(&spool.header->gone);
	tap_ok(gone >= BLOCKS - FEW, "those above the limit go to the system: %u", gone);
	/* File systems have some blocks of their own. */
	tap_ok(before - file_kib() >= (long) gone * RCAP_BLOCK_BYTES / 1024 * 9 / 10,
	       "with their memory: %ld of %ld KiB are left", file_kib(), before);
	tap_is_uint(take_all(BLOCKS), atomic_load(&spool.header->ready) - gone,
	            "and cannot be taken");
	tap_ok(rcap_spool_is_tight(&spool), "then the spool is tight");
	for (uint32_t i = 0; i < atomic_load(&spool.header->ready) - gone; i++) {
		rcap_spool_free_block(&spool, taken[i]);
	}
	for (uint64_t s = 1; s <= 8; s++) {
		rcap_shrink_watch(&shrink, &spool, 0, s * 1000000000u);
	}
	if (atomic_load(&spool.header->max_now) < BLOCKS + FEW) {
		tap_skip("memory that is there is used again", "this machine has too little");
		return;
	}
	tap_is_uint(atomic_load(&spool.header->gone), 0, "memory that is there is used again");
	tap_is_uint(take_all(BLOCKS), BLOCKS, "by as many blocks as before");
	for (uint32_t i = 0; i < BLOCKS; i++) {
		rcap_spool_free_block(&spool, taken[i]);
	}
}

static _Atomic int stop;

/* A producer: takes a block, writes to it, hands it on. */
static void *produce(void *argument)
{
	_Atomic uint32_t *const box = argument;

	while (!atomic_load(&stop)) {
		const uint32_t block = rcap_spool_take_block(&spool);
		uint32_t none = RCAP_NO_BLOCK;

		if (block == RCAP_NO_BLOCK) {
			continue;
		}
		memset(rcap_spool_block(&spool, block)->slots, 2, sizeof(struct rcap_slot));
		while (!atomic_compare_exchange_weak(box, &none, block)) {
			none = RCAP_NO_BLOCK;
			if (atomic_load(&stop)) {
				rcap_spool_free_block(&spool, block);
				break;
			}
		}
	}
	return NULL;
}

static void test_threads(void)
{
	static _Atomic uint32_t boxes[2];
	pthread_t threads[2];
	uint32_t moved = 0;

	for (int i = 0; i < 2; i++) {
		atomic_store(&boxes[i], RCAP_NO_BLOCK);
		pthread_create(&threads[i], NULL, produce, &boxes[i]);
	}
	for (uint32_t turn = 0; moved < 300; turn++) {
		for (int i = 0; i < 2; i++) {
			const uint32_t block = atomic_exchange(&boxes[i], RCAP_NO_BLOCK);

			if (block != RCAP_NO_BLOCK) {
				rcap_shrink_free_block(&shrink, &spool, block);
				moved++;
			}
		}
		sched_yield();
		set_limit(turn % 200 < 100 ? FEW : BLOCKS);
		if (turn % 200 == 199) {
			rcap_shrink_watch(&shrink, &spool, 0, (turn + 100) * 1000000000ull);
		}
	}
	atomic_store(&stop, 1);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		if (atomic_load(&boxes[i]) != RCAP_NO_BLOCK) {
			rcap_spool_free_block(&spool, boxes[i]);
		}
	}
	set_limit(spool.header->max_blocks);
	tap_is_uint(take_all(BLOCKS) + atomic_load(&spool.header->gone) >= BLOCKS, 1,
	            "no block is lost");
}

int main(void)
{
	char directory[64];
	const struct rcap_spool_options options = { .directory = directory,
		                                    .limit_bytes = UINT64_C(64) << 20 };

	snprintf(directory, sizeof(directory), "./test-shrink-%d", (int) getpid());
	mkdir(directory, 0700);
	if (rcap_spool_create(&spool, &options, NULL) != 0 || spool.path[0] == '\0' ||
	    spool.header->max_blocks < BLOCKS) {
		rmdir(directory);
		tap_skip_all("there is no room for a spool here");
	}
	test_one_thread();
	test_threads();
	rcap_spool_unlink(&spool);
	rcap_spool_close(&spool);
	rcap_shrink_fini(&shrink);
	rmdir(directory);
	return tap_done();
}
