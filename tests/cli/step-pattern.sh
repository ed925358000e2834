# SPDX-License-Identifier: MIT
# --step-range with wildcards: # is a number, which becomes the step's, * is any text
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="step 5 of epoch 1"
event 1 1 1100 push name="load"
event 1 2 1400 pop
event 1 3 2000 pop
event 1 4 2000 push name="step 6 of epoch 1"
event 1 5 2900 pop
event 1 6 3000 push name="step 7, the last one"
event 1 7 3500 pop
end status="clean"
LOG
analyzer stats -r overview --step-range 'step #*' a.bin -f csv
analyzer stats -r overview --step-range 'step #*' --steps 6-7 a.bin -f csv
analyzer stats -r overview --step-range 'step # of epoch #' a.bin -f csv
analyzer stats -r overview --step-range '*of*' a.bin -f csv
analyzer stats -r overview --step-range 'step \# of*' a.bin -f csv
