// The verb that finds the smallest change for a number.
#include <gmock/gmock.h>

#include "app/files/open.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"
#include "core/analysis/reference.h"

namespace lab::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class SolveVerb : public testing::Test {
 protected:
  Outcome solve(std::vector<std::string> options) const {
    options.insert(options.begin(), {"solve", in_});
    return run(options);
  }
  std::string message(std::vector<std::string> options, int code) const {
    const Outcome outcome = solve(std::move(options));
    EXPECT_EQ(outcome.code, code) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }
  static Document opened(const std::string& path) { return *files::open_document(path); }

  TempFolder folder_;
  std::string in_ = small_session(folder_), out_ = folder_ / "solved.json";
  const std::string want_ = "weights[1,cat,saw]=0.7";
};

TEST_F(SolveVerb, SavesASessionInWhichTheNumberIsWhatWasWanted) {
  const Outcome outcome = solve({"--want", want_, "--free", "W_Q:1", "-o", out_});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("weights of head 1 [cat, saw]: "));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr(" -> 0.7\n"), HasSubstr("numbers changed"),
                                 HasSubstr("W_Q of head 1 ["), Not(HasSubstr("W_K"))));
  const Document before = small_document(), after = opened(out_);
  EXPECT_NEAR(reference_trace(after.problem).heads[0].weights(1, 2), 0.7, 1e-4);
  EXPECT_EQ(*after.problem.embedding, *before.problem.embedding);
  EXPECT_NE(*after.problem.parameters.heads[0].W_Q, *before.problem.parameters.heads[0].W_Q);
}

TEST_F(SolveVerb, KeepsARowAndChangesWhatWeighsMoreLess) {
  const std::vector<std::string> options = {"--want", want_,    "--free",       "X:cat", "--free",
                                            "W_K:1",  "--keep", "weights[1,0]", "-o",    out_};
  EXPECT_EQ(solve(options).code, 0);
  const Document before = small_document(), after = opened(out_);
  const auto weights = [](const Document& document) {
    return reference_trace(document.problem).heads[0].weights;
  };
  EXPECT_NEAR(weights(after)(1, 2), 0.7, 1e-4);
  EXPECT_TRUE(weights(after).row(0).isApprox(weights(before).row(0), 1e-4));
  const auto moved = [&] {
    return (*opened(out_).problem.embedding - *before.problem.embedding).norm();
  };
  const float equal = moved();
  EXPECT_GT(equal, 0.0f);
  std::vector<std::string> heavy = options;
  heavy.insert(heavy.end(), {"--weight", "X=100"});
  EXPECT_EQ(solve(heavy).code, 0);
  EXPECT_LT(moved(), 0.2f * equal);
}

TEST_F(SolveVerb, SavesTheNearestWhereTheNumberCannotBeReached) {
  // Both are sums of the same three numbers of V with weights that are locked.
  const Outcome outcome = solve({"--want", "concat[cat,0]=2", "--want", "head_output[1,cat,0]=-2",
                                 "--free", "W_V", "-o", out_});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("cannot be reached: it came to "),
                                 HasSubstr("OUT has the nearest that was found")));
  EXPECT_THAT(outcome.out, HasSubstr("numbers changed"));
  EXPECT_NEAR(reference_trace(opened(out_).problem).concat(1, 0), 0, 0.1);
}

TEST_F(SolveVerb, FreesTheRowsOfWOThatAHeadMeets) {
  ASSERT_EQ(solve({"--want", "output[cat,0]=3", "--free", "W_O:2", "-o", out_}).code, 0);
  const Document before = small_document(), after = opened(out_);
  const attention::Index d_v = before.problem.config.d_v;
  const auto rows = [&](const Document& document, attention::Index head) {
    return document.problem.parameters.W_O->middleRows(head * d_v, d_v).eval();
  };
  EXPECT_EQ(rows(after, 0), rows(before, 0));
  EXPECT_NE(rows(after, 1), rows(before, 1));
  EXPECT_THAT(message({"--want", "output[cat,0]=3", "--free", "W_O:9"}, 2),
              HasSubstr("no head \"9\" of W_O"));
  EXPECT_THAT(solve({"--want", "output[cat,0]=3", "--free", "W_O:h1.0"}).out,
              HasSubstr("W_O [h1.0, "));
}

// A session could not hold them.
TEST_F(SolveVerb, RefusesNumbersBeyondAMillionWithAndWithoutAFile) {
  const std::vector<std::string> options = {"--want", "scores[1,cat,saw]=1e30", "--free", "W_Q:1"};
  const std::string shown = message(options, 5);
  EXPECT_THAT(shown, HasSubstr("it must be between −1,000,000 and 1,000,000"));
  std::vector<std::string> saved = options;
  saved.insert(saved.end(), {"-o", out_});
  EXPECT_EQ(message(saved, 5), shown);
}

TEST_F(SolveVerb, RecordsTheChangeAsOneCommand) {
  const std::string record = folder_ / "record.jsonl", again = folder_ / "again.json";
  ASSERT_EQ(solve({"--want", want_, "--free", "W_Q", "--record", record, "-o", out_}).code, 0);
  ASSERT_EQ(run({"apply", in_, record, "-o", again}).code, 0);
  EXPECT_EQ(*opened(again).problem.parameters.heads[0].W_Q,
            *opened(out_).problem.parameters.heads[0].W_Q);
}

