#include "commands/commands.hpp"
#include "commands/whole_number.hpp"

#include <drydock/scenarios/search.hpp>

#include <fmt/format.h>

#include <memory>

namespace drydock::cli {
namespace {

// Always on standard output, and nothing else there: two binaries' lines are compared.
int print_digests(const Context& context, std::uint64_t plans) {
    scenarios::SearchOptions options{.client = context.client(scenarios::library_client),
                                     .backends = {}};
    for (const sim::BackendKind& kind : context.backends.kinds()) {
        options.backends.push_back(&kind);
    }
    for (std::uint64_t i = 0; i < plans; ++i) {
        const scenarios::DigestRow row = digest_of_plan(i, options);
        context.output.print(fmt::format("{} {}\n", i, scenarios::digest_text(row.digest)));
        context.output.check();
        if (row.is_repeatable) continue;
        print_error(fmt::format("drydock: plan {} was another run the second time\n", i));
        return shows_nothing;
    }
    return ok;
}

}  // namespace

void add_digests(CLI::App& app, Context& context, Action& action) {
    const auto plans = std::make_shared<std::uint64_t>(1000);
    CLI::App& command = add_command(app, context, "digests",
                                    "Print the digests of a fixed campaign, each run made twice",
                                    "  drydock digests --plans 1000");
    command.group("");  // for CI
    command.add_option("--plans", *plans, "how many")
        ->check(positive_number())
        ->capture_default_str();
    command.callback([&context, &action, plans] {
        action = [&context, plans] { return print_digests(context, *plans); };
    });
}

}  // namespace drydock::cli
