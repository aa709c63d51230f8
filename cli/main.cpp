#include <drydock/cli/cli_main.hpp>

int main(int argc, char** argv) { return drydock::cli_main(argc, argv); }
