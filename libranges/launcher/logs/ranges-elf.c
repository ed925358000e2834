/* SPDX-License-Identifier: MIT */
/* What the file of a program tells about how it is loaded. */
#include "libranges/launcher/logs/ranges-elf.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/settings/config.h"
#include "libranges/launcher/shared/ranges-find.h"

static bool read_at(int fd, void *out, size_t bytes, uint64_t offset)
{
	return pread(fd, out, bytes, (off_t) offset) == (ssize_t) bytes;
}

bool rcap_ranges_elf_interpreter(int fd, char *out, size_t size)
{
	ElfW(Ehdr) file;
	ElfW(Phdr) header;

	if (!read_at(fd, &file, sizeof(file), 0) || memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 ||
	    file.e_phentsize != sizeof(header)) {
		return false;
	}
	for (uint64_t i = 0; i < file.e_phnum; i++) {
		if (!read_at(fd, &header, sizeof(header), file.e_phoff + i * sizeof(header))) {
			return false;
		}
		if (header.p_type == PT_INTERP) {
			break;
		}
	}
	if (file.e_phnum == 0 || header.p_type != PT_INTERP || header.p_filesz == 0 ||
	    header.p_filesz > size || !read_at(fd, out, header.p_filesz, header.p_offset)) {
		return false;
	}
	return out[0] == '/' && out[header.p_filesz - 1] == '\0';
}

/* Reads the header of an ELF file with our word size. For other files only class and type are
 * valid. */
static bool read_header(const char *path, ElfW(Ehdr) * out)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const bool is_elf = fd >= 0 && read_at(fd, out, sizeof(*out), 0) &&
	                    memcmp(out->e_ident, ELFMAG, SELFMAG) == 0;

	if (fd >= 0) {
		close(fd);
	}
	return is_elf;
}

static bool is_static(const char *path)
{
	char linker[PATH_MAX];
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const bool has_linker = fd >= 0 && rcap_ranges_elf_interpreter(fd, linker, sizeof(linker));

	if (fd >= 0) {
		close(fd);
	}
	return fd >= 0 && !has_linker;
}

const char *rcap_ranges_elf_explain(const char *name)
{
	char path[RCAP_CONFIG_PATH_BYTES];
	ElfW(Ehdr) header;
	ElfW(Ehdr) own;
	struct stat st;

	if (rcap_ranges_find_program(name, path, sizeof(path)) && stat(path, &st) == 0) {
		if ((st.st_mode & (S_ISUID | S_ISGID)) != 0) {
			return "the program is set-user-ID or set-group-ID, and such programs load "
			       "no tool";
		}
		if (read_header(path, &header) && read_header("/proc/self/exe", &own)) {
			if (header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] ||
			    header.e_machine != own.e_machine) {
				return "the program is built for another processor than "
				       "libranges.so";
			}
			if (is_static(path)) {
				return "the program is statically linked: link libranges-static.a "
				       "into it to record its calls";
			}
		}
	}
	return "the program made no NVTX call, or could not load libranges.so (sandbox, chroot), "
	       "or uses NVTX 2 in a plugin (try --nvtx-v2)";
}
