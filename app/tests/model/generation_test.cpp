#include "app/document/analysis/generation.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "app/document/model/model_document.h"
#include "app/tests/model/support.h"

namespace lab {
namespace {

using attention::Index;
using attention::RowVector;
using attention::network::Continuation;
using attention::network::NetworkEvaluator;
using attention::network::Sublayer;
using attention::network::Tokens;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

RowVector some_logits(Index count) {
  RowVector logits(count);
  for (Index i = 0; i < count; ++i) logits(i) = 3 * std::sin(7.3f * static_cast<float>(i));
  return logits;
}

// What transformers' three warpers leave of the logits, written down as their definitions say it.
std::map<std::uint32_t, double> expected_choices(const RowVector& logits,
                                                 const Sampling& sampling) {
  std::vector<std::pair<double, std::uint32_t>> sorted;
  for (Index i = 0; i < logits.size(); ++i)
    sorted.emplace_back(logits(i) / sampling.temperature, static_cast<std::uint32_t>(i));
  std::ranges::sort(sorted, std::greater());
  if (sampling.top_k > 0 && sorted.size() > static_cast<std::size_t>(sampling.top_k))
    sorted.resize(static_cast<std::size_t>(sampling.top_k));
  const auto normalise = [&] {
    double sum = 0;
    for (const auto& [logit, id] : sorted) sum += std::exp(logit);
    return sum;
  };
  double sum = normalise(), above = 0;
  std::size_t kept = 0;
  for (const auto& [logit, id] : sorted) {
    if (above >= sampling.top_p) break;
    above += std::exp(logit) / sum;
    ++kept;
  }
  sorted.resize(kept);
  sum = normalise();
  std::map<std::uint32_t, double> shares;
  for (const auto& [logit, id] : sorted) shares[id] = std::exp(logit) / sum;
  return shares;
}

TEST(Choices, AreThoseOfTheDefinitions) {
  const RowVector logits = some_logits(40);
  for (const Sampling sampling :
       {Sampling{1, 0, 1}, Sampling{0.5, 0, 1}, Sampling{2, 5, 1}, Sampling{1, 0, 0.7},
        Sampling{0.8, 12, 0.9}, Sampling{1, 100, 0.001}, Sampling{50, 3, 1}}) {
    const auto expected = expected_choices(logits, sampling);
    const std::vector<Prediction> found = choices(logits, sampling);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_TRUE(expected.contains(found[i].id));
      EXPECT_NEAR(found[i].probability, expected.at(found[i].id), 1e-6);
      if (i == 0) continue;
      EXPECT_LE(found[i].probability, found[i - 1].probability);
    }
  }
}

TEST(Choices, AreTheLikeliestTokenAtTemperature0) {
  const std::vector<Prediction> found = choices(some_logits(40), {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, likeliest_token(some_logits(40)));
}

TEST(Sampling, IsRefusedWhereItMeansNothing) {
  EXPECT_TRUE(check(Sampling{}));
  for (const Sampling wrong : {Sampling{-1, 0, 1}, Sampling{NAN, 0, 1}, Sampling{1, -1, 1},
                               Sampling{1, 0, 0}, Sampling{1, 0, 1.5}, Sampling{1, 0, NAN}})
    EXPECT_FALSE(check(wrong));
}

// A document of a small checkpoint that reads `ids`.
ModelDocument document_of(const std::string& model, const std::vector<std::uint32_t>& ids) {
  auto source = std::make_shared<const Model>(opened_golden(model));
  ModelText text;
  text.ids = ids;
  auto document = make_model_document(source, text);
  if (!document) throw std::runtime_error(document.error().message);
  return std::move(*document);
}

std::vector<Prediction> generated(const ModelDocument& document, const Generation& generation,
                                  Continuation& continuation) {
  auto added = generate(document, continuation, generation);
  if (!added) throw std::runtime_error(added.error().message);
  return *added;
}

std::vector<std::uint32_t> ids_of(const std::vector<Prediction>& tokens) {
  std::vector<std::uint32_t> ids;
  for (const Prediction& token : tokens) ids.push_back(token.id);
  return ids;
}

std::vector<std::uint32_t> generated_ids(const ModelDocument& document,
                                         const Generation& generation) {
  Continuation continuation;
  return ids_of(generated(document, generation, continuation));
}

class GeneratedText : public ::testing::TestWithParam<const char*> {};

// Every token is the likeliest one that a new computation of all tokens before it gives.
TEST_P(GeneratedText, IsWhatTheModelExpectsStepByStep) {
  for (const float gain : {1.0f, 0.0f}) {
    ModelDocument document = document_of(GetParam(), {5, 9, 17});
    if (gain != 1) {
      const Index layer = attending_layers(document.network, Sublayer::kSelf).front();
      document.interventions.gains = {{.at = {.layer = layer}, .head = 1, .gain = gain}};
    }
    Continuation continuation;
    const auto added = generated(document, {.tokens = 12}, continuation);
    ASSERT_EQ(added.size(), 12u);
    Tokens tokens = tokens_of(document);
    for (const Prediction& token : added) {
      NetworkEvaluator fresh;
      const auto& trace = fresh.evaluate(document.network, tokens, document.interventions);
      const RowVector logits = attention::network::logits(
          document.network, trace.stack.final.bottomRows(1), fresh.pool());
      EXPECT_EQ(token.id, likeliest_token(logits));
      EXPECT_NEAR(token.probability, likeliest(logits).probability, 1e-5);
      tokens.ids.push_back(token.id);
    }
    EXPECT_EQ(continuation.computed_rows(), 1) << "of each token only its own row";
  }
}

INSTANTIATE_TEST_SUITE_P(Some, GeneratedText,
                         ::testing::Values("gpt2", "llama", "granite", "gemma3", "lfm2"));

TEST(Generation, DrawsTheSameTokensForTheSameSeed) {
  const ModelDocument document = document_of("gpt2", {5, 9, 17});
  const auto with_seed = [&](std::uint64_t seed) {
    return generated_ids(document, {.tokens = 20, .sampling = {.temperature = 3}, .seed = seed});
  };
  EXPECT_EQ(with_seed(1), with_seed(1));
  EXPECT_NE(with_seed(1), with_seed(2));
}

// Over many seeds each token comes as often as its probability says.
TEST(Generation, DrawsByTheProbabilities) {
  const ModelDocument document = document_of("gpt2", {5, 9, 17});
  const Sampling sampling{.temperature = 2, .top_k = 4};
  Continuation continuation;
  std::map<std::uint32_t, int> counts;
  constexpr int kTimes = 4000;
  for (int seed = 0; seed < kTimes; ++seed)
    ++counts[generated(
                 document,
                 {.tokens = 1, .sampling = sampling, .seed = static_cast<std::uint64_t>(seed)},
                 continuation)[0]
                 .id];
  NetworkEvaluator evaluator;
  evaluator.evaluate(document.network, tokens_of(document), {});
  const auto logits = logits_of_row({document, evaluator.trace(), evaluator.pool()}, 2);
  ASSERT_TRUE(logits);
  const std::vector<Prediction> expected = choices(*logits, sampling);
  EXPECT_EQ(counts.size(), 4u);
  for (const Prediction& token : expected) {
    const double mean = kTimes * static_cast<double>(token.probability);
    EXPECT_NEAR(counts[token.id], mean, 5 * std::sqrt(mean));
  }
}

TEST(Generation, EndsAfterAnEnd) {
  const ModelDocument document = document_of("gpt2", {5, 9, 17});
  const auto all = generated_ids(document, {.tokens = 10});
  const auto ended = generated_ids(document, {.tokens = 10, .ends = {all[2]}});
  const auto first = std::ranges::find(all, all[2]) - all.begin();
  EXPECT_EQ(ended, std::vector(all.begin(), all.begin() + first + 1));
}

TEST(Generation, StopsWhereThereAreNoMorePositions) {
  const ModelDocument document = document_of("gpt2", std::vector<std::uint32_t>(60, 4));
  EXPECT_EQ(generated_ids(document, {.tokens = 20}).size(), 5u) << "of 64 positions, and one after";
}

TEST(Generation, IsRefusedWhereItCannotGoOn) {
  Continuation continuation;
  const ModelDocument gaps = document_of("bert", {5, 9, 17});
  EXPECT_FALSE(generate(gaps, continuation, {}));
  ModelDocument patched = document_of("gpt2", {5, 9, 17});
  patched.interventions.patches.emplace_back();
  EXPECT_FALSE(generate(patched, continuation, {}));
}

}  // namespace
}  // namespace lab
