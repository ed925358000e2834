/* SPDX-License-Identifier: MIT */
/* Holds the values of counters, in some 8 bytes each. */
#include "analyzer/pftrace/pftrace-samples.h"

/* Fields of a sample. The value comes last. The row is only written if it differs from the sample
 * before. */
enum {
	TRACK = 1,
	TIME = 2, /* time since the sample before; bit 0 is its sign */
	WHOLE = 3,
	REAL = 4
};

bool ra_pftrace_samples_is_whole(double value)
{
	return value >= 0 && value < 9e15 && value == (double) (int64_t) value;
}

void ra_pftrace_samples_put(struct ra_pftrace_samples *samples,
                            const struct ra_pftrace_sample *sample)
{
	const uint64_t later = (uint64_t) sample->time_ns - (uint64_t) samples->last.time_ns;
	const uint64_t sign = later >> 63 == 0 ? 0 : UINT64_MAX;

	if (sample->track != samples->last.track) {
		ra_protobuf_write_varint(&samples->bytes, TRACK, sample->track);
	}
	ra_protobuf_write_varint(&samples->bytes, TIME, later << 1 ^ sign);
	if (ra_pftrace_samples_is_whole(sample->value)) {
		ra_protobuf_write_varint(&samples->bytes, WHOLE, (uint64_t) sample->value);
	} else {
		ra_protobuf_write_double(&samples->bytes, REAL, sample->value);
	}
	samples->last = *sample;
}

struct ra_pftrace_samples_reading ra_pftrace_samples_read(const struct ra_pftrace_samples *samples)
{
	return (struct ra_pftrace_samples_reading){
		.message = ra_protobuf_open(samples->bytes.bytes, samples->bytes.used, 0),
	};
}

bool ra_pftrace_samples_next(struct ra_pftrace_samples_reading *reading)
{
	struct ra_pftrace_sample *sample = &reading->sample;
	struct ra_protobuf_field field;

	while (ra_protobuf_next(&reading->message, &field)) {
		switch (field.number) {
		case TRACK:
			sample->track = (uint32_t) field.integer;
			break;
		case TIME:
			sample->time_ns = (int64_t) ((uint64_t) sample->time_ns +
			                             (field.integer >> 1 ^ -(field.integer & 1)));
			break;
		case WHOLE:
			sample->value = (double) field.integer;
			return true;
		default:
			sample->value = field.real;
			return true;
		}
	}
	return false;
}
