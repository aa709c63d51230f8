# Gives this mount namespace the kernel's control groups below /sys/fs/cgroup, where nothing has
# mounted them yet: each controller that version 1 offers, else version 2.
mount_cgroups() {
    grep -q ' /sys/fs/cgroup' /proc/mounts && return
    mount -t tmpfs cgroups /sys/fs/cgroup || return
    local name hierarchy count enabled found=no
    while read -r name hierarchy count enabled; do
        [ "$enabled" = 1 ] && mkdir "/sys/fs/cgroup/$name" || continue
        if mount -t cgroup -o "$name" cgroup "/sys/fs/cgroup/$name" 2>/dev/null; then
            found=yes
        else
            rmdir "/sys/fs/cgroup/$name"
        fi
    done </proc/cgroups
    [ $found = yes ] && return
    umount /sys/fs/cgroup
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
}

# Lets go on what is frozen in the groups called NAME and below.
thaw_cgroups() {
    local state
    find "/sys/fs/cgroup/freezer/$1" -name freezer.state 2>/dev/null | while read -r state; do
        echo THAWED >"$state"
    done
}

# Removes the groups called NAME and all below them; their processes have ended.
remove_cgroups() {
    local group
    for group in "/sys/fs/cgroup/$1" /sys/fs/cgroup/*/"$1"; do
        if [ -d "$group" ]; then
            find "$group" -depth -type d -exec rmdir {} +
        fi
    done
}
