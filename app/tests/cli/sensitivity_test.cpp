// The verb that shows which numbers move one number.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"
#include "core/analysis/reference.h"

namespace lab::test {
namespace {

using attention::MatrixId;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class SensitivityVerb : public testing::Test {
 protected:
  Outcome sensitivity(std::vector<std::string> options) const {
    options.insert(options.begin(), {"sensitivity", in_, "--row", "cat"});
    return run(options);
  }
  json tensors(std::vector<std::string> options) const {
    options.insert(options.end(), {"-o", "-"});
    const Outcome outcome = sensitivity(options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out)["tensors"];
  }

  TempFolder folder_;
  std::string in_ = small_session(folder_);
};

TEST_F(SensitivityVerb, ListsWhatMovesTheNumberMost) {
  const Outcome outcome = sensitivity({"--col", "0", "--stage", "output"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("output[cat, "));
  EXPECT_THAT(outcome.out, HasSubstr("+0.01 moves it by"));
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 12);
  EXPECT_EQ(
      std::ranges::count(sensitivity({"--col", "0", "--stage", "output", "--top", "3"}).out, '\n'),
      5);
  EXPECT_EQ(sensitivity({"--col", "0", "--top", "0"}).code, 2);
  const Outcome of_one = sensitivity({"--col", "0", "--stage", "output", "--of", "W_V"});
  EXPECT_THAT(of_one.out, AllOf(HasSubstr("W_V of head 1 ["), testing::Not(HasSubstr("X ["))));
}

TEST_F(SensitivityVerb, WritesTheDerivativeByEveryNumber) {
  const json all = tensors({"--col", "1", "--stage", "head_output"});
  const Document document = small_document();
  const attention::Problem& problem = document.problem;
  EXPECT_EQ(all["W_Q"]["shape"],
            json({problem.config.n_heads, problem.config.d_model, problem.config.d_k}));
  EXPECT_TRUE(all.contains("stage.weights"));
  // Against a difference, in double precision.
  const auto output = [&](float by) {
    attention::Problem moved = problem;
    moved.embedding.edit([&](attention::Matrix& X) { X(0, 1) += by; });
    return reference_trace(moved).heads[0].head_output(1, 1);
  };
  const double expected = (output(0.0078125f) - output(-0.0078125f)) / 0.015625;
  EXPECT_NEAR(all["X"]["values"][1].get<double>(), expected, 1e-4);
  EXPECT_EQ(tensors({"--col", "1", "--stage", "head_output", "--of", "W_V"}).size(), 1U);
}

TEST_F(SensitivityVerb, DrawsTheDerivatives) {
  const std::string figure = folder_ / "moves.svg";
  const std::vector<std::string> draws{"--col", "1", "--stage", "head_output", "-o", figure};
  const auto svg_of = [&](std::vector<std::string> more) {
    more.insert(more.begin(), draws.begin(), draws.end());
    const Outcome outcome = sensitivity(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return bytes_of(figure);
  };
  EXPECT_THAT(svg_of({"--of", "W_V"}), AllOf(HasSubstr("What moves head_output[cat, 1] of head 1"),
                                             HasSubstr("W_V, head 1")));
  EXPECT_THAT(svg_of({"--of", "weights"}), HasSubstr(": Weights, head 1"));
  EXPECT_THAT(svg_of({}), HasSubstr("Every stage of head 1"));
  EXPECT_EQ(sensitivity({"--col", "1", "--stage", "Q", "--annot"}).code, 2)
      << "there is no figure to write numbers into";
}

TEST_F(SensitivityVerb, SaysWhyNothingCanBeSaid) {
  EXPECT_THAT(sensitivity({"--col", "0", "--stage", "Q", "--of", "W_X"}).err,
              HasSubstr("--of: there is no matrix \"W_X\" here; there are X, "));
  EXPECT_EQ(sensitivity({"--col", "0", "--stage", "Q", "-o", "a.txt"}).code, 2);
  const std::string line =
      R"({"do":"set_override","stage":"Q","head":1,"row":1,"col":0,"value":2})";
  const std::string edits = folder_.write("edits.jsonl", line + "\n"), edited = folder_ / "e.json";
  ASSERT_EQ(run({"apply", in_, edits, "-o", edited}).code, 0);
  const Outcome by_hand = run({"sensitivity", edited, "--stage", "Q", "--row", "1", "--col", "0"});
  EXPECT_EQ(by_hand.code, 5);
  EXPECT_THAT(by_hand.err, HasSubstr("put there by hand"));
}

}  // namespace
}  // namespace lab::test
