/* SPDX-License-Identifier: MIT */
/* meet OWN OTHER: meets another process 50 times, by named pipes, in ranges "meeting"; with other
 * ranges around. Nobody leaves a meeting before both have come. */
#include <fcntl.h>
#include <unistd.h>

#include <ranges/nvtx.h>

int main(int argc, char **argv)
{
	/* for reading and writing: opening waits for nobody */
	const int own = argc == 3 ? open(argv[1], O_RDWR) : -1;
	const int other = argc == 3 ? open(argv[2], O_RDWR) : -1;
	char byte = 'x';

	for (int i = 0; i < 50; i++) {
		nvtxRangePushA("step");
		nvtxRangePushA("meeting");
		if (write(other, &byte, 1) != 1 || read(own, &byte, 1) != 1) {
			return 1;
		}
		nvtxRangePop();
		nvtxRangePop();
	}
	return 0;
}
