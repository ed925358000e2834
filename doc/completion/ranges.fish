# SPDX-License-Identifier: MIT
# Completion of ranges(1) for fish. Options are what the program itself lists; the commands of analyzer(1) are its own.

function __ranges_commands
    printf '%s\n' run\t'Runs a program and records its NVTX ranges' record\t'The same as run' compare\t'Runs two commands by turns: which ranges got slower' recover\t'Completes logs of programs that were killed' ctl\t'Switches the capture of programs that run' top\t'Shows what programs that are recorded are doing now'
    analyzer --help 2>/dev/null | string replace -rf '^  ([a-z]+)  +(\S.*)$' '$1\t$2'
end

# The command of this line; "run" where the first word is an option or a program.
function __ranges_command
    set -l words (commandline -opc)
    if set -q words[2]; and contains -- $words[2] (__ranges_commands | string replace -r '\t.*' '')
        echo $words[2]
    else
        echo run
    end
end

function __ranges_options
    ranges (__ranges_command) --options | cut -f 1,5
end

# Behind the first word that is no option stands the program with its own words.
function __ranges_wants_option
    string match -q -- '-*' (commandline -ct); and not contains -- -- (commandline -opc)
end

function __ranges_wants_report
    string match -qr '^(-r|--report)$' -- (commandline -opc)[-1]; and test (__ranges_command) = stats
end

complete -c ranges -n 'test (count (commandline -opc)) -eq 1' -a '(__ranges_commands)'
complete -c ranges -n __ranges_wants_option -f -a '(__ranges_options)'
complete -c ranges -n __ranges_wants_report -f -a '(analyzer stats --list | string replace -rf "^(\S+)  +(?:\*  )?(\S.*)\$" "\$1\t\$2")'
