# SPDX-License-Identifier: MIT
# --width shortens names to 24 characters or more, numbers equal ones, and leaves out the least important figures
text-log a.bin <<'LOG'
event 1 0 1000000000 push name="a very long name of a range that nobody wants to see whole in a table"
event 1 1 1000000010 push name="漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字"
event 1 2 1000000020 pop
event 1 3 1000000030 pop
event 1 4 1000000040 push name="a very long name of a range that everybody wants to see whole in a table"
event 1 5 1000000050 pop
event 1 6 1000000060 push name="a very long name of the range that nobody wants to see whole in a table"
event 1 7 1000000070 pop
LOG
analyzer stats a.bin --width 140
analyzer stats a.bin --width 100
analyzer stats a.bin --width 20
