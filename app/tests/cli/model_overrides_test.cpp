#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/tests/cli/run_cli.h"

namespace lab::test {
namespace {

using nlohmann::json;

constexpr const char* kLines =
    R"({"layer":"1","do":"set_override","stage":"Q","head":2,"row":2,"col":0,"value":8}
{"layer":"1","do":"set_override","stage":"output","row":2,"col":5,"value":-6}
)";

// Every stage of a layer can be overridden; all heads share the output.
TEST(ModelOverrides, OfQueriesAndOutputsAreSavedAndComputedWith) {
  const TempFolder folder;
  const std::string lines = folder.write("lines.jsonl", kLines), out = folder / "out.json";
  const Outcome outcome = run({"apply", "words", lines, "--text", "a small dog", "-o", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json::parse(bytes_of(out))["overrides"],
            json::parse(R"([{"head": "L1H2", "stage": "Q", "row": 2, "col": 0, "value": 8},
                            {"layer": "1", "stage": "output", "row": 2, "col": 5, "value": -6}])"));
  const Outcome edited = run({"predict", out, "--json"});
  EXPECT_EQ(edited.code, 0) << edited.err;
  EXPECT_NE(edited.out, run({"predict", "words", "--text", "a small dog", "--json"}).out);
}

}  // namespace
}  // namespace lab::test
