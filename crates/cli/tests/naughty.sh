#!/bin/sh
# A small program that speaks the Go Text Protocol and may misbehave: naughty.sh HOW [VERSIONS [DEAD]].
# Its move is 0, which is one in every `written` tree, or `pass`; then the stones of DEAD are dead, if
# they are named. VERSIONS is a file; it has as many lines
# as the version that the program says it is (`later`: that changes every third time only); a silent one writes the number of its process there.
ok() { printf '= %s\n\n' "$1"; }
while read -r command rest; do
    case $command in
    protocol_version)
        [ "$1" = crash-soon ] && exit 3
        case $1 in grow | later) echo more >>"$2" ;; esac
        if [ "$1" = old ]; then ok 1; else ok 2; fi ;;
    name) ok naughty ;;
    version)
        lines=$(wc -l <"${2:-/dev/null}")
        if [ "$1" = later ]; then ok "$((lines / 3))"; else ok "$lines"; fi ;;
    list_commands)
        printf '= name\nversion\nclear_board\nplay\ngenmove\ntime_settings\ntime_left\nquit\n'
        [ -n "$3" ] && echo final_status_list
        echo ;;
    final_status_list) ok "$3" ;;
    quit) ok; exit ;;
    genmove)
        case $1 in
        illegal) ok z9 ;;
        pass) ok PASS ;;
        resign) ok Resign ;;
        crash) echo 'out of luck' >&2; exit 3 ;;
        silent)
            [ -n "$2" ] && echo $$ >"$2"
            exec sleep 600 ;;
        late) sleep 2; ok 0 ;;
        refuse) printf '? no idea\n\n' ;;
        *) ok 0 ;;
        esac ;;
    *) ok ;;
    esac
done
