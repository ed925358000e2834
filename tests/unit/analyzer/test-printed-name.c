/* SPDX-License-Identifier: MIT */
/* Tests that names are found by the text that tables print for them. */
#include <string.h>

#include "analyzer/base/text/printed-name.h"
#include "tests/tap.h"

static const struct {
	const char *name;
	const char *part;
	bool is;
} examples[] = {
	{ "aten::addmm", NULL, true },
	{ "aten::addmm", "", true },
	{ "aten::addmm", "ADDMM", true },
	{ "aten::addmm", "addmmm", false },
	{ "", "", true },
	{ "", "x", false },
	{ "void cutlass::Kernel2<cutlass_80_tensorop_tn_align8>(P)", "Kernel2<cutl..._tn_align8>",
	  true },
	{ "void cutlass::Kernel2<cutlass_80_tensorop_tn_align8>(P)",
	  "Kernel2<cutl..._tn_align8> #1", true },
	{ "void cutlass::Kernel2<cutlass_80_tensorop_tn_align8>(P)", "tn_align8...Kernel2", false },
	{ "void cutlass::Kernel2<cutlass_80_tensorop_tn_align8>(P)", "Kernel2<cutl..._tn_align4>",
	  false },
	{ "abab", "ab...ab", true },
	{ "ab", "ab...ab", false },
	{ "what..ever", "t...e", true },
	{ "and so on...", "on...", true },
	{ "step 12", "step #", true },
	{ "step 12", "step # \xC3\x97 20", true },
	{ "step 12 end", "step # end", true },
	{ "step", "step #", false },
	{ "ProfilerStep#6", "ProfilerStep#6", true },
	{ "ProfilerStep#16", "ProfilerStep#6", false },
	{ "ProfilerStep#16", "ProfilerStep#", true },
	{ "Optimizer.step#SGD.step", "step#SGD", true },
	{ "kernel", "kernel #1", false }, /* of a name that is whole, the number is its own */
	{ "void gemm_128", "*GEMM*", true },
	{ "void gemm_128", "v*_1*8", true },
	{ "void gemm_128", "gemm*void", false },
	{ "float*, int*", "float*, int*", true },
	{ "abc...def", "a*...f", true },
	{ "...", "...", true },
	{ "x", "......", true },
	{ "x", " #", false },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		const char *name = examples[i].name;
		const char *part = examples[i].part;

		tap_ok(ra_printed_name_is_in(name, strlen(name), part) == examples[i].is,
		       "\"%s\" %s in \"%s\"", part == NULL ? "(any)" : part,
		       examples[i].is ? "is" : "is not", name);
	}
	return tap_done();
}
