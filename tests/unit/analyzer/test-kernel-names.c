/* SPDX-License-Identifier: MIT */
/* Tests the forms that --kernel-name gives to names of C++ functions, mangled or demangled. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/names/demangle.h"
#include "analyzer/names/kernel-name.h"
#include "tests/tap.h"

struct example {
	const char *name;
	const char *brief; /* short */
	const char *base;
};

/* Written out: as the runtime libraries of GNU and LLVM, and NVIDIA's compiler have them. */
static const struct example written[] = {
	{ "gemm", "gemm", "gemm" },
	{ "triton_poi_fused_add_0", "triton_poi_fused_add_0", "triton_poi_fused_add_0" },
	{ "gemm(float*, int)", "gemm", "gemm" },
	{ "::gemm(int)", "gemm", "gemm" },
	{ "void a::b::gemm<4, a::F<float>, std::array<char*, 1ul>>(int)", "a::b::gemm", "gemm" },
	{ "void a::gemm<4, std::array<char*, 1> >(int)", "a::gemm", "gemm" },
	{ "void (anonymous namespace)::sum<float>(float*)", "(anonymous namespace)::sum", "sum" },
	{ "void a::(anonymous namespace)::sum<(a::E)1>(float*)", "a::(anonymous namespace)::sum",
	  "sum" },
	{ "void <unnamed>::sum<T1, (int)10, (bool)0>(T1 *, const T2 *, int)", "<unnamed>::sum",
	  "sum" },
	{ "void apply<f(int)::{lambda(int)#1}>(f(int)::{lambda(int)#1})", "apply", "apply" },
	{ "void apply<[lambda(int) (instance 1)]>(T1)", "apply", "apply" },
	{ "f(int)::{lambda(int)#1}::operator()(int) const", "f::{lambda(int)#1}::operator()",
	  "operator()" },
	{ "A::f(int) const::{lambda(auto:1)#2}::operator()<int>(int) const",
	  "A::f::{lambda(auto:1)#2}::operator()", "operator()" },
	{ "int main::'lambda'(int)::operator()(int) const", "main::'lambda'::operator()",
	  "operator()" },
	{ "void k<g(T&)::{lambda()#3}::operator()() const::{lambda(float)#1}>(int)", "k", "k" },
	{ "S::operator()(int) const", "S::operator()", "operator()" },
	{ "bool S::operator< <int>(int) const", "S::operator<", "operator<" },
	{ "bool S::operator><int>(int) const", "S::operator>", "operator>" },
	{ "void S::operator<< <int>(int)", "S::operator<<", "operator<<" },
	{ "S::operator->()", "S::operator->", "operator->" },
	{ "S::operator[](int) const &", "S::operator[]", "operator[]" },
	{ "S::operator delete[](void*)", "S::operator delete[]", "operator delete[]" },
	{ "S::operator unsigned long() const", "S::operator unsigned long",
	  "operator unsigned long" },
	{ "operator\"\" _km(unsigned long long)", "operator\"\" _km", "operator\"\" _km" },
	{ "void m<&(S::operator>(S) const)>()", "m", "m" },
	{ "void cmp<(4>3)>()", "cmp", "cmp" },
	{ "void cmp<(3<4)>(int)", "cmp", "cmp" },
	{ "void (*pick<float>(int))(float)", "pick", "pick" },
	{ "take(void (*)(int), int (S::*)(int))", "take", "take" },
	{ "decltype ({parm#1}+{parm#2}) a::add<int, double>(int, double)", "a::add", "add" },
	{ "tagged[abi:cxx11](int)", "tagged", "tagged" },
	{ "f(int) [clone .constprop.0]", "f", "f" },
	{ "operators(int)", "operators", "operators" },
	{ "my_operator(int)", "my_operator", "my_operator" },
	{ "a::b<int>", "a::b", "b" },
	/* Libraries whose kernels differ in template arguments only. */
	{ "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2>("
	  "cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2::Params)",
	  "cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2>",
	  "Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2>" },
	{ "void cutlass__5x_cudnn::Kernel<a<4, b<2> > >(a<4, b<2> >::Params)",
	  "cutlass__5x_cudnn::Kernel<a<4, b<2> > >", "Kernel<a<4, b<2> > >" },
	{ "std::enable_if<true, void>::type cutlass::device_kernel<at::cuda::detail::k<g::U> "
	  ">(g::U)",
	  "cutlass::device_kernel<at::cuda::detail::k<g::U> >",
	  "device_kernel<at::cuda::detail::k<g::U> >" },
	{ "void cublasLt::splitKreduce_kernel<32, 16, int, float, (bool)1>(cublasLt::P<float>, "
	  "int*)",
	  "cublasLt::splitKreduce_kernel<32, 16, int, float, (bool)1>",
	  "splitKreduce_kernel<32, 16, int, float, (bool)1>" },
	{ "void ck_tile::kentry<1, ck_tile::F<int> >(ck_tile::F<int>::Kargs)",
	  "ck_tile::kentry<1, ck_tile::F<int> >", "kentry<1, ck_tile::F<int> >" },
	{ "Cijk_Alik_Bljk_BBS_BH_MT16x16x256_MI16x16x1_SN",
	  "Cijk_Alik_Bljk_BBS_BH_MT16x16x256_MI16x16x1_SN",
	  "Cijk_Alik_Bljk_BBS_BH_MT16x16x256_MI16x16x1_SN" },
	{ "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_NNT", "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_NNT",
	  "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_NNT" },
	/* No such library, whatever its arguments are. */
	{ "void flash::fwd<cutlass::bfloat16_t>(int)", "flash::fwd", "fwd" },
	{ "void cutlass_like<int>(int)", "cutlass_like", "cutlass_like" },
	/* No function, cut, or nothing of C++: they stay as they are. */
	{ "two words", "two words", "two words" },
	{ "Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD (Pageable -> Device)",
	  "Memcpy HtoD (Pageable -> Device)" },
	{ "void cut<int, st", "void cut<int, st", "void cut<int, st" },
	{ "void cut(int", "void cut(int", "void cut(int" },
	{ "operator", "operator", "operator" },
	{ ")>]", ")>]", ")>]" },
	{ "(", "(", "(" },
	{ "", "", "" },
};

