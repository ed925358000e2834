/* SPDX-License-Identifier: MIT */
/* Finds the capture of a replay, and for each of the replay's operations the launch that it came
 * from. */
#include "analyzer/graphs/graph-match.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/graphs/graph-align.h"

/* If more than a tenth of a replay is missing from a capture, or of a capture from the replay, the
 * capture is of another graph. */
#define MIN_PER_CENT 90

struct choice {
	const struct ra_graph_captures *trace;
	const struct ra_graph_launch *launches;
	const struct ra_graph_capture *capture;
	uint32_t *sorted; /* owned; the capture's symbols in ascending order */
	uint64_t hash;    /* of the capture's symbols in order */
};

struct ra_graph_match_all {
	struct choice *choices; /* ordered by hash, then as they were added */
	size_t count;
	struct ra_util_map nodes; /* maps a node to the index of its launch */
	const struct ra_graph_captures *trace_of_nodes;
};

/* ---- Captures ---- */

static uint64_t add_hash(uint64_t hash, uint32_t symbol)
{
	return (hash ^ symbol) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 29);
}

static int compare_symbols(const void *left, const void *right)
{
	const uint32_t *a = left;
	const uint32_t *b = right;

	return RA_ORDER(*a, *b);
}

static uint32_t *sort_symbols(const uint32_t *symbols, size_t count)
{
	uint32_t *sorted = ra_alloc_zeros(count + 1, sizeof(*sorted));

	for (size_t i = 0; i < count; i++) {
		sorted[i] = symbols[i];
	}
	RA_SORT(sorted, count, compare_symbols);
	return sorted;
}

static void add_choices(struct ra_graph_match_all *all, const struct ra_graph_captures *trace)
{
	for (size_t i = 0; i < trace->capture_count; i++) {
		const struct ra_graph_capture *capture = &trace->captures[i];
		struct choice *choice = &all->choices[all->count++];

		*choice = (struct choice){ .trace = trace,
			                   .launches = trace->launches + capture->first,
			                   .capture = capture };
		choice->sorted = ra_alloc_zeros(capture->count + 1, sizeof(*choice->sorted));
		for (size_t l = 0; l < capture->count; l++) {
			choice->sorted[l] = choice->launches[l].symbol;
			choice->hash = add_hash(choice->hash, choice->launches[l].symbol);
			if (choice->launches[l].node != 0) {
				all->trace_of_nodes = trace;
				ra_util_map_put(&all->nodes, choice->launches[l].node,
				                capture->first + (uint32_t) l);
			}
		}
		RA_SORT(choice->sorted, capture->count, compare_symbols);
	}
}

static int compare_choices(const void *left, const void *right)
{
	const struct choice *a = left;
	const struct choice *b = right;
	int order = RA_ORDER_UP(a, b, hash);

	order = RA_ORDER_THEN(order, RA_ORDER(a->trace, b->trace));
	return RA_ORDER_THEN(order, RA_ORDER(a->capture, b->capture));
}

struct ra_graph_match_all *ra_graph_match_create(const struct ra_graph_captures *traces,
                                                 size_t count, int64_t rank)
{
	struct ra_graph_match_all *all = ra_alloc_zeros(1, sizeof(*all));
	bool has_rank = false;
	size_t captures = 0;

	for (size_t i = 0; i < count; i++) {
		has_rank |=
			rank >= 0 && traces[i].kineto->rank == rank && traces[i].capture_count > 0;
		captures += traces[i].capture_count;
	}
	all->choices = ra_alloc_zeros(captures + 1, sizeof(*all->choices));
	for (size_t i = 0; i < count; i++) {
		if (!has_rank || traces[i].kineto->rank == rank) {
			add_choices(all, &traces[i]);
		}
	}
	RA_SORT(all->choices, all->count, compare_choices);
	return all;
}

void ra_graph_match_destroy(struct ra_graph_match_all *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->choices[i].sorted);
	}
	free(all->choices);
	ra_util_map_free(&all->nodes);
	free(all);
}

