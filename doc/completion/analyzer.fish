# SPDX-License-Identifier: MIT
# Completion of analyzer(1) for fish. Commands, options and reports are what the program itself lists.

function __analyzer_commands
    analyzer --help | string replace -rf '^  ([a-z]+)  +(\S.*)$' '$1\t$2'
end

# The command of this line; "analyze" where the first word is a file.
function __analyzer_command
    set -l words (commandline -opc)
    set -l names (__analyzer_commands | string replace -r '\t.*' '')
    if set -q words[2]; and contains -- $words[2] $names
        echo $words[2]
    else
        echo analyze
    end
end

function __analyzer_options
    analyzer (__analyzer_command) --options | cut -f 1,5
    printf '%s\n' --help\t'Help of the command' --version\t'The version'
end

function __analyzer_reports
    analyzer stats --list | string replace -rf '^(\S+)  +(?:\*  )?(\S.*)$' '$1\t$2'
end

# A list of reports: what stands before the last comma stays.
function __analyzer_report_list
    set -l head (commandline -ct | string replace -rf '^(.*,).*$' '$1')
    for report in (__analyzer_reports)
        echo "$head$report"
    end
end

function __analyzer_wants_command
    test (count (commandline -opc)) -eq 1
end

function __analyzer_wants_report
    string match -qr '^(-r|--report)$' -- (commandline -opc)[-1]
end

complete -c analyzer -n __analyzer_wants_command -a '(__analyzer_commands)'
complete -c analyzer -n 'string match -q -- "-*" (commandline -ct); and not __analyzer_wants_report' -f -a '(__analyzer_options)'
complete -c analyzer -n __analyzer_wants_report -f -a '(__analyzer_report_list)'