static const struct example mangled[] = {
	{ "_Z4gemmPfS_S_i", "gemm", "gemm" },
	{ "_ZN2at6native10vectorizedILi4E3VecIfLi2EESt6vectorIiSaIiEEEEviT0_T1_",
	  "at::native::vectorized", "vectorized" },
	{ "_ZNK1SclEi", "S::operator()", "operator()" },
	{ "_Z5applyIZL6calleriEUliE_EvT_", "apply", "apply" },
	{ "_Znonsense", "_Znonsense", "_Znonsense" },
};

static bool is_form(const char *name, enum ra_kernel_form form, const char *right)
{
	const uint32_t length = (uint32_t) strlen(name);
	const struct rlog_string string = { name, length, length };
	struct ra_util_text text = { 0 };
	bool same;

	ra_kernel_name_put(&text, string, form);
	same = text.length == strlen(right) &&
	       (text.length == 0 || memcmp(text.bytes, right, text.length) == 0);
	if (!same) {
		tap_diag("%s: \"%.*s\", not \"%s\"", name, (int) text.length,
		         text.bytes != NULL ? text.bytes : "", right);
	}
	ra_util_text_free(&text);
	return same;
}

static void test_examples(const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct example *e = &examples[i];

		tap_ok(is_form(e->name, RA_KERNEL_SHORT, e->brief) &&
		               is_form(e->name, RA_KERNEL_BASE, e->base) &&
		               is_form(e->name, RA_KERNEL_MANGLED, e->name),
		       "%s: short, base and mangled", e->name);
	}
}

/* Whatever a file has for a name: what comes out is never longer than the name is. */
static void test_garbage(void)
{
	static const char pieces[][12] = { "(",  ")", "<",    ">",  "::", "operator", "[",
		                           "]",  "{", "}",    "a",  " ",  "const",    "decltype",
		                           "->", "*", "\"\"", "(*", "&",  "'" };
	uint64_t state = 99;
	bool well = true;

	for (int i = 0; i < 20000; i++) {
		struct ra_util_text name = { 0 };
		struct ra_util_text text = { 0 };
		struct rlog_string string;

		for (int k = 0; k < 14; k++) {
			state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
			ra_util_text_format(
				&name, "%s",
				pieces[(state >> 33) % (sizeof(pieces) / sizeof(pieces[0]))]);
		}
		string = (struct rlog_string){ name.bytes, (uint32_t) name.length, 0 };
		ra_kernel_name_put(&text, string, i % 2 ? RA_KERNEL_SHORT : RA_KERNEL_BASE);
		well = well && text.length <= string.length;
		ra_util_text_free(&text);
		ra_util_text_free(&name);
	}
	tap_ok(well, "20000 names of garbage become no longer");
}

int main(void)
{
	static const struct rlog_string probe = { "_Z1fv", 5, 5 };
	char *text = NULL;

	test_examples(written, sizeof(written) / sizeof(written[0]));
	test_garbage();
	tap_ok(is_form("void a::f<int>(int)", RA_KERNEL_FULL, "void a::f<int>(int)"),
	       "full is all that is written");
	ra_demangle_name(probe, &text);
	if (text != NULL) {
		test_examples(mangled, sizeof(mangled) / sizeof(mangled[0]));
		tap_ok(is_form("_Z4gemmPfS_S_i", RA_KERNEL_FULL,
		               "gemm(float*, float*, float*, int)"),
		       "full demangles");
	} else {
		tap_skip("full demangles", "no C++ library is here");
	}
	free(text);
	return tap_done();
}