TEST_F(SolveVerb, SaysWhatIsWrong) {
  const auto wrong = [&](const std::string& want, const std::string& free, int code) {
    return message({"--want", want, "--free", free}, code);
  };
  EXPECT_THAT(wrong("weights[1,cat,saw]", "X", 2), HasSubstr("has no value"));
  EXPECT_THAT(wrong("weights=1", "X", 2), HasSubstr("is no place"));
  EXPECT_THAT(wrong("weights[1,cat]=1", "X", 2), HasSubstr("takes [HEAD,ROW,COLUMN]"));
  EXPECT_THAT(wrong("output[1,cat,0]=1", "X", 2), HasSubstr("takes [ROW,COLUMN]"));
  EXPECT_THAT(wrong("weights[1,fox,saw]=0.5", "X", 2), HasSubstr("fox"));
  EXPECT_THAT(wrong("weights[7,cat,saw]=1", "X", 2), HasSubstr("--want: the head is \"7\" but"));
  EXPECT_THAT(wrong(want_, "W_X", 2), HasSubstr("cannot be free here; these can: X, W_Q"));
  EXPECT_THAT(wrong(want_, "W_Q:9", 2), HasSubstr("no head \"9\" of W_Q"));
  EXPECT_THAT(wrong(want_, "X:fox", 2), HasSubstr("fox"));
  EXPECT_THAT(wrong("weights[1,cat,saw]=1", "X", 5), HasSubstr("between 0 and 1"));
  EXPECT_THAT(wrong("embedding[cat,0]=1", "X", 5), HasSubstr("is not computed"));
  EXPECT_THAT(wrong(want_, "W_O", 5), HasSubstr("nothing that is free moves"));
  EXPECT_THAT(message({"--want", want_, "--free", "X", "--keep", "weights[1,cat]"}, 5),
              HasSubstr("two values at once, or change and be kept"));
  EXPECT_THAT(message({"--want", want_, "--free", "X", "--weight", "W_Q=2"}, 2),
              HasSubstr("not among what is --free"));
}

// A model's logit, by the weights of one of its layers.
TEST(SolveModel, GivesALogitAnotherValue) {
  const TempFolder folder;
  const std::string model = small_model("gpt2"), out = folder / "solved.json";
  const std::vector<std::string> options = {"solve",   model, "--ids",  "3,1,4,1,5",
                                            "--layer", "1",   "--free", "W_V:0"};
  const auto solve = [&](std::vector<std::string> more) {
    more.insert(more.begin(), options.begin(), options.end());
    return run(more);
  };
  const Outcome found = solve({"--want", "logit[4,7]=1.5", "--keep", "logit[4,2]", "-o", out});
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, AllOf(HasSubstr(" -> 1.5\n"), HasSubstr("W_V of ")));
  const Outcome again =
      run({"solve", out, "--layer", "1", "--free", "W_V:0", "--want", "logit[4,7]=1.5"});
  EXPECT_THAT(again.out, AllOf(HasSubstr(": 1.5 -> 1.5\n"), HasSubstr("\n0 numbers changed")))
      << again.err;
  EXPECT_THAT(solve({"--want", "logit[9,7]=1"}).err, HasSubstr("logit"));
  EXPECT_THAT(solve({"--want", "logit[4,7]"}).err, HasSubstr("has no value"));
  EXPECT_THAT(solve({"--want", "logit[4,99999]=1"}).err, HasSubstr("one token of the vocabulary"));
  EXPECT_THAT(solve({"--want", "logit[4,7]=1", "--free", "X"}).err,
              HasSubstr("\"X\" cannot be free here"));
}

TEST(SolveModel, IsAboutOneLayer) {
  const std::vector<std::string> options = {"solve",  small_model("gpt2"), "--ids",  "3,1,4",
                                            "--want", "logit[2,7]=1",      "--free", "W_V"};
  const auto refused = [&](std::vector<std::string> more) {
    more.insert(more.begin(), options.begin(), options.end());
    return run(more).err;
  };
  EXPECT_THAT(refused({}), HasSubstr("--layer is missing"));
  EXPECT_THAT(refused({"--layer", "all"}), HasSubstr("the weights of one layer may change"));
  for (const char* verb : {"solve", "sensitivity", "explain", "compute"})
    EXPECT_THAT(run({verb, "--help"}).out, Not(HasSubstr("or all"))) << verb;
}

TEST(SolveModel, FreesTheRowsOfWOOfOneHead) {
  const Outcome outcome = run({"solve", small_model("gpt2"), "--ids", "3,1,4,1,5", "--layer", "1",
                               "--want", "logit[4,7]=0.1", "--free", "W_O:1"});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("W_O [h1."), Not(HasSubstr("W_O [h0.")))) << outcome.err;
}

TEST(SolveModel, ReachesWhatTheHelpShows) {
  const std::string help = run({"solve", "--help"}).out;
  ASSERT_THAT(help,
              HasSubstr("induction --text abcdab --layer 1 --want 'logit[5,c]=8' --free W_V"));
  const Outcome outcome = run({"solve", "induction", "--text", "abcdab", "--layer", "1", "--want",
                               "logit[5,c]=8", "--free", "W_V"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace lab::test
