/* SPDX-License-Identifier: MIT */
/* Shows single values of a payload: numbers of all sizes, enums, texts in three encodings,
 * handles. */
#include <math.h>
#include <string.h>

#include "analyzer/payload/payload-impl.h"
#include "format/wire.h"

uint64_t ra_payload_value_read(const uint8_t *bytes, uint64_t size, bool is_signed)
{
	uint64_t value = 0;

	for (uint64_t i = 0; i < size && i < 8; i++) {
		value |= (uint64_t) bytes[i] << (8 * i);
	}
	if (is_signed && size > 0 && size < 8 && value >> (8 * size - 1)) {
		value |= UINT64_MAX << (8 * size);
	}
	return value;
}

bool ra_payload_value_is_integer(uint64_t type, bool *is_signed)
{
	switch (type) {
	case RLOG_TYPE_CHAR:
	case RLOG_TYPE_SHORT:
	case RLOG_TYPE_INT:
	case RLOG_TYPE_LONG:
	case RLOG_TYPE_LONG_LONG:
	case RLOG_TYPE_INT8:
	case RLOG_TYPE_INT16:
	case RLOG_TYPE_INT32:
	case RLOG_TYPE_INT64:
		*is_signed = true;
		return true;
	case RLOG_TYPE_UCHAR:
	case RLOG_TYPE_USHORT:
	case RLOG_TYPE_UINT:
	case RLOG_TYPE_ULONG:
	case RLOG_TYPE_ULONG_LONG:
	case RLOG_TYPE_UINT8:
	case RLOG_TYPE_UINT16:
	case RLOG_TYPE_UINT32:
	case RLOG_TYPE_UINT64:
	case RLOG_TYPE_SIZE:
	case RLOG_TYPE_BYTE:
	case RLOG_TYPE_RANGE_ID:
	case RLOG_TYPE_PID32:
	case RLOG_TYPE_PID64:
	case RLOG_TYPE_TID32:
	case RLOG_TYPE_TID64:
	case RLOG_TYPE_SELECTOR:
		*is_signed = false;
		return true;
	default:
		return false;
	}
}

uint64_t ra_payload_value_size(const struct ra_payload *payload, uint64_t type)
{
	struct rlog_schema_shape shape;

	return rlog_schema_shape_of(type, &payload->schemas->table, &shape) == 0 ? shape.size : 0;
}

static void give(struct ra_payload *payload, const struct ra_payload_element *element,
                 struct ra_payload_value *value)
{
	if (!ra_payload_spend(payload, value->length)) {
		return;
	}
	value->name = element->name;
	value->type = element->type;
	value->entry = element->entry;
	value->is_hidden = element->is_hidden;
	payload->visitor->value(payload->visitor->context, value);
}

static void give_word(struct ra_payload *payload, const struct ra_payload_element *element,
                      struct rlog_string word, uint64_t bits)
{
	struct ra_payload_value value = {
		.kind = RA_PAYLOAD_WORD, .text = word.bytes, .length = word.length, .bits = bits
	};

	if (word.bytes == NULL) {
		value.kind = RA_PAYLOAD_UNSIGNED;
	}
	give(payload, element, &value);
}

/* Makes a double of an IEEE 754 exponent and fraction of any width. Fraction bits that a double
 * can't hold are lost. */
static double make_real(bool is_negative, unsigned int exponent, unsigned int exponent_bits,
                        uint64_t fraction, unsigned int fraction_bits)
{
	const unsigned int top = (1u << exponent_bits) - 1;
	const int bias = (int) (top >> 1);
	double value = ldexp((double) fraction, -(int) fraction_bits);

	if (exponent == top) {
		value = fraction != 0 ? (double) NAN : (double) INFINITY;
	} else if (exponent == 0) {
		value = ldexp(value, 1 - bias);
	} else {
		value = ldexp(1.0 + value, (int) exponent - bias);
	}
	return is_negative ? -value : value;
}

static double read_half(const uint8_t *bytes)
{
	const unsigned int bits = bytes[0] | (unsigned int) bytes[1] << 8;

	return make_real(bits >> 15 != 0, bits >> 10 & 31, 5, bits & 1023, 10);
}

