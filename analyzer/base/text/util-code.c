/* SPDX-License-Identifier: MIT */
/* Code points of UTF-8, and which of them are controls. */
#include "analyzer/base/text/util-code.h"

uint32_t ra_util_code_read(const char *bytes, size_t length)
{
	const unsigned char *b = (const unsigned char *) bytes;
	uint32_t code;

	if (length == 1) {
		return b[0];
	}
	code = b[0] & (0x7Fu >> length);
	for (size_t i = 1; i < length; i++) {
		code = code << 6 | (b[i] & 0x3Fu);
	}
	return code;
}

bool ra_util_code_is_in(uint32_t code, const struct ra_util_code_range *ranges, size_t count)
{
	for (size_t i = 0; i < count && ranges[i].first <= code; i++) {
		if (code <= ranges[i].last) {
			return true;
		}
	}
	return false;
}

bool ra_util_code_is_control(uint32_t code)
{
	static const struct ra_util_code_range ranges[] = {
		{ 0x00, 0x1F },     { 0x7F, 0x9F },     { 0xAD, 0xAD },       { 0x61C, 0x61C },
		{ 0x180E, 0x180E }, { 0x200B, 0x200F }, { 0x2028, 0x202E },   { 0x2060, 0x206F },
		{ 0xFEFF, 0xFEFF }, { 0xFFF9, 0xFFFB }, { 0xE0000, 0xE007F },
	};

	return ra_util_code_is_in(code, ranges, sizeof(ranges) / sizeof(ranges[0]));
}
