#include <drydock/version.hpp>

#include <cstdio>

int main() {
    std::printf("drydock %s\n", drydock::version.data());
    return drydock::version.empty() ? 1 : 0;
}
