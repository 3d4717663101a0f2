#include "core/network/generation/continuation.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/tests/model/support.h"

// A text that grows token by token has the logits that a whole pass gives it, in every family, with
// edits in force, and only the rows that are new are computed.

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::SharedMatrix;
using attention::Stage;
using attention::network::Attention;
using attention::network::Block;
using attention::network::CellOverride;
using attention::network::Continuation;
using attention::network::Interventions;
using attention::network::LayerId;
using attention::network::Linear;
using attention::network::Network;
using attention::network::NetworkEvaluator;
using attention::network::NetworkTrace;
using attention::network::StoredMatrix;
using attention::network::StreamOverride;
using attention::network::Sublayer;
using attention::network::Tokens;

constexpr double kAllowedOfContinuation = 1e-5;  // of the largest logit
constexpr Index kFirstTokens = 5, kMostTokensRead = 40;

RowVector logits_of_whole_pass(const Network& network, const Tokens& tokens,
                               const Interventions& interventions) {
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, tokens, interventions);
  return attention::network::logits(network, trace.stack.final.bottomRows(1), evaluator.pool())
      .row(0);
}

double logit_difference(const RowVector& found, const RowVector& expected) {
  return (found - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

Model opened_below(const std::string& name) {
  return opened_model(std::string(GOLDEN_MODELS) + "/" + name);
}

// Every family, and weights that are quantised, or that an adapter adds to.
std::vector<std::string> models_that_answer() {
  std::vector<std::string> names = golden_models();
  for (const std::string folder : {"adapters", "quantised"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(GOLDEN_MODELS) + "/" + folder))
      names.push_back(folder + "/" + entry.path().filename().string());
  for (const char* const file : {"llama", "gemma4", "gpt-oss", "deepseek-v3", "quantised-experts"})
    names.push_back("gguf/" + std::string(file) + ".gguf");
  std::erase_if(names, [](const std::string& name) {
    return !opened_below(name).network.read_out.has_value();
  });
  std::ranges::sort(names);
  return names;
}

std::string name_of_continued(const ::testing::TestParamInfo<std::string>& model) {
  std::string name = model.param;
  std::ranges::replace_if(
      name, [](char c) { return c == '-' || c == '/' || c == '.'; }, '_');
  return name;
}

class ContinuedText : public ::testing::TestWithParam<std::string> {
 protected:
  // The first `n` of the tokens.
  Tokens beginning(Index n) const {
    Tokens tokens = all_;
    tokens.ids.resize(static_cast<std::size_t>(n));
    return tokens;
  }
  LayerId last_layer() const {
    return {Sublayer::kSelf, attending_layers(model_.network, Sublayer::kSelf).back()};
  }
  // It is that of others' keys where layers share them.
  LayerId last_layer_with_keys() const {
    LayerId last = first_layer();
    for (const Index layer : attending_layers(model_.network, Sublayer::kSelf))
      if (const LayerId at{Sublayer::kSelf, layer}; !find_attention(model_.network, at)->key_layer)
        last = at;
    return last;
  }
  LayerId first_layer() const {
    return {Sublayer::kSelf, attending_layers(model_.network, Sublayer::kSelf).front()};
  }
  // A muted head, a halved one, and numbers of the stream and of stages in rows of the beginning
  // and further on.
  Interventions edits(Index n) const {
    Interventions all;
    all.gains = {{first_layer(), 1, 0}, {last_layer(), 0, 0.5f}};
    all.stream = {{{Sublayer::kSelf, 1}, 2, 3, 1.5f}, {{Sublayer::kSelf, 0}, 12, 1, -0.7f}};
    all.overrides = {{first_layer(), {Stage::kV, 0, 1, 0, 2}},
                     {last_layer_with_keys(), {Stage::kK, 0, 3, 1, -1.5f}},
                     {first_layer(), {Stage::kScaledScores, 0, 4, 2, 3}},
                     {last_layer(), {Stage::kWeights, 0, 9, 4, 0.8f}},
                     {first_layer(), {Stage::kOutput, 0, 14, 2, 0.4f}}};
    std::erase_if(all.stream, [n](const StreamOverride& one) { return one.row >= n; });
    std::erase_if(all.overrides, [n](const CellOverride& one) { return one.cell.row >= n; });
    return all;
  }
  bool sees_later_tokens() const { return !find_attention(model_.network, first_layer())->causal; }
  // True when rotary positions depend on how long the text is.
  bool rotates_by_length() const {
    return std::ranges::any_of(model_.network.stack.blocks, [](const Block& block) {
      return block.attention.rotary && block.attention.rotary->long_texts;
    });
  }

  const Model model_ = opened_below(GetParam());
  const Tokens all_ = random_tokens(model_, kMostTokensRead, 8, 3);
};

TEST_P(ContinuedText, HasTheLogitsOfAWholePassWithEditsInForce) {
  Continuation continuation;
  double largest = 0;
  for (Index n = kFirstTokens; n <= kMostTokensRead; n += n % 7 == 0 ? 2 : 1) {
    const Tokens tokens = beginning(n);
    const Interventions interventions = edits(n);
    const RowVector found = continuation.logits(model_.network, tokens, interventions);
    largest = std::max(largest, logit_difference(found, logits_of_whole_pass(model_.network, tokens,
                                                                             interventions)));
    const Index added = n == kFirstTokens ? n : (n - 2) % 7 == 0 ? 2 : 1;
    if (sees_later_tokens()) {
      EXPECT_EQ(continuation.computed_rows(), n) << "each row sees the new token";
    } else if (!rotates_by_length()) {
      EXPECT_EQ(continuation.computed_rows(), added) << n;
    }
  }
  EXPECT_LE(largest, kAllowedOfContinuation);
  RecordProperty("error", std::to_string(largest * 1e6) + "e-6");
}

// What is kept is only used for rows that an edit leaves as they were.
TEST_P(ContinuedText, FollowsEveryEdit) {
  Continuation continuation;
  Network network = model_.network;
  Tokens tokens = beginning(11);
  Interventions interventions;
  const auto expect_right = [&](const char* after) {
    SCOPED_TRACE(after);
    const RowVector expected = logits_of_whole_pass(network, tokens, interventions);
    EXPECT_LE(logit_difference(continuation.logits(network, tokens, interventions), expected),
              kAllowedOfContinuation);
    EXPECT_LE(logit_difference(continuation.logits(network, tokens, interventions), expected),
              kAllowedOfContinuation)
        << "again";
  };
  expect_right("the first text");
  tokens.ids[6] = tokens.ids[6] == 4 ? 5 : 4;
  expect_right("another token");
  tokens.ids.resize(8);
  expect_right("a shorter text");
  tokens.ids.push_back(7);
  interventions.overrides = {{first_layer(), {Stage::kMaskedScores, 0, 3, 7, 4}}};
  expect_right("an earlier query that sees a later key");
  tokens.ids.back() = 9;
  expect_right("another token that nothing earlier sees");
  tokens.ids[7] = tokens.ids[7] == 4 ? 5 : 4;
  expect_right("another token that an earlier query sees");
  interventions.gains = {{last_layer(), 0, 0}};
  expect_right("a muted head");
  interventions.stream = {{{Sublayer::kSelf, 1}, 5, 0, 2}};
  expect_right("a number of the stream");
  const Attention& attention = *find_attention(network, last_layer());
  interventions.patches = {{last_layer(), 0, Stage::kHeadOutput,
                            SharedMatrix(Matrix(Matrix::Constant(9, attention.d_v(), 0.3f)))}};
  expect_right("a patched head");
  interventions = {};
  expect_right("no edits");
  Linear& output = find_attention(network, first_layer())->output;
  output.W = StoredMatrix(SharedMatrix(Matrix(1.5f * output.W.values())));
  expect_right("other weights");
  network = with_adapter_gain(network, 0.25f);
  expect_right("another part of an adapter");
  interventions.overrides = {{last_layer_with_keys(), {Stage::kV, 0, 4, 1, 2}}};
  expect_right("a value of an earlier row");
  if (!network.encoder) return;
  tokens.encoder_ids[2] = tokens.encoder_ids[2] == 4 ? 5 : 4;
  expect_right("another text of the encoder");
  interventions.gains = {{{Sublayer::kEncoder, 0}, 1, 0}};
  expect_right("a muted head of the encoder");
  interventions.overrides = {{{Sublayer::kCross, 0}, {Stage::kV, 0, 2, 1, 3}}};
  expect_right("a value of cross-attention");
}

INSTANTIATE_TEST_SUITE_P(Every, ContinuedText, ::testing::ValuesIn(models_that_answer()),
                         name_of_continued);

// The angles of dynamic rotary positions change with the length, those of longrope once.
TEST(Continuation, ComputesAllRowsWherePositionsAreRotatedAnew) {
  const auto computed_at = [](const std::string& name, Index n) {
    const Model model = opened_golden(name);
    Tokens tokens = random_tokens(model, n, 1, 3);
    Continuation continuation;
    const auto last = tokens.ids.back();
    tokens.ids.pop_back();
    continuation.logits(model.network, tokens);
    tokens.ids.push_back(last);
    continuation.logits(model.network, tokens);
    return continuation.computed_rows();
  };
  EXPECT_EQ(computed_at("llama-dynamic", 32), 1);
  EXPECT_EQ(computed_at("llama-dynamic", 33), 33);
  EXPECT_EQ(computed_at("llama-dynamic", 36), 36);
  EXPECT_EQ(computed_at("phi3-longrope", 32), 1);
  EXPECT_EQ(computed_at("phi3-longrope", 33), 33);
  EXPECT_EQ(computed_at("phi3-longrope", 36), 1);
}

TEST(Continuation, ForgetsWhatAStoppedCallLeft) {
  const Model model = opened_golden("llama");
  Tokens tokens = random_tokens(model, 9, 1, 3);
  Continuation continuation;
  continuation.logits(model.network, tokens);
  tokens.ids.push_back(5);
  attention::WorkWatch watch;
  watch.stop();
  EXPECT_THROW(continuation.logits(model.network, tokens, {}, &watch), attention::WorkStopped);
  EXPECT_LE(logit_difference(continuation.logits(model.network, tokens),
                             logits_of_whole_pass(model.network, tokens, {})),
            kAllowedOfContinuation);
  tokens.ids.push_back(37);
  EXPECT_THROW(continuation.logits(model.network, tokens), std::invalid_argument);
}

}  // namespace
}  // namespace lab
