// What clients ask of the engine itself.
#include "docker/answers.hpp"
#include "docker/call.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace drydock::sim {
namespace docker {
namespace {

constexpr std::string_view version_body =
    R"({"Platform":{"Name":""},"Components":[{"Name":"Engine","Version":"20.10.24+dfsg1",)"
    R"("Details":{"ApiVersion":"1.41","Arch":"amd64","BuildTime":"2023-04-04T18:09:52.000000000+00:00",)"
    R"("Experimental":"false","GitCommit":"5d6db84","GoVersion":"go1.19.8","KernelVersion":"6.1.0",)"
    R"("MinAPIVersion":"1.12","Os":"linux"}},{"Name":"containerd","Version":"1.6.20~ds1","Details":)"
    R"({"GitCommit":"1.6.20~ds1-1+b1"}},{"Name":"runc","Version":"1.1.5+ds1","Details":)"
    R"({"GitCommit":"1.1.5+ds1-1+b1"}},{"Name":"docker-init","Version":"0.19.0","Details":)"
    R"({"GitCommit":""}}],"Version":"20.10.24+dfsg1","ApiVersion":"1.41","MinAPIVersion":"1.12",)"
    R"("GitCommit":"5d6db84","GoVersion":"go1.19.8","Os":"linux","Arch":"amd64",)"
    R"("KernelVersion":"6.1.0","BuildTime":"2023-04-04T18:09:52.000000000+00:00"})"
    "\n";

/// What /info says of the host and of what it can do.
constexpr std::string_view rest_of_info =
    R"("ID":"DRYD:OCKD:RYDO:CKDR:YDOC:KDRY:DOCK:DRYD:OCKD:RYDO:CKDR:YDOC","DriverStatus":[],)"
    R"("Plugins":{"Volume":["local"],"Network":["bridge","host","ipvlan","macvlan","null",)"
    R"("overlay"],"Authorization":null,"Log":["awslogs","fluentd","gcplogs","gelf","journald",)"
    R"("json-file","local","logentries","splunk","syslog"]},"MemoryLimit":true,"SwapLimit":true,)"
    R"("KernelMemory":true,"KernelMemoryTCP":true,"CpuCfsPeriod":true,"CpuCfsQuota":true,)"
    R"("CPUShares":true,"CPUSet":true,"PidsLimit":true,"IPv4Forwarding":true,)"
    R"("BridgeNfIptables":true,"BridgeNfIp6tables":true,"Debug":false,"NFd":24,)"
    R"("OomKillDisable":true,"NGoroutines":34,"NEventsListener":0,"KernelVersion":"6.1.0",)"
    R"("OperatingSystem":"Debian GNU/Linux 12","OSVersion":"12","MemTotal":8589934592,)"
    R"("GenericResources":null,"DockerRootDir":"/var/lib/docker","HttpProxy":"","HttpsProxy":"",)"
    R"("NoProxy":"","Name":"drydock","Labels":[],"ClusterStore":"","ClusterAdvertise":"",)"
    R"("RegistryConfig":{"AllowNondistributableArtifactsCIDRs":[],)"
    R"("AllowNondistributableArtifactsHostnames":[],"InsecureRegistryCIDRs":["127.0.0.0/8"],)"
    R"("IndexConfigs":{},"Mirrors":[]},"Runtimes":{"io.containerd.runc.v2":{"path":"runc"},)"
    R"("io.containerd.runtime.v1.linux":{"path":"runc"},"runc":{"path":"runc"}},)"
    R"("InitBinary":"docker-init","ContainerdCommit":{"ID":"1.6.20~ds1-1+b1",)"
    R"("Expected":"1.6.20~ds1-1+b1"},"RuncCommit":{"ID":"1.1.5+ds1-1+b1",)"
    R"("Expected":"1.1.5+ds1-1+b1"},"InitCommit":{"ID":"","Expected":""},)"
    R"("SecurityOptions":["name=seccomp,profile=default"],"Warnings":[)"
    R"("WARNING: No blkio throttle.read_bps_device support",)"
    R"("WARNING: No blkio throttle.write_bps_device support",)"
    R"("WARNING: No blkio throttle.read_iops_device support",)"
    R"("WARNING: No blkio throttle.write_iops_device support"])";

/// A header without a value is one that the engine leaves out here and sends elsewhere.
const Header no_experimental{"Docker-Experimental", ""};

}  // namespace

Response ping_answer(const Request& request) {
    Response response = text_answer(200, request.method == Method::head ? "" : "OK");
    if (request.method == Method::head) {
        response.headers.push_back({"Content-Length", "0"});
    }
    response.headers.push_back({"Cache-Control", "no-cache, no-store, must-revalidate"});
    response.headers.push_back({"Pragma", "no-cache"});
    return response;
}

Response version_answer() { return answer(200, std::string(version_body)); }

Response version_refusal(const Call& call) {
    if (!call.is_too_old) {
        Response response = error_answer(400, call.version_error);
        response.headers.push_back(no_experimental);
        return response;
    }
    Response response = text_answer(400, call.version_error + "\n");
    response.headers.push_back({"X-Content-Type-Options", "nosniff"});
    response.headers.push_back(no_experimental);
    return response;
}

Response info_answer(SandboxEngine& engine) {
    std::size_t running = 0;
    std::size_t paused = 0;
    const auto all = engine.list();
    for (const Sandbox* sandbox : all) {
        running += sandbox->status == Status::running ? 1 : 0;
        paused += sandbox->status == Status::paused ? 1 : 0;
    }
    return answer(
        200, fmt::format(R"({{"Containers":{},"ContainersRunning":{},"ContainersPaused":{},)"
                         R"("ContainersStopped":{},"Images":1,"Driver":"vfs",)"
                         R"("LoggingDriver":"json-file","CgroupDriver":"cgroupfs",)"
                         R"("CgroupVersion":"1","OSType":"linux","Architecture":"x86_64",)"
                         R"("NCPU":2,"ServerVersion":"20.10.24+dfsg1",)"
                         R"("DefaultRuntime":"runc","LiveRestoreEnabled":false,)"
                         R"("Swarm":{{"NodeID":"","NodeAddr":"","LocalNodeState":"inactive",)"
                         R"("ControlAvailable":false,"Error":"","RemoteManagers":null}},)"
                         R"("Isolation":"",)"
                         R"("ExperimentalBuild":false,{}}})"
                         "\n",
                         all.size(), running, paused, all.size() - running - paused, rest_of_info));
}

}  // namespace docker

}  // namespace drydock::sim