size_t ra_graph_match_count(const struct ra_graph_match_all *all)
{
	return all->count;
}

/* ---- By node ---- */

static bool match_nodes(struct ra_graph_match *match, const struct ra_graph_match_all *all,
                        const struct ra_graph_sequence *sequence)
{
	bool found = false;

	for (size_t i = 0; i < sequence->count; i++) {
		const uint32_t launch = sequence->nodes[i] == 0
		                                ? RA_UTIL_MAP_NONE
		                                : ra_util_map_find(&all->nodes, sequence->nodes[i]);

		match->launches[i] = launch == RA_UTIL_MAP_NONE ? RA_KINETO_NONE : launch;
		found |= launch != RA_UTIL_MAP_NONE;
	}
	match->captures = all->trace_of_nodes;
	match->rule = RA_KINETO_CAPTURED_NODE;
	match->rest = RA_KINETO_CAPTURED_UNKNOWN;
	return found;
}

/* ---- Equal sequences ---- */

static bool is_equal(const struct choice *choice, const struct ra_graph_sequence *sequence)
{
	if (choice->capture->count != sequence->count) {
		return false;
	}
	for (size_t i = 0; i < sequence->count; i++) {
		if (choice->launches[i].symbol != sequence->symbols[i]) {
			return false;
		}
	}
	return true;
}

/* True if it does not matter which of two captures is taken: each launch has the same range
 * path. */
static bool is_alike(const struct choice *a, const struct choice *b)
{
	if (a->capture->count != b->capture->count) {
		return false;
	}
	for (size_t i = 0; i < a->capture->count; i++) {
		if (a->launches[i].path != b->launches[i].path) {
			return false;
		}
	}
	return true;
}

static void take(struct ra_graph_match *match, const struct choice *choice)
{
	match->captures = choice->trace;
	match->rule =
		choice->capture->is_nameless ? RA_KINETO_CAPTURED_ORDER : RA_KINETO_CAPTURED_NAME;
}

