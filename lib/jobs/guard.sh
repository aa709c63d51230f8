# The guard: runs a command at most once in a sandbox. docs/jobs.md fixes verbs, records and
# files; docs/rules.md ("Jobs") says which race each rule closes.
#
# For dash and busybox ash. A job gets the environment of its exec, so the variables here have a
# prefix that no environment uses. All is functions: a shell reads its script while it runs it,
# and an upload may replace the file meanwhile.
# shellcheck disable=SC2015,SC2094 # `A && B || C` is meant so; opening a FIFO twice is no race.
set -u

dd_nl='
'

main() {
    case $0 in */*) dd_root=$(cd "${0%/*}" && pwd -P) ;; *) dd_root=$(pwd -P) ;; esac
    dd_verb=${1-} dd_job=${2-} dd_last='' dd_nap=0.1 dd_ticks=0 dd_unread=0 dd_empty=0
    dd_old_zombies='' dd_members=''
    dd_dir=${dd_root%/}/$dd_job
    [ $# -ge 2 ] || give_up "usage: guard VERB JOB ..."
    shift 2
    prepare
    case $dd_verb in
        launch) launch "$@" ;;
        follow) follow "$@" ;;
        kill) kill_job ;;
        input) input "$@" ;;
        close-input) close_input ;;
        *) give_up "unknown verb: $dd_verb" ;;
    esac
}

give_up() {
    if [ "$dd_verb" = launch ]; then
        echo "guard: $1" >&2
        exit 122
    fi
    end "broken $1"
}

end() {
    printf 'end %s\n' "$1"
    exit
}

# Whatever cannot work must be known before the first claim.
prepare() {
    for dd_tool in mkdir ln readlink cat tail head wc tr sleep; do
        command -v "$dd_tool" >/dev/null || give_up "no $dd_tool"
    done
    { read -r dd_boot </proc/sys/kernel/random/boot_id; } 2>/dev/null || give_up "no boot id"
    process self || give_up "no /proc"
    dd_me=$dd_boot:$dd_pid:$dd_start dd_my_pid=$dd_pid dd_my_session=$dd_session
    dd_mounts=$(tail -c +1 /proc/self/mountinfo) || give_up "no list of mounts"
    case $dd_mounts in
        *" $dd_root "* | *" $dd_root/"*) give_up "$dd_root is on a mount" ;;
        # What it hides would pass for dead.
        *hidepid=[1-9inp]*) give_up "/proc hides processes" ;;
    esac
}

make_folder() {
    [ -w "$dd_root" ] || give_up "$dd_root is not writable"
    mkdir "$dd_dir" 2>/dev/null
    [ -d "$dd_dir" ] || give_up "no folder $dd_dir"
}

# --- processes ---

# process PID: its pid, state, group, session, threads and start time; fails only if there is no
# such process, never because it cannot be read. Its name may hold anything.
process() {
    until read_stat "$1"; do
        [ -e "/proc/$1" ] || return 1
        dd_unread=$((dd_unread + 1))
        [ $dd_unread -le 100 ] || give_up "cannot read /proc/$1/stat"
    done
    parse "$dd_stat"
}

# Its name may hold newlines.
read_stat() {
    dd_stat=''
    { while read -r dd_line; do dd_stat="$dd_stat $dd_line"; done <"/proc/$1/stat"; } 2>/dev/null
    dd_stat=${dd_stat# }
    [ -n "$dd_stat" ]
}

# parse STAT: fails if that is not the whole.
parse() {
    dd_pid=${1%% *}
    # shellcheck disable=SC2086 # split on purpose
    set -- ${1##*)}
    [ $# -ge 20 ] || return 1
    dd_state=$1 dd_group=$3 dd_session=$4 dd_threads=${18} dd_start=${20}
}

# A zombie is dead, under a PID 1 that never reaps for good; but not while it has other threads.
running() {
    case $dd_state in
        Z | X | x) [ "$dd_threads" -gt 1 ] ;;
    esac
}

# alive CLAIM: 0 if its process lives, 1 if it is dead, 2 if it was of another boot.
alive() {
    case $1 in
        "$dd_boot":*:*) dd_claim=${1#*:} ;;
        *:*:*) return 2 ;;
        *) give_up "a claim reads $1" ;;
    esac
    process "${dd_claim%:*}" && [ "$dd_start" = "${dd_claim#*:}" ] && running
}

# members: the job's running processes, as PID:START:TARGET in dd_members. They are found by the
# session that the claimer leads, or by the tag in their environment. dd_missed says that a process
# could not be looked at: it may have been the job's, or have left a child of the job.
members() {
    dd_members='' dd_missed='' dd_leader='' dd_begin=0 dd_zombies=''
    case $dd_last in
        "$dd_boot":*)
            dd_leader=${dd_last#*:} dd_begin=${dd_last##*:}
            dd_leader=${dd_leader%:*}
            # Another process there means that the session, too, is a stranger's.
            ! process "$dd_leader" || [ "$dd_start" = "$dd_begin" ] || dd_leader=''
            # So it is where the sandbox has been restarted since: it gives its numbers out again.
            ! process 1 || [ "$dd_start" -le "$dd_begin" ] || dd_leader=''
            ;;
    esac
    # A pattern for the files would leave out what ends while the shell expands it.
    dd_files=''
    for dd_file in /proc/[0-9]*; do
        dd_files="$dd_files $dd_file/stat"
    done
    # In one piece: the shell reads byte by byte, and would miss more.
    # shellcheck disable=SC2086 # split on purpose
    dd_stats=$(cat $dd_files 2>/dev/null) || dd_missed=yes
    dd_stat=''
    set -f
    IFS=$dd_nl
    for dd_line in $dd_stats; do
        unset IFS
        dd_stat=${dd_stat:+$dd_stat }$dd_line
        # Else the name goes on in the next line.
        ! parse "$dd_stat" || {
            dd_stat=''
            member
        }
    done
    unset IFS
    set +f
    # Who was no zombie a look ago may have ended during this one, and have left a child.
    [ "$dd_zombies" = "$dd_old_zombies" ] || dd_missed=yes
    dd_old_zombies=$dd_zombies
}

# Adds the process that was parsed, if it is one of the job's.
member() {
    [ "$dd_session" != "$dd_my_session" ] && [ "$dd_start" -ge "$dd_begin" ] || return 0
    if ! running; then
        dd_zombies="$dd_zombies $dd_pid:$dd_start"
    elif [ "$dd_session" = "$dd_leader" ]; then
        # A signal to a group also reaches what it forks meanwhile.
        dd_members="$dd_members $dd_pid:$dd_start:-$dd_group"
    elif tagged "$dd_pid"; then
        dd_members="$dd_members $dd_pid:$dd_start:$dd_pid"
    fi
}

# Whether it is proved that nobody is left: by one look at all processes, or, where others come
# and go all the time, by ten that found nobody.
proved() {
    if [ -n "$dd_members" ]; then
        dd_empty=0
        return 1
    fi
    dd_empty=$((dd_empty + 1))
    [ -z "$dd_missed" ] || [ $dd_empty -ge 10 ]
}

# A value may hold newlines, and so what looks like an entry of its own.
tagged() {
    dd_environ=$({ tr '\0\n' '\n\1' <"/proc/$1/environ"; } 2>/dev/null) || {
        [ -e "/proc/$1" ] || dd_missed=yes
        return 1
    }
    # In the middle of an execution it is empty.
    [ -n "$dd_environ" ] || dd_missed=yes
    case $dd_nl$dd_environ$dd_nl in
        *"${dd_nl}DRYDOCK_JOB=$dd_job$dd_nl"*) ;;
        *) return 1 ;;
    esac
}

# What is stopped cannot end and leave its number to another process before it is killed.
kill_members() {
    # Stops also what forks and ends too fast to be seen.
    [ -z "$dd_leader" ] || kill -STOP "-$dd_leader" 2>/dev/null
    for dd_member in $dd_members; do
        kill -STOP "${dd_member##*:}" 2>/dev/null
    done
    for dd_member in $dd_members; do
        dd_target=${dd_member##*:} dd_member=${dd_member%:*}
        process "${dd_member%:*}" || continue
        dd_signal=CONT
        [ "$dd_start" != "${dd_member#*:}" ] || dd_signal=KILL
        kill -$dd_signal "$dd_target" 2>/dev/null
    done
}

nap() {
    if [ $dd_nap = 0.1 ] && sleep 0.1 2>/dev/null; then
        dd_ticks=$((dd_ticks + 1))
    else
        dd_nap=1 dd_ticks=$((dd_ticks + 10))
        sleep 1
    fi
}

# --- claims and states ---

# claim N TEXT: tries to make claim N, and says in dd_text what it reads. Only that tells who
# owns it: ln may have been killed after it made the link, or have lost.
claim() {
    for _ in 1 2 3; do
        ln -s "$2" "$dd_dir/claim.$1" 2>/dev/null
        dd_text=$(readlink "$dd_dir/claim.$1") && return
    done
    give_up "cannot make $dd_dir/claim.$1"
}

# claims: the last launcher's claim in dd_last, and in dd_void whether it is fenced.
claims() {
    dd_n=1 dd_last='' dd_void=''
    while [ -h "$dd_dir/claim.$dd_n" ]; do
        dd_text=$(readlink "$dd_dir/claim.$dd_n") || give_up "cannot read $dd_dir/claim.$dd_n"
        case $dd_text in void) dd_void=yes ;; *) dd_last=$dd_text ;; esac
        dd_n=$((dd_n + 1))
    done
}

exit_code() {
    [ -h "$dd_dir/exit" ] || return 1
    dd_code=$(readlink "$dd_dir/exit")
    case $dd_code in
        [0-9] | [1-9][0-9] | 1[0-9][0-9] | 2[0-4][0-9] | 25[0-5]) ;;
        *) return 1 ;;
    esac
}

# look: the state in dd_state_now; live while anything of the job runs.
look() {
    dd_state_now=live
    if exit_code; then
        dd_state_now="code $dd_code"
        return
    fi
    [ -z "$dd_last" ] || ! alive "$dd_last" || return 0
    claims
    if [ -z "$dd_last" ]; then
        not_begun
        return
    fi
    alive "$dd_last"
    case $? in
        0) return ;;
        1)
            # Only now does the absence of begun prove anything.
            if ! [ -e "$dd_dir/begun" ]; then
                not_begun
                return
            fi
            # A later claimer may have written it: its claim is there, then, by now.
            dd_dead=$dd_last
            claims
            [ "$dd_last" = "$dd_dead" ] || return 0
            ;;
    esac
    members
    proved || return 0
    dd_state_now=unknown
    # The link may have been made until its last process was gone.
    ! exit_code || dd_state_now="code $dd_code"
}

not_begun() {
    dd_state_now=absent
    [ -z "$dd_void" ] || dd_state_now=fenced
}

# --- verbs ---

# launch stdin|null DIR -- ARGV...: claimer, writer of begun and parent of the job are this one
# process, so it must lead its session before it claims.
launch() {
    if [ "$dd_my_session" != "$dd_my_pid" ]; then
        command -v setsid >/dev/null || give_up "no setsid"
        setsid sh "$0" launch "$dd_job" "$@"
        exit
    fi
    [ $# -ge 4 ] && [ "$3" = -- ] || give_up "usage: guard launch JOB stdin|null DIR -- ARGV..."
    dd_stdin=$1
    [ "$2" = - ] || cd -- "$2" || give_up "no directory $2"
    shift 3
    make_folder
    win_claim
    open_files "$dd_stdin" || give_up "cannot open the files in $dd_dir"
    # A job that signals its own group must not lose its exit code by that.
    trap : HUP INT QUIT ALRM TERM USR1 USR2
    true >"$dd_dir/begun" || give_up "cannot write $dd_dir/begun"
    [ "$dd_stdin" = null ] || hold_stdin
    (
        DRYDOCK_JOB=$dd_job
        export DRYDOCK_JOB
        exec "$@"
    ) <&3 >&7 2>&8 3<&- 5>&- 7>&- 8>&-
    dd_code=$?
    # What the job leaves running may still signal its group.
    trap '' HUP INT QUIT ALRM TERM USR1 USR2
    # In place of the shell: where nothing can be forked any more, this still works.
    exec ln -s "$dd_code" "$dd_dir/exit"
}

win_claim() {
    dd_n=1
    while claim "$dd_n" "$dd_me" && [ "$dd_text" != "$dd_me" ]; do
        [ "$dd_text" != void ] || exit 101
        alive "$dd_text"
        case $? in
            0) exit 100 ;;
            2) exit 101 ;;
        esac
        [ ! -e "$dd_dir/begun" ] || exit 101
        dd_n=$((dd_n + 1))
    done
}

# All files are opened before begun is written: a failure after it could pass for the job's own.
# 3 is the job's stdin, 4 its writing end, 5 and 6 both and the reading end of `close`.
open_files() {
    command exec 7>>"$dd_dir/out" 8>>"$dd_dir/err" 5</dev/null || return 1
    if [ "$1" = null ]; then
        command exec 3</dev/null
        return
    fi
    mkfifo "$dd_dir/in" "$dd_dir/close" 2>/dev/null
    [ -p "$dd_dir/in" ] && [ -p "$dd_dir/close" ] || return 1
    command exec 3<>"$dd_dir/in" 4>"$dd_dir/in" 3<"$dd_dir/in" 5<>"$dd_dir/close" 6<"$dd_dir/close"
}

# A child keeps the writing end open until close-input sends a line, or until the claimer, which
# has the only writing end of `close`, is gone.
hold_stdin() {
    (
        exec 3<&- 5>&- 7>&- 8>&-
        read -r _ <&6
    ) &
    exec 4>&- 6<&-
}

# follow OUT ERR
follow() {
    [ $# -eq 2 ] || give_up "usage: guard follow JOB OUT ERR"
    dd_out=$1 dd_err=$2
    while :; do
        # First the state, then the sizes: what ended has written all its output.
        look
        dd_news=''
        print_new out "$dd_out" && dd_out=$dd_at
        dd_out_size=$dd_goal
        print_new err "$dd_err" && dd_err=$dd_at
        dd_err_size=$dd_goal
        [ "$dd_state_now" = live ] || end_with_sizes
        if [ -n "$dd_news" ]; then
            dd_ticks=0
        elif [ $dd_ticks -ge 100 ]; then
            dd_ticks=0
            printf 'live\n' || exit 1
        fi
        nap
    done
}

size() {
    dd_size=0
    # wc of busybox reads it all.
    [ ! -f "$dd_dir/$1" ] || dd_size=$(stat -c %s "$dd_dir/$1" 2>/dev/null) ||
        dd_size=$(($(wc -c <"$dd_dir/$1")))
}

# print_new NAME OFFSET: records up to the size that the file has now, then in dd_at.
print_new() {
    size "$1"
    dd_goal=$dd_size
    [ "$2" != - ] || return 1
    dd_at=$2
    while [ "$dd_at" -lt "$dd_goal" ]; do
        dd_news=yes dd_part=$((dd_goal - dd_at))
        [ $dd_part -le 1048576 ] || dd_part=1048576
        printf '%s %s %s\n' "$1" "$dd_at" $dd_part || exit 1
        tail -c "+$((dd_at + 1))" "$dd_dir/$1" 2>/dev/null | head -c $dd_part || exit 1
        dd_at=$((dd_at + dd_part))
        # If the job truncated it, the record is short: leave it torn, where the stream ends.
        size "$1"
        [ "$dd_size" -ge "$dd_at" ] || exit 1
    done
}

end_with_sizes() {
    case $dd_state_now in
        code* | unknown) end "$dd_state_now $dd_out_size $dd_err_size" ;;
        *) end "$dd_state_now" ;;
    esac
}

end_now() {
    size out
    dd_out_size=$dd_size
    size err
    dd_err_size=$dd_size
    end_with_sizes
}

# The fence comes first: whatever launches from now on finds it, so nothing begins any more.
kill_job() {
    make_folder
    dd_n=1
    while claim "$dd_n" void && [ "$dd_text" != void ]; do
        dd_n=$((dd_n + 1))
    done
    claims
    dd_tries=0
    while :; do
        members
        if proved; then
            # Its own look need not prove it again.
            dd_empty=10
            look
            [ "$dd_state_now" = live ] || end_now
        fi
        kill_members
        dd_tries=$((dd_tries + 1))
        [ $dd_tries -le 50 ] || left
        [ $dd_tries -le 5 ] || nap
    done
}

left() {
    dd_pids=''
    for dd_member in $dd_members; do
        dd_pids="$dd_pids ${dd_member%%:*}"
    done
    end "left$dd_pids"
}

# write_to FIFO TEXT: one write; fails if no other process has it open for reading. It is opened
# for reading, too, for a moment, so that opening it never waits. tail gathers what a printf may
# write in pieces.
write_to() {
    [ -p "$dd_dir/$1" ] || return 1
    exec 3<>"$dd_dir/$1" 4>"$dd_dir/$1" 3<&-
    printf %b "$2" | tail -c 4096 2>/dev/null >&4
    dd_status=$?
    exec 4>&-
    return $dd_status
}

# Before begun, another launcher may still take over, and have a stdin of its own. From then on
# the job's has a reader until its claimer is gone.
send() {
    until [ -e "$dd_dir/begun" ] && write_to "$1" "$2"; do
        look
        [ "$dd_state_now" = live ] || end_now
        # Without either it may be over, and the next look proves it.
        if [ -e "$dd_dir/begun" ] && { alive "$dd_last" || [ -n "$dd_members" ]; }; then
            [ -p "$dd_dir/$1" ] || give_up "the job has no stdin"
            alive "$dd_last" || return 1
        fi
        nap
    done
}

# input TEXT
input() {
    [ $# -eq 1 ] || give_up "usage: guard input JOB TEXT"
    [ "$(printf %b "$1" | wc -c)" -le 4096 ] || give_up "more than 4096 bytes"
    send in "$1" || give_up "the job's stdin has ended with its claimer"
    echo written
}

close_input() {
    # Without a claimer it is closed already.
    send close '\n' || :
    echo closed
}

main "$@"; exit
