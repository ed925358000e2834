# SPDX-License-Identifier: MIT
# The version of the log format is printed with that of the program
analyzer --version | sed 's/) [0-9.]*,/) VERSION,/; s/, [a-z0-9 ]* exports of nsys//'
