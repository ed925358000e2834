/* SPDX-License-Identifier: MIT */
/* Tests that names which frameworks make are split into the parts of which they were made, and that
 * other names are not split. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/names/split.h"
#include "tests/tap.h"

struct sample {
	const char *name;
	const char *normal; /* NULL: it has none of the forms */
	const char *shape;
};

static const struct sample samples[] = {
	/* PyTorch's emit_nvtx, with and without record_shapes. */
	{ "aten::addmm, seq = 12, op_id = 34, sizes = [[2, 3], [3]], input_op_ids = [(12,0), "
	  "(-1,1)]",
	  "aten::addmm", "[[2, 3], [3]]" },
	{ "aten::mul, op_id = 5", "aten::mul", "" },
	{ "aten::mul, seq = 5", "aten::mul", "" },
	{ "aten::cat, op_id = 7, sizes = [[[2], [3]], []]", "aten::cat", "[[[2], [3]], []]" },
	{ "aten::t, sizes = []", "aten::t", "[]" },
	{ "autograd::engine::evaluate_function: AddmmBackward0, seq = 12, op_id = 99",
	  "autograd::engine::evaluate_function: AddmmBackward0", "" },
	{ "step, part 2, op_id = 7", "step, part 2", "" },
	{ "a, seq = 1, op_id = 2, seq = 3", "a, seq = 1, op_id = 2", "" },
	/* Not quite of that form. */
	{ "a, seq = , op_id = 1", "a, seq = ", "" },
	{ "a, seq = x", NULL, NULL },
	{ "a, op_id = 1 ", NULL, NULL },
	{ "a, op_id = 1, seq = 2, x", NULL, NULL },
	{ "a, sizes = [[2]", NULL, NULL },
	{ "a, sizes = [2]]", NULL, NULL },
	{ "a, sizes = [x]", NULL, NULL },
	{ "a, input_op_ids = [(1,0)]", NULL, NULL },
	{ ", seq = 1", NULL, NULL },
	{ "a, b", NULL, NULL },
	{ ",", NULL, NULL },
	{ "", NULL, NULL },
	/* TSL and XLA: numbers count calls, words name what is called. */
	{ "XlaModule:#prefix=jit(f)/jit(main),hlo_module=jit_f,program_id=7#",
	  "XlaModule:#prefix=jit(f)/jit(main),hlo_module=jit_f#", "" },
	{ "Thunk:#hlo_op=fusion.12#", "Thunk:#hlo_op=fusion.12#", "" },
	{ "XlaPass:#name=a,b,module=jit_f,id=-3#", "XlaPass:#name=a,b,module=jit_f#", "" },
	{ "Step:#step_num=3,id=18446744073709551615#", "Step", "" },
	{ "Step#empty=#", "Step#empty=#", "" },
	{ "Step##", NULL, NULL },
	{ "#a=1#", NULL, NULL },
	{ "C# a=1#", NULL, NULL },
	{ "issue #7", NULL, NULL },
	{ "#", NULL, NULL },
	/* Layer markers. */
	{ "{'Module': 'model.layers.0', 'TrainableParams': {'weight': [4, 4]}, 'Inputs': [[1, 5]]}",
	  "model.layers.0", "[[1, 5]]" },
	{ "{'Module': \"'top'\"}", "'top'", "" },
	{ "{'Module': 'a\\'b', 'Inputs': [None]}", "a\\'b", "" },
	{ "{'Module': ''}", NULL, NULL },
	{ "{'Module': 5}", NULL, NULL },
	{ "{'Module': 'a", NULL, NULL },
	{ "{'Module': ", NULL, NULL },
};

/* In memory of its own, so that a sanitizer or valgrind sees every byte too many. */
static struct rlog_string copy_name(const char *bytes, size_t length, size_t full_length)
{
	char *copy = malloc(length == 0 ? 1 : length);

	if (copy == NULL) {
		tap_bail("no memory");
	}
	memcpy(copy, bytes, length);
	return (struct rlog_string){ copy, (uint32_t) length, (uint32_t) full_length };
}

static bool is_text(struct rlog_string string, const char *text)
{
	return string.length == strlen(text) && memcmp(string.bytes, text, string.length) == 0;
}

static bool splits_as(const struct sample *sample, size_t length, size_t full_length)
{
	const struct rlog_string name = copy_name(sample->name, length, full_length);
	struct ra_util_text text = { 0 };
	struct ra_split split;
	bool same = ra_split_name(name, &split) == (sample->normal != NULL);

	if (same && sample->normal != NULL) {
		ra_split_put_normal(&text, &split);
		same = is_text((struct rlog_string){ text.bytes, (uint32_t) text.length, 0 },
		               sample->normal) &&
		       is_text(ra_split_find_shape(&split), sample->shape);
	}
	ra_util_text_free(&text);
	free((void *) name.bytes);
	return same;
}

