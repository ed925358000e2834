/* SPDX-License-Identifier: MIT */
/* What the capture in libranges-static.a does and the shared one does not: it offers itself to NVTX
 * by pointers that NVTX's headers check, and to libranges.so by a note. */
#include "libranges/entry/inject.h"
#include "libranges/entry/lifetime.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int InitializeInjectionNvtx2(rcap_nvtx_get_export_table_fn *get_export_table);
EXPORT int InitializeInjectionNvtxExtension(struct rcap_nvtx_ext_info *info);
EXPORT const struct ranges_calls *ranges_entry(void);

/*
 * NVTX's headers define these pointers, too, as weak symbols, one for each linkage unit. So a tool
 * that is linked into a program or library works for that unit alone.
 * NOLINTBEGIN(readability-identifier-naming)
 */
extern int (*InitializeInjectionNvtx2_fnptr)(rcap_nvtx_get_export_table_fn *get_export_table);

EXPORT int (*InitializeInjectionNvtx2_fnptr)(rcap_nvtx_get_export_table_fn *get_export_table) =
	InitializeInjectionNvtx2;

extern int (*InitializeInjectionNvtxExtension_fnptr)(struct rcap_nvtx_ext_info *info);

EXPORT int (*InitializeInjectionNvtxExtension_fnptr)(struct rcap_nvtx_ext_info *info) =
	InitializeInjectionNvtxExtension;
/* NOLINTEND(readability-identifier-naming) */

/* Only the note below refers to it, which the compiler can't see. */
extern const struct rcap_inject_entries rcap_inject_static_entries;

__attribute__((used)) const struct rcap_inject_entries rcap_inject_static_entries = {
	.struct_size = sizeof(rcap_inject_static_entries),
	.core = InitializeInjectionNvtx2,
	.ext = InitializeInjectionNvtxExtension,
	.api = ranges_entry,
};

_Static_assert(sizeof(RCAP_INJECT_NOTE_NAME) == 10 && RCAP_INJECT_NOTE_TYPE == 1,
               "the note below says the same in numbers");

__asm__(".pushsection .note.libranges, \"a\", %note\n"
        "	.balign 4\n"
        "	.long 10, 4, 1\n"
        "	.asciz \"" RCAP_INJECT_NOTE_NAME "\"\n"
        "	.balign 4\n"
        "	.long rcap_inject_static_entries - .\n"
        "	.popsection\n");

bool rcap_inject_begin(const struct rcap_inject_entries **other)
{
	*other = NULL;
	return rcap_lifetime_load();
}