static double read_float(const uint8_t *bytes)
{
	const uint32_t bits = (uint32_t) ra_payload_value_read(bytes, 4, false);
	float value;

	memcpy(&value, &bits, sizeof(value));
	return (double) value;
}

static double read_double(const uint8_t *bytes)
{
	const uint64_t bits = ra_payload_value_read(bytes, 8, false);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static double read_quad(const uint8_t *bytes)
{
	const uint64_t low = ra_payload_value_read(bytes, 8, false);
	const uint64_t high = ra_payload_value_read(bytes + 8, 8, false);
	const uint64_t fraction = (high & (UINT64_MAX >> 16)) << 15 | low >> 49;

	return make_real(high >> 63 != 0, high >> 48 & 0x7FFF, 15,
	                 fraction | (fraction == 0 && low != 0), 63);
}

/* Reads x86's 80-bit real, which stores the leading bit of the fraction. */
static double read_x87(const uint8_t *bytes)
{
	const uint64_t fraction = ra_payload_value_read(bytes, 8, false);
	const unsigned int head = bytes[8] | (unsigned int) bytes[9] << 8;
	const int exponent = (int) (head & 0x7FFF);
	double value = ldexp((double) fraction, exponent - 16383 - 63);

	if (exponent == 0x7FFF) {
		value = fraction << 1 != 0 ? (double) NAN : (double) INFINITY;
	}
	return head >> 15 != 0 ? -value : value;
}

/* Return: false if the type is not a real number, or has an unknown size. */
static bool read_real(const struct ra_payload *payload, uint64_t type, const uint8_t *bytes,
                      uint64_t size, struct ra_payload_value *value)
{
	static const uint8_t float_digits = 9;
	static const uint8_t double_digits = 17;

	value->kind = RA_PAYLOAD_REAL;
	value->digits = double_digits;
	switch (type) {
	case RLOG_TYPE_FLOAT16:
		value->real = read_half(bytes);
		value->digits = 5;
		return true;
	case RLOG_TYPE_BF16: {
		const uint8_t wide[4] = { 0, 0, bytes[0], bytes[1] };

		value->real = read_float(wide);
		value->digits = 4;
		return true;
	}
	case RLOG_TYPE_FLOAT:
	case RLOG_TYPE_DOUBLE:
	case RLOG_TYPE_LONG_DOUBLE:
	case RLOG_TYPE_FLOAT32:
	case RLOG_TYPE_FLOAT64:
	case RLOG_TYPE_FLOAT128:
	case RLOG_TYPE_TF32:
		break;
	default:
		return false;
	}
	if (size == 4) {
		value->real = read_float(bytes);
		value->digits = float_digits;
	} else if (size == 8) {
		value->real = read_double(bytes);
	} else if (size >= 10 && type == RLOG_TYPE_LONG_DOUBLE && payload->schemas->has_x87) {
		value->real = read_x87(bytes);
	} else if (size == 16) {
		value->real = read_quad(bytes);
	} else {
		return false;
	}
	return true;
}

/* Shows an integer of 128 bits as decimal digits. */
static void give_wide(struct ra_payload *payload, const struct ra_payload_element *element,
                      const uint8_t *bytes)
{
	__extension__ unsigned __int128 rest =
		(unsigned __int128) ra_payload_value_read(bytes + 8, 8, false) << 64 |
		ra_payload_value_read(bytes, 8, false);
	const bool is_negative = element->type == RLOG_TYPE_INT128 && bytes[15] >> 7 != 0;
	char digits[41];
	size_t at = sizeof(digits);
	struct ra_payload_value value = { .kind = RA_PAYLOAD_DIGITS };

	if (is_negative) {
		rest = -rest;
	}
	do {
		digits[--at] = (char) ('0' + (int) (rest % 10));
		rest /= 10;
	} while (rest != 0);
	if (is_negative) {
		digits[--at] = '-';
	}
	value.text = digits + at;
	value.length = sizeof(digits) - at;
	give(payload, element, &value);
}

static void put_flag(struct ra_util_text *text, struct rlog_schema_text name)
{
	if (text->length > 0) {
		ra_util_text_put_char(text, '|');
	}
	ra_util_text_put(text, name.bytes, name.length);
}

/* Shows the name of the value, or if it has none, the names of its bits and the remaining bits as a
 * number. */
static void give_enum(struct ra_payload *payload, const struct ra_payload_element *element,
                      const struct ra_schemas_enum *values, uint64_t bits)
{
	const struct rlog_schema_text name = ra_schemas_find_value(values, bits);
	struct rlog_string word = { name.bytes, name.length, name.length };
	uint64_t rest = bits;

	if (word.bytes != NULL) {
		give_word(payload, element, word, bits);
		return;
	}
	ra_util_text_clear(&payload->text);
	for (uint32_t i = 0; i < values->flag_count; i++) {
		const uint64_t flag = ra_schemas_cut(values->flags[i].value, values->size);

		if ((bits & flag) == flag && (rest & flag) != 0) {
			put_flag(&payload->text, values->flags[i].name);
			rest &= ~flag;
		}
	}
	if (payload->text.length > 0) {
		if (rest != 0) {
			ra_util_text_format(&payload->text, "|0x%llX", (unsigned long long) rest);
		}
		word.bytes = payload->text.bytes;
		word.length = (uint32_t) payload->text.length;
	}
	give_word(payload, element, word, bits);
}

/* The name of a scope that NVTX defines. */
static struct rlog_string name_scope(const struct ra_payload *payload, uint64_t id)
{
	static const struct {
		uint8_t id;
		uint8_t length;
		const char *name;
	} names[] = {
		{ 0, 4, "none" },
		{ 1, 4, "root" },
		{ 2, 7, "machine" },
		{ 3, 6, "socket" },
		{ 4, 12, "physical CPU" },
		{ 5, 11, "logical CPU" },
		{ 15, 18, "innermost hardware" },
		{ 16, 10, "hypervisor" },
		{ 17, 15, "virtual machine" },
		{ 18, 6, "kernel" },
		{ 19, 9, "container" },
		{ 20, 16, "operating system" },
		{ 21, 7, "process" },
		{ 22, 6, "thread" },
		{ 31, 18, "innermost software" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].id == id) {
			return (struct rlog_string){ names[i].name, names[i].length,
				                     names[i].length };
		}
	}
	return ra_defs_find_name(&payload->schemas->defs, RLOG_DEF_SCOPE, payload->domain, id);
}

