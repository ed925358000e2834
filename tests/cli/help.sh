# SPDX-License-Identifier: MIT
# The help names every command and every exit code
analyzer --help
