// LFM2, some of whose layers have no attention: every verb computes them, and says so where heads
// are asked for.

#include <gmock/gmock.h>

#include <cmath>

#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kLfm2Ids = "5,9,17,3,9";
constexpr const char* kSaysNoHeads = "is a convolution: it has no attention";

std::vector<std::string> lfm2_verb(const std::string& name, std::vector<std::string> more = {}) {
  std::vector<std::string> all = {name, small_model("lfm2"), "--ids", kLfm2Ids};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(Convolutions, AreInTheDescription) {
  const Outcome text = run({"model", small_model("lfm2")});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("LFM2"), HasSubstr("0, 2 (of 3 tokens)")));
  const json described = json_of({"model", small_model("lfm2"), "--json"});
  EXPECT_EQ(described["convolutions"], json({true, false, true, false}));
}

TEST(Convolutions, HaveAPartOfTheAnswer) {
  const json direct = json_of(lfm2_verb("attribute", {"--kind", "direct", "--json"}))["direct"];
  double sum = direct["embedding"].get<double>() + direct["biases"].get<double>();
  for (const char* part : {"mlps", "convolutions"})
    for (const json& value : direct[part]) sum += value.get<double>();
  for (const int layer : {1, 3})
    for (const json& value : direct["heads"][layer]) sum += value.get<double>();
  EXPECT_NEAR(sum, direct["logit"].get<double>(), 1e-4);
  EXPECT_THAT(direct["heads"][0], Each(json()));
  const Outcome text = run(lfm2_verb("attribute"));
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("convolution"), Not(HasSubstr("nan"))));
}

TEST(Convolutions, HaveNoHeadsToAskFor) {
  for (const auto& arguments :
       {lfm2_verb("explain", {"--layer", "0", "--row", "2", "--col", "1"}),
        lfm2_verb("export", {"--layer", "2", "-o", "out.svg"}),
        lfm2_verb("check", {"--layer", "0"}), lfm2_verb("predict", {"--mute", "L0H0"}),
        lfm2_verb("attribute", {"--mute", "L2H1"})}) {
    const Outcome outcome = run(arguments);
    EXPECT_NE(outcome.code, 0) << arguments[0];
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(kSaysNoHeads)) << arguments[0];
  }
  const Outcome rollout = run(lfm2_verb("attribute", {"--kind", "rollout"}));
  EXPECT_EQ(rollout.code, 5);
  EXPECT_THAT(rollout.err, HasSubstr("convolution"));
}

TEST(Convolutions, ArePassedByEveryOtherVerb) {
  const TempFolder folder;
  for (const auto& arguments :
       {lfm2_verb("check"), lfm2_verb("predict"), lfm2_verb("predict", {"--generate", "5"}),
        std::vector<std::string>{"attribute", small_model("lfm2"), "--kind", "labels"},
        lfm2_verb("attribute", {"--kind", "knock-out"}),
        lfm2_verb("compute", {"-o", folder / "all.safetensors"}),
        lfm2_verb("export", {"--layer", "all", "-o", folder / "all.svg"}),
        lfm2_verb("export", {"--layer", "1", "-o", folder / "one.svg"}),
        lfm2_verb("explain", {"--layer", "3", "--row", "2", "--col", "1", "--stage", "weights"})}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << arguments[0] << ": " << outcome.err;
  }
  const TensorFile computed = read_safetensors(bytes_of(folder / "all.safetensors")).value();
  EXPECT_EQ(computed.find("attention.0"), nullptr);
  EXPECT_NE(computed.find("attention.1"), nullptr);
  EXPECT_NE(computed.find("hidden.4"), nullptr);
}

}  // namespace
}  // namespace lab::test