void ra_payload_value_show_address(struct ra_payload *payload,
                                   const struct ra_payload_element *element, uint64_t address)
{
	struct ra_payload_value value = { .kind = address != 0 ? RA_PAYLOAD_ADDRESS
		                                               : RA_PAYLOAD_NULL,
		                          .bits = address };

	give(payload, element, &value);
}

/* Shows a handle, or a number that has a special meaning in NVTX. Return: false if the type is
 * neither. */
static bool show_special(struct ra_payload *payload, const struct ra_payload_element *element,
                         uint64_t bits)
{
	const struct ra_defs *defs = &payload->schemas->defs;
	struct ra_payload_value value = { .bits = bits };
	struct rlog_string text;

	switch (element->type) {
	case RLOG_TYPE_REGISTERED_STRING:
		text = ra_defs_find_name(defs, RLOG_DEF_REGISTERED_STRING, payload->domain, bits);
		if (text.bytes == NULL) {
			ra_payload_value_show_address(payload, element, bits);
			return true;
		}
		value.kind = RA_PAYLOAD_TEXT;
		value.text = text.bytes;
		value.length = text.length;
		give(payload, element, &value);
		return true;
	case RLOG_TYPE_ADDRESS:
		ra_payload_value_show_address(payload, element, bits);
		return true;
	case RLOG_TYPE_CATEGORY:
		give_word(payload, element,
		          ra_defs_find_name(defs, RLOG_DEF_CATEGORY, payload->domain, bits), bits);
		return true;
	case RLOG_TYPE_SCOPE_ID:
		give_word(payload, element, name_scope(payload, bits), bits);
		return true;
	case RLOG_TYPE_COLOR:
		value.kind = RA_PAYLOAD_COLOR;
		give(payload, element, &value);
		return true;
	default:
		return false;
	}
}

