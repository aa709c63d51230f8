#!/bin/sh
# namespace.sh FOLDER NAME: the first process of an engine's own mount, process and network
# namespaces. When it dies, so does all in them. NAME is that of the engine's control groups.
folder=$1 name=$2
. "$(dirname "$0")/cgroups.sh"

# Containerd's shims put their sockets into /run, wherever their engine's folders are.
mount -t tmpfs tmpfs /run || exit
mount_cgroups || exit
busybox ip link set lo up
# Not exec: as the first process, dockerd would have to reap its containers' orphans.
dockerd --storage-driver=vfs --cgroup-parent="/$name" --data-root="$folder/data" \
    --exec-root="$folder/exec" --pidfile="$folder/pid" --host="unix://$folder/sock"