static void test_samples(void)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const size_t length = strlen(samples[i].name);

		tap_ok(splits_as(&samples[i], length, length), "%s: %s", samples[i].name,
		       samples[i].normal != NULL ? samples[i].normal : "is no made name");
	}
}

static void test_fields(void)
{
	static const char text[] =
		"a, seq = 12, op_id = 034, sizes = [[2]], input_op_ids = [(1,0)]";
	const struct rlog_string name = { text, sizeof(text) - 1, sizeof(text) - 1 };
	struct ra_split split;

	tap_ok(ra_split_name(name, &split) && split.field_count == 4, "each field is found");
	tap_ok(is_text(split.fields[0].key, "seq") && is_text(split.fields[0].value, "12") &&
	               split.fields[0].is_number,
	       "a number is one");
	tap_ok(is_text(split.fields[1].value, "034") && !split.fields[1].is_number,
	       "what JSON would not take for a number is none");
	tap_ok(is_text(split.fields[3].key, "input_op_ids") &&
	               is_text(split.fields[3].value, "[(1,0)]"),
	       "lists are whole");
}

/* A name that was cut anywhere behind its operation has the same normal name. */
static void test_cut(void)
{
	static const char torch[] = "aten::mm, seq = 1, op_id = 2, sizes = [[2, 3], [3]]";
	static const char module[] = "{'Module': 'layer', 'Inputs': [[2, 3], [3]]}";
	struct ra_split split;
	bool same = true;

	for (size_t length = strlen("aten::mm, seq = 1"); length < sizeof(torch); length++) {
		const struct rlog_string name = copy_name(torch, length, sizeof(torch) + 9);

		same = same && ra_split_name(name, &split) && is_text(split.op, "aten::mm");
		free((void *) name.bytes);
	}
	tap_ok(same, "a cut name of emit_nvtx is one");
	for (size_t length = strlen("{'Module': 'layer',"); length < sizeof(module); length++) {
		const struct rlog_string name = copy_name(module, length, sizeof(module) + 9);

		same = same && ra_split_name(name, &split) && is_text(split.op, "layer");
		free((void *) name.bytes);
	}
	tap_ok(same, "a cut layer marker is one");
	tap_ok(splits_as(&(struct sample){ "hello, s", NULL, NULL }, 8, 99),
	       "a cut name without any field is none");
	tap_ok(splits_as(&(struct sample){ "M:#a=b,c=1", "M:#a=b#", "" }, 10, 99),
	       "a cut name of TSL is one");
}

/* Names that invite a parser to start over and over; a quadratic one would take hours. */
static void test_long(void)
{
	static const char *const parts[] = {
		", sizes = [", ", op_id = 1", ", seq = 1, op_id = 1, sizes = [[1, 1]", ",a=",
		"#a=1,",       "[1,(",        "{'Module': 'a', 'Inputs': [",           "'\\",
	};
	const size_t length = 3000000;
	char *bytes = malloc(length);
	struct ra_split split;

	if (bytes == NULL) {
		tap_bail("no memory");
	}
	for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++) {
		for (int first = 0; first < 3; first++) {
			static const char *const firsts[] = { "a, sizes = [",
				                              "a#b=", "{'Module': '" };
			const struct rlog_string name = { bytes, (uint32_t) length,
				                          (uint32_t) length + (p & 1) };

			for (size_t i = 0; i < length; i++) {
				bytes[i] = parts[p][i % strlen(parts[p])];
			}
			memcpy(bytes, firsts[first], strlen(firsts[first]));
			bytes[length - 1] = first == 1 ? '#' : '}';
			(void) ra_split_name(name, &split);
		}
	}
	free(bytes);
	tap_ok(true, "time is linear in the length of a name");
}

/* Anything may stand in a name. */
static void test_garbage(void)
{
	static const char *const words[] = {
		", ", "seq", " = ",          "[", "]",  "1",   "#", "=",
		"a",  ",",   "{'Module': '", "'", "\\", "\xff"
	};
	uint64_t state = 1;
	size_t made = 0;

	for (int trial = 0; trial < 20000; trial++) {
		char bytes[200] = "";
		size_t length = 0;

		for (int i = 0; i < 10; i++) {
			const char *word;

			state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
			word = words[(state >> 33) % (sizeof(words) / sizeof(words[0]))];
			length += (size_t) snprintf(bytes + length, sizeof(bytes) - length, "%s",
			                            word);
		}
		const struct rlog_string name = copy_name(bytes, length, length + trial % 2);
		struct ra_util_text text = { 0 };
		struct ra_split split;

		if (ra_split_name(name, &split)) {
			ra_split_put_normal(&text, &split);
			made += text.length > 0 && text.length <= name.length + 1u;
		} else {
			made++;
		}
		ra_util_text_free(&text);
		free((void *) name.bytes);
	}
	tap_is_uint(made, 20000,
	            "a normal name is never empty, nor longer by more than its last sign");
}

int main(void)
{
	test_samples();
	test_fields();
	test_cut();
	test_long();
	test_garbage();
	return tap_done();
}