void ra_payload_value_show(struct ra_payload *payload, const struct ra_payload_element *element,
                           const uint8_t *bytes, uint64_t size)
{
	struct ra_payload_value value = { 0 };
	bool is_signed = false;

	if (element->type >= RLOG_TYPE_FIRST_SCHEMA) {
		const struct ra_schemas_type *type =
			ra_schemas_find(payload->schemas, payload->domain, element->type);

		if (type != NULL && type->is_enum && type->state == RA_SCHEMA_READY) {
			give_enum(payload, element, &type->u.values,
			          ra_payload_value_read(bytes, size, false));
		}
	} else if (ra_payload_value_is_integer(element->type, &is_signed)) {
		value.kind = is_signed ? RA_PAYLOAD_SIGNED : RA_PAYLOAD_UNSIGNED;
		value.bits = ra_payload_value_read(bytes, size, is_signed);
		give(payload, element, &value);
	} else if (read_real(payload, element->type, bytes, size, &value)) {
		give(payload, element, &value);
	} else if ((element->type == RLOG_TYPE_INT128 || element->type == RLOG_TYPE_UINT128) &&
	           size == 16) {
		give_wide(payload, element, bytes);
	} else if (!show_special(payload, element, ra_payload_value_read(bytes, size, false))) {
		const struct ra_payload_region unit = { bytes, size };

		/* The type is a character, or its size is not the one that it should have. */
		if (element->type >= RLOG_TYPE_WCHAR && element->type <= RLOG_TYPE_CHAR32) {
			ra_payload_value_show_text(payload, element, unit, (uint32_t) size);
		} else {
			ra_payload_value_show_bytes(payload, element, unit);
		}
	}
}

static void put_code(struct ra_util_text *text, uint32_t code)
{
	char bytes[4];
	size_t length = 1;

	if (code >= 0x110000 || (code >= 0xD800 && code < 0xE000)) {
		code = 0xFFFD;
	}
	if (code < 0x80) {
		bytes[0] = (char) code;
	} else if (code < 0x800) {
		bytes[0] = (char) (0xC0 | code >> 6);
		length = 2;
	} else if (code < 0x10000) {
		bytes[0] = (char) (0xE0 | code >> 12);
		length = 3;
	} else {
		bytes[0] = (char) (0xF0 | code >> 18);
		length = 4;
	}
	for (size_t i = 1; i < length; i++) {
		bytes[i] = (char) (0x80 | (code >> (6 * (length - 1 - i)) & 0x3F));
	}
	ra_util_text_put(text, bytes, length);
}

/* Converts text from little-endian UTF-16 or UTF-32. */
static void convert_text(struct ra_util_text *text, struct ra_payload_region from, uint32_t unit)
{
	for (uint64_t at = 0; at + unit <= from.length && text->length < RLOG_MAX_STRING_BYTES;
	     at += unit) {
		uint32_t code = (uint32_t) ra_payload_value_read(from.bytes + at, unit, false);

		if (code == 0) {
			return;
		}
		if (unit == 2 && code >= 0xD800 && code < 0xDC00 && at + 4 <= from.length) {
			const uint32_t low =
				(uint32_t) ra_payload_value_read(from.bytes + at + 2, 2, false);

			if (low >= 0xDC00 && low < 0xE000) {
				code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
				at += 2;
			}
		}
		put_code(text, code);
	}
}

void ra_payload_value_show_text(struct ra_payload *payload,
                                const struct ra_payload_element *element,
                                struct ra_payload_region text, uint32_t unit)
{
	struct ra_payload_value value = { .kind = RA_PAYLOAD_TEXT, .text = "" };

	if (unit == 1) {
		const uint8_t *end = text.length > 0 ? memchr(text.bytes, 0, text.length) : NULL;

		if (text.length > 0) {
			value.text = (const char *) text.bytes;
		}
		value.length = end != NULL ? (size_t) (end - text.bytes) : (size_t) text.length;
	} else if (unit == 2 || unit == 4) {
		ra_util_text_clear(&payload->text);
		convert_text(&payload->text, text, unit);
		if (payload->text.length > 0) {
			value.text = payload->text.bytes;
			value.length = payload->text.length;
		}
	}
	give(payload, element, &value);
}

void ra_payload_value_show_bytes(struct ra_payload *payload,
                                 const struct ra_payload_element *element,
                                 struct ra_payload_region bytes)
{
	struct ra_payload_value value = { .kind = RA_PAYLOAD_BYTES,
		                          .text = bytes.length > 0 ? (const char *) bytes.bytes
		                                                   : "",
		                          .length = (size_t) bytes.length };

	give(payload, element, &value);
}
