#pragma once

#include <string_view>

// The parts of a recorded inspect body (05_inspect_states, "running, full body") that do not depend
// on the container, in order. Holes between them are filled by `append_inspect`.
namespace drydock::sim::docker::text {

inline constexpr std::string_view host_config_begin =
    R"({"Binds":null,"ContainerIDFile":"","LogConfig":{"Type":"json-file",)"
    R"("Config":{}},"NetworkMode":)";

inline constexpr std::string_view host_config_end =
    R"(,"VolumeDriver":"","VolumesFrom":null,"CapAdd":null,"CapDrop":null,"CgroupnsMode":"host",)"
    R"("Dns":null,"DnsOptions":null,"DnsSearch":null,"ExtraHosts":null,"GroupAdd":null,)"
    R"("IpcMode":"private","Cgroup":"","Links":null,"OomScoreAdj":0,"PidMode":"",)"
    R"("Privileged":false,"PublishAllPorts":false,"ReadonlyRootfs":false,"SecurityOpt":null,)"
    R"("UTSMode":"","UsernsMode":"","ShmSize":67108864,"Runtime":"runc","ConsoleSize":[0,0],)"
    R"("Isolation":"","CpuShares":0,"Memory":0,"NanoCpus":0,"CgroupParent":"","BlkioWeight":0,)"
    R"("BlkioWeightDevice":null,"BlkioDeviceReadBps":null,"BlkioDeviceWriteBps":null,)"
    R"("BlkioDeviceReadIOps":null,"BlkioDeviceWriteIOps":null,"CpuPeriod":0,"CpuQuota":0,)"
    R"("CpuRealtimePeriod":0,"CpuRealtimeRuntime":0,"CpusetCpus":"","CpusetMems":"",)"
    R"("Devices":null,"DeviceCgroupRules":null,"DeviceRequests":null,"KernelMemory":0,)"
    R"("KernelMemoryTCP":0,"MemoryReservation":0,"MemorySwap":0,"MemorySwappiness":null,)"
    R"("OomKillDisable":false,"PidsLimit":null,"Ulimits":null,"CpuCount":0,"CpuPercent":0,)"
    R"("IOMaximumIOps":0,"IOMaximumBandwidth":0,"MaskedPaths":["/proc/asound","/proc/acpi",)"
    R"("/proc/kcore","/proc/keys","/proc/latency_stats","/proc/timer_list","/proc/timer_stats",)"
    R"("/proc/sched_debug","/proc/scsi","/sys/firmware"],"ReadonlyPaths":["/proc/bus","/proc/fs",)"
    R"("/proc/irq","/proc/sys","/proc/sysrq-trigger"]})";

inline constexpr std::string_view graph_driver = R"(,"GraphDriver":{"Data":null,"Name":"vfs"})";

inline constexpr std::string_view attached =
    R"(,"AttachStdin":false,"AttachStdout":false,"AttachStderr":false)";

inline constexpr std::string_view network_settings =
    R"(,"HairpinMode":false,"LinkLocalIPv6Address":"","LinkLocalIPv6PrefixLen":0,"Ports":)";

inline constexpr std::string_view addresses =
    R"(,"SecondaryIPAddresses":null,"SecondaryIPv6Addresses":null,"EndpointID":")";

inline constexpr std::string_view network_begin =
    R"(:{"IPAMConfig":null,"Links":null,"Aliases":null,"NetworkID":)";

// Of an imported image (02_images), up to its layer.
inline constexpr std::string_view image =
    R"(,"Container":"","ContainerConfig":{"Cmd":null},"DockerVersion":"20.10.24+dfsg1",)"
    R"("Author":"","Config":{"Env":null,"Cmd":null,"Volumes":null,"WorkingDir":"",)"
    R"("Entrypoint":null,"Labels":null},"Architecture":"amd64","Os":"linux","Size":1982353,)"
    R"("VirtualSize":1982353,"GraphDriver":{"Data":null,"Name":"vfs"},)"
    R"("RootFS":{"Type":"layers","Layers":["sha256:)";

inline constexpr std::string_view never = R"("0001-01-01T00:00:00Z")";
inline constexpr std::string_view data_root = "/var/lib/docker/containers/";

}  // namespace drydock::sim::docker::text