/* Matches a capture with the same symbols in the same order. Return: false if there is none. */
static bool match_equal(struct ra_graph_match *match, const struct ra_graph_match_all *all,
                        const struct ra_graph_sequence *sequence)
{
	const struct choice *found = NULL;
	uint64_t hash = 0;
	size_t low = 0;

	for (size_t i = 0; i < sequence->count; i++) {
		hash = add_hash(hash, sequence->symbols[i]);
	}
	for (size_t high = all->count; low < high;) {
		const size_t middle = low + (high - low) / 2;

		if (all->choices[middle].hash < hash) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	for (; low < all->count && all->choices[low].hash == hash; low++) {
		const struct choice *choice = &all->choices[low];

		if (!is_equal(choice, sequence)) {
			continue;
		}
		if (found != NULL && !is_alike(found, choice)) {
			match->rest = RA_KINETO_CAPTURED_SEVERAL;
			return true;
		}
		found = found == NULL ? choice : found;
	}
	if (found == NULL) {
		return false;
	}
	for (size_t i = 0; i < sequence->count; i++) {
		match->launches[i] = found->capture->first + (uint32_t) i;
	}
	take(match, found);
	return true;
}

/* ---- Sequences that lack a few ---- */

/* Returns an upper limit of the number of symbols that both have in common. */
static size_t count_common(const struct choice *choice, const uint32_t *sorted, size_t count)
{
	size_t common = 0;
	size_t a = 0;
	size_t b = 0;

	while (a < choice->capture->count && b < count) {
		common += choice->sorted[a] == sorted[b];
		if (choice->sorted[a] == sorted[b]) {
			a++;
			b++;
		} else if (choice->sorted[a] < sorted[b]) {
			a++;
		} else {
			b++;
		}
	}
	return common;
}

static bool is_enough(size_t common, size_t of)
{
	return common * 100 >= of * MIN_PER_CENT;
}

static size_t align(const struct choice *choice, const struct ra_graph_sequence *sequence,
                    uint32_t *partners)
{
	const size_t count = choice->capture->count;
	uint32_t *symbols = ra_alloc_zeros(count + 1, sizeof(*symbols));
	uint32_t *paths = ra_alloc_zeros(count + 1, sizeof(*paths));
	const struct ra_graph_align align = {
		sequence->symbols, sequence->count, symbols, count, paths,
	};
	size_t pairs;

	for (size_t i = 0; i < count; i++) {
		symbols[i] = choice->launches[i].symbol;
		paths[i] = choice->launches[i].path;
	}
	pairs = ra_graph_align_find(&align, partners);
	free(symbols);
	free(paths);
	return pairs;
}

static void match_near(struct ra_graph_match *match, const struct ra_graph_match_all *all,
                       const struct ra_graph_sequence *sequence)
{
	uint32_t *sorted = sort_symbols(sequence->symbols, sequence->count);
	uint32_t *partners = ra_alloc_zeros(sequence->count + 1, sizeof(*partners));
	const struct choice *best = NULL;
	size_t most = 0;
	bool is_one = true;

	for (size_t i = 0; i < all->count; i++) {
		const struct choice *choice = &all->choices[i];
		const size_t longer = choice->capture->count > sequence->count
		                              ? choice->capture->count
		                              : sequence->count;
		const size_t common = count_common(choice, sorted, sequence->count);
		size_t pairs;

		/* Without names it is not known which launches are missing. */
		if (choice->capture->is_nameless || common < most || !is_enough(common, longer)) {
			continue;
		}
		pairs = align(choice, sequence, partners);
		if (!is_enough(pairs, longer) || pairs < most) {
			continue;
		}
		is_one = pairs > most || is_alike(best, choice);
		if (pairs > most) {
			best = choice;
			most = pairs;
			memcpy(match->launches, partners, sequence->count * sizeof(*partners));
		}
	}
	match->rest = best == NULL ? RA_KINETO_CAPTURED_UNKNOWN
	              : is_one     ? RA_KINETO_CAPTURED_UNSURE
	                           : RA_KINETO_CAPTURED_SEVERAL;
	if (best != NULL && is_one) {
		take(match, best);
		match->rule = RA_KINETO_CAPTURED_ALIGNED;
	}
	for (size_t i = 0; i < sequence->count; i++) {
		const bool has_partner =
			best != NULL && is_one && match->launches[i] != RA_GRAPH_ALIGN_NONE;

		match->launches[i] =
			has_partner ? best->capture->first + match->launches[i] : RA_KINETO_NONE;
	}
	free(sorted);
	free(partners);
}

/* ---- Sequences that several streams ran ---- */

static bool is_parallel(const struct ra_graph_sequence *sequence)
{
	for (size_t i = 0; i < sequence->count && sequence->streams != NULL; i++) {
		if (sequence->streams[i] != 0) {
			return true;
		}
	}
	return false;
}

/* The known facts about the launches of a symbol. */
struct symbol {
	uint32_t stream; /* the stream that ran it; NONE: several did */
	uint32_t path;   /* path of the range around its launches; has_paths: there are several */
	bool has_paths;
	uint32_t next; /* index of the next launch of the capture to match */
};

static const struct choice *find_same_symbols(struct ra_graph_match *match,
                                              const struct ra_graph_match_all *all,
                                              const struct ra_graph_sequence *sequence)
{
	uint32_t *sorted = sort_symbols(sequence->symbols, sequence->count);
	const struct choice *found = NULL;

	for (size_t i = 0; i < all->count; i++) {
		const struct choice *choice = &all->choices[i];

		if (choice->capture->count != sequence->count ||
		    memcmp(choice->sorted, sorted, sequence->count * sizeof(*sorted)) != 0) {
			continue;
		}
		if (found != NULL && !is_alike(found, choice)) {
			match->rest = RA_KINETO_CAPTURED_SEVERAL;
			found = NULL;
			break;
		}
		found = found == NULL ? choice : found;
	}
	free(sorted);
	return found;
}

static void note_symbols(struct symbol *symbols, struct ra_util_map *index,
                         const struct choice *choice, const struct ra_graph_sequence *sequence)
{
	for (size_t i = 0; i < sequence->count; i++) {
		const size_t before = index->count;
		uint32_t number;

		ra_util_map_number(index, sequence->symbols[i], &number);
		if (index->count > before) {
			symbols[number].stream = sequence->streams[i];
			symbols[number].path = RA_KINETO_NONE;
		} else if (symbols[number].stream != sequence->streams[i]) {
			symbols[number].stream = RA_KINETO_NONE;
		}
	}
	for (size_t i = 0; i < choice->capture->count; i++) {
		struct symbol *symbol =
			&symbols[ra_util_map_find(index, choice->launches[i].symbol)];

		symbol->has_paths |= symbol->next++ > 0 && symbol->path != choice->launches[i].path;
		symbol->path = choice->launches[i].path;
	}
}

/* Matches operations of several streams. Within one stream, work runs in the order of its launches.
 * The times of work on several streams do not tell that order. */
static void match_streams(struct ra_graph_match *match, const struct ra_graph_match_all *all,
                          const struct ra_graph_sequence *sequence)
{
	const struct choice *choice = find_same_symbols(match, all, sequence);
	struct ra_util_map index = { 0 };
	struct symbol *symbols = NULL;

	if (choice == NULL) {
		return;
	}
	symbols = ra_alloc_zeros(sequence->count + 1, sizeof(*symbols));
	note_symbols(symbols, &index, choice, sequence);
	for (size_t i = 0; i < index.count; i++) {
		symbols[i].next = 0;
	}
	for (size_t i = 0; i < sequence->count; i++) {
		struct symbol *symbol = &symbols[ra_util_map_find(&index, sequence->symbols[i])];

		while (choice->launches[symbol->next].symbol != sequence->symbols[i]) {
			symbol->next++; /* such a launch exists, since both have the same symbols */
		}
		if (symbol->stream != RA_KINETO_NONE || !symbol->has_paths) {
			match->launches[i] = choice->capture->first + symbol->next;
		}
		symbol->next++;
	}
	take(match, choice);
	match->rule = RA_KINETO_CAPTURED_STREAMS;
	match->rest = RA_KINETO_CAPTURED_UNSURE;
	ra_util_map_free(&index);
	free(symbols);
}

/* ---- All ---- */

/* Matches captures in which kernels have no names. */
static bool match_nameless(struct ra_graph_match *match, const struct ra_graph_match_all *all,
                           const struct ra_graph_sequence *sequence)
{
	uint32_t *kinds = ra_alloc_zeros(sequence->count + 1, sizeof(*kinds));
	const struct ra_graph_sequence nameless = { .symbols = kinds, .count = sequence->count };
	bool found;

	for (size_t i = 0; i < sequence->count; i++) {
		const uint32_t symbol = sequence->symbols[i];

		kinds[i] = symbol < RA_GRAPH_ANY ? RA_GRAPH_ANY : symbol;
	}
	found = match_equal(match, all, &nameless);
	free(kinds);
	return found;
}

void ra_graph_match_find(struct ra_graph_match *match, const struct ra_graph_match_all *all,
                         const struct ra_graph_sequence *sequence)
{
	*match = (struct ra_graph_match){ 0 };
	match->launches = ra_alloc_zeros(sequence->count + 1, sizeof(*match->launches));
	if (all->nodes.count > 0 && match_nodes(match, all, sequence)) {
		return;
	}
	memset(match->launches, 0xFF, sequence->count * sizeof(*match->launches));
	if (is_parallel(sequence)) {
		match_streams(match, all, sequence);
	} else if (!match_equal(match, all, sequence) && !match_nameless(match, all, sequence)) {
		match_near(match, all, sequence);
	}
}

void ra_graph_match_fini(struct ra_graph_match *match)
{
	free(match->launches);
}
