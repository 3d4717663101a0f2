// What the window shows of a trained model, computed in the background.

#include "app/document/analysis/model_analysis.h"

#include <gmock/gmock.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "app/document/analysis/answer_sweep.h"
#include "app/tests/rooms.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_network.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::network::Answer;
using attention::network::Interventions;
using attention::network::Network;
using attention::network::NetworkEvaluator;
using attention::network::NetworkTrace;
using attention::network::Sublayer;
using attention::test::all_near;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Ids = std::vector<std::uint32_t>;

const Ids kText = {3, 1, 4, 1, 5, 9, 2, 6};
const Ids kOther = {2, 7, 1, 8, 2, 8, 1, 8};

// Enough heads for a knock-out map of several steps.
Network several_layers() {
  attention::PortableRandom random(17);
  attention::test::NetworkSizes sizes;
  sizes.layers = 12, sizes.heads = sizes.kv_heads = 16, sizes.head_dim = 2;
  return random_network(sizes, random);
}

AnalysedModel analysed(const Network& network, const Ids& ids,
                       const Interventions& interventions = {}) {
  auto source = std::make_shared<ModelSource>();
  source->folder = "random";
  source->max_positions = 12;
  source->network = network;
  const ModelDocument document{.source = source,
                               .text = {std::nullopt, ids},
                               .decoder_text = {},
                               .network = network,
                               .interventions = interventions};
  NetworkEvaluator evaluator;
  return {std::make_shared<const ModelDocument>(document),
          std::make_shared<const NetworkTrace>(
              evaluator.evaluate(network, tokens_of(document), interventions))};
}

AnalysisRequest everything(Index row) {
  AnalysisRequest requested;
  requested.row = row;
  requested.predictions = requested.lens = requested.masked = requested.entropies =
      requested.direct = true;
  requested.labels = requested.knock_out = requested.lens_of_all_rows = true;
  return requested;
}

// An analysis as a window has it.
struct Bench {
  std::mutex mutex;
  std::condition_variable changed;
  int ready = 0;
  ModelAnalysis analysis{2, [this] {
                           const std::scoped_lock lock(mutex);
                           ++ready;
                           changed.notify_all();
                         }};

  // The result once nothing is left to compute.
  std::shared_ptr<const AnalysisResult> finished(const AnalysedModel& model,
                                                 const AnalysisRequest& requested) {
    analysis.request(model, requested);
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return !analysis.result()->busy; });
    return analysis.result();
  }
};

RowVector logits_at(const AnalysedModel& model, Index row) {
  attention::ThreadPool pool(1);
  return attention::network::logits(model.document->network, model.trace->stack.final.row(row),
                                    pool);
}

Matrix map_of(const AnalysedModel& model, const Answer& answer) {
  return knock_out_map(model.document->network, tokens_of(*model.document),
                       model.document->interventions, answer, 1);
}

TEST(ModelAnalysis, GivesThePredictionsOfARow) {
  const AnalysedModel model = analysed(several_layers(), kText);
  AnalysisRequest requested;
  requested.row = 5;
  requested.predictions = true;
  requested.pinned = {7, 2, 99};
  Bench bench;
  const auto result = bench.finished(model, requested);
  ASSERT_TRUE(result->predictions.value);
  EXPECT_TRUE(result->predictions.current);
  const RowPredictions& found = *result->predictions.value;
  const RowVector logits = logits_at(model, 5);
  const auto top = most_probable(logits, 10);
  ASSERT_EQ(found.top.size(), 10U);
  double total = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(found.top[i].id, top[i].id);
    EXPECT_NEAR(found.top[i].probability, top[i].probability, 1e-5);
    total += static_cast<double>(top[i].probability);
  }
  EXPECT_NEAR(found.top_probability, total, 1e-5);
  ASSERT_EQ(found.pinned.size(), 2U) << "there is no token 99";
  EXPECT_EQ(found.pinned[0].id, 7U);
  EXPECT_NEAR(found.pinned[1].logit, logits(2), 1e-4);
  EXPECT_EQ(result->answer.value->token.prediction.id, top[0].id) << "the likeliest";
  EXPECT_FALSE(result->knock_out.value) << "nobody asked for it";
}

TEST(ModelAnalysis, GivesTheNumbersOfTheFunctions) {
  const Interventions interventions{.gains = {{{Sublayer::kSelf, 3}, 2, 0.5f}}};
  const AnalysedModel model = analysed(several_layers(), kText, interventions);
  const AnalysedModel other = analysed(model.document->network, kOther, interventions);
  AnalysisRequest requested = everything(5);
  const Answer answer{6, 4, 9};
  requested.answer = answer;
  requested.patch_from = other;
  Bench bench;
  const auto result = bench.finished(model, requested);
  attention::ThreadPool pool(1);
  const Network& network = model.document->network;

  EXPECT_EQ(result->answer.value->answer(), answer);
  EXPECT_NEAR(result->answer.value->logit(), logit_of(answer, logits_at(model, 6)), 1e-4);
  EXPECT_EQ(result->knock_out.value->maps[0].values, map_of(model, answer));
  EXPECT_EQ(result->patching.value->maps[0].values,
            patching_map(network, tokens_of(*model.document), interventions, answer,
                         {*other.trace, interventions}, Sublayer::kSelf, 1));
  const auto direct = attribute_logit(network, *model.trace, interventions, answer, pool);
  EXPECT_EQ(result->direct.value->parts.heads, direct.heads);
  EXPECT_EQ(result->direct.value->parts.logit, direct.logit);

  const Matrix lens = logit_lens(network, *model.trace, 5, pool);
  ASSERT_EQ(result->lens.value->lines.size(), 13U);
  for (std::size_t layer = 0; layer < 13; ++layer) {
    const RowVector logits = lens.row(static_cast<Index>(layer));
    const LensLine& line = result->lens.value->lines[layer];
    EXPECT_EQ(line.top.id, likeliest(logits).id);
    EXPECT_NEAR(line.answer.token.prediction.probability, prediction_of(logits, 4).probability,
                1e-6);
  }
  const LensGrid& grid = *result->lens_of_all_rows.value;
  ASSERT_EQ(grid.known_layers(), 13);
  for (Index row = 0; row < 8; ++row) {
    const Matrix all = logit_lens(network, *model.trace, row, pool);
    for (Index layer = 0; layer < 13; ++layer) {
      EXPECT_EQ(grid.at(layer, row).id, likeliest(RowVector(all.row(layer))).id);
      EXPECT_NEAR(grid.at(layer, row).logit, all.row(layer).maxCoeff(), 1e-4);
    }
  }
  const LabelledHeads labels = labelled_heads(*model.document, 1);
  ASSERT_EQ(result->labels.value->heads.size(), labels.heads.size());
  EXPECT_EQ(result->labels.value->heads[20].scores.previous, labels.heads[20].scores.previous);
  EXPECT_EQ(result->entropies.value->front().values.rows(), 12);
  EXPECT_NEAR(result->masked.value->front().top[0].logit, logits_at(model, 7).maxCoeff(), 1e-4);
  EXPECT_EQ(result->masked.value->front().row, 7);
}

TEST(ModelAnalysis, AnEntropyIsThatOfUniformWeights) {
  attention::PortableRandom random(5);
  Network network = attention::test::random_network({}, random);
  for (auto& block : network.stack.blocks) block.attention.score_factor = 0;
  AnalysisRequest requested;
  requested.entropies = true;
  Bench bench;
  const auto result = bench.finished(analysed(network, kText), requested);
  double mean = 0;  // row i attends to i + 1 keys alike
  for (int keys = 1; keys <= 8; ++keys) mean += std::log(keys) / 8;
  EXPECT_TRUE(all_near(result->entropies.value->front().values,
                       Matrix(Matrix::Constant(3, 4, static_cast<float>(mean))), 1e-5));
}

TEST(ModelAnalysis, TheSameRequestChangesNothing) {
  const AnalysedModel model = analysed(several_layers(), kText);
  Bench bench;
  const auto result = bench.finished(model, everything(5));
  bench.analysis.request(model, everything(5));
  EXPECT_EQ(bench.analysis.result(), result);
}

TEST(ModelAnalysis, KeepsWhatDoesNotDependOnWhatChanged) {
  const AnalysedModel model = analysed(several_layers(), kText);
  Bench bench;
  AnalysisRequest requested = everything(5);
  const auto first = bench.finished(model, requested);
  requested.pinned = {3};
  bench.analysis.request(model, requested);
  EXPECT_TRUE(bench.analysis.result()->knock_out.current);
  EXPECT_FALSE(bench.analysis.result()->predictions.current && bench.analysis.result()->busy);
  const auto second = bench.finished(model, requested);
  EXPECT_EQ(second->knock_out.value, first->knock_out.value);
  EXPECT_THAT(second->predictions.value->pinned, testing::SizeIs(1));

  requested.answer = first->answer.value->answer();  // that which was the likeliest
  const auto third = bench.finished(model, requested);
  EXPECT_EQ(third->knock_out.value, first->knock_out.value);

  const AnalysedModel longer = analysed(model.document->network, kOther);
  const auto fourth = bench.finished(longer, requested);
  EXPECT_EQ(fourth->labels.value, first->labels.value) << "no text changes them";
  EXPECT_NE(fourth->knock_out.value, first->knock_out.value);
  EXPECT_EQ(fourth->knock_out.document, longer.document);
}

TEST(ModelAnalysis, SaysWhatIsOfAnEarlierState) {
  const AnalysedModel model = analysed(several_layers(), kText);
  const AnalysedModel changed = analysed(model.document->network, kOther);
  Bench bench;
  const auto first = bench.finished(model, everything(5));
  bench.analysis.request({}, {});  // a window without a model
  const auto none = bench.finished({}, {});
  EXPECT_FALSE(none->knock_out.current);
  EXPECT_EQ(none->knock_out.value, first->knock_out.value);
  AnalysisRequest cheap;
  cheap.row = 5;
  cheap.predictions = true;
  const auto second = bench.finished(changed, cheap);
  EXPECT_TRUE(second->predictions.current);
  EXPECT_FALSE(second->knock_out.current);
  EXPECT_EQ(second->knock_out.document, model.document);
}

// The first half of a map is there when another row is asked for.
TEST(ModelAnalysis, PredictionsDoNotWaitForAMapWhichGoesOn) {
  const AnalysedModel model = analysed(several_layers(), kText);
  AnalysisRequest requested = everything(5);
  requested.answer = Answer{6, 4};
  AnalysisRequest next = requested;
  next.row = 2;
  std::atomic<ModelAnalysis*> analysis = nullptr;
  std::atomic<bool> done = false;
  bool asked = false;                // of the background thread
  double before = 0, meanwhile = 0;  // of the map
  ModelAnalysis made(1, [&] {
    ModelAnalysis* const here = analysis;
    if (here == nullptr) return;
    const auto result = here->result();
    if (!asked && result->knock_out.progress > 0 && result->knock_out.progress < 1) {
      asked = true;
      before = result->knock_out.progress;
      here->request(model, next);
      EXPECT_TRUE(here->result()->knock_out.current);
    }
    if (asked && meanwhile == 0 && result->predictions.current &&
        result->predictions.value->row == 2)
      meanwhile = result->knock_out.progress;
    done = asked && !result->busy;
    done.notify_all();
  });
  analysis = &made;
  made.request(model, requested);
  done.wait(false);
  EXPECT_GT(before, 0);
  EXPECT_EQ(meanwhile, before) << "predictions come before the next heads";
  EXPECT_EQ(made.result()->knock_out.value->maps[0].values, map_of(model, {6, 4}));
}

TEST(ModelAnalysis, TheNewestRequestWins) {
  const AnalysedModel model = analysed(several_layers(), kText);
  Bench bench;
  for (std::uint32_t token = 0; token < 8; ++token) {
    AnalysisRequest requested = everything(4);
    requested.answer = Answer{6, token};
    bench.analysis.request(model, requested);
  }
  AnalysisRequest last = everything(3);
  last.answer = Answer{6, 9};
  const auto result = bench.finished(model, last);
  EXPECT_TRUE(result->knock_out.current);
  EXPECT_EQ(result->knock_out.value->answer.token.prediction.id, 9U);
  EXPECT_EQ(result->knock_out.value->maps[0].values, map_of(model, {6, 9}));
  EXPECT_EQ(result->predictions.value->row, 3);
}

TEST(ModelAnalysis, EndsWhileItIsBusyAndCallsNobodyAfterwards) {
  const AnalysedModel model = analysed(several_layers(), kText);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> calls = 0;
    {
      ModelAnalysis analysis(2, [&] { ++calls; });
      analysis.request(model, everything(5));
      while (calls < round % 5) std::this_thread::yield();
    }
    const int then = calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(calls, then);
  }
}

TEST(ModelAnalysis, SaysForEachPartWhyThereAreNoNumbers) {
  Network capped = several_layers();
  capped.read_out->cap = 30;
  Bench bench;
  const auto of_capped = bench.finished(analysed(capped, kText), everything(5));
  EXPECT_TRUE(of_capped->direct.current);
  EXPECT_FALSE(of_capped->direct.value);
  EXPECT_THAT(of_capped->direct.error, HasSubstr("not a sum of its heads"));
  EXPECT_TRUE(of_capped->knock_out.value);
  EXPECT_THAT(of_capped->knock_out.error, IsEmpty());

  Network mute = several_layers();
  mute.read_out.reset();
  const auto of_mute = bench.finished(analysed(mute, kText), everything(5));
  EXPECT_THAT(of_mute->predictions.error, HasSubstr("without a read-out"));
  EXPECT_THAT(of_mute->knock_out.error, HasSubstr("without a read-out"));
  EXPECT_TRUE(of_mute->entropies.value && of_mute->entropies.current);

  const AnalysedModel model = analysed(several_layers(), kText);
  const auto far = bench.finished(model, everything(8));
  EXPECT_THAT(far->predictions.error, HasSubstr("no row 8; the text has 8"));
  AnalysisRequest requested = everything(5);
  requested.answer = Answer{6, 77};
  EXPECT_THAT(bench.finished(model, requested)->knock_out.error, HasSubstr("no token 77"));
  requested.answer = Answer{6, 4};
  requested.patch_from = analysed(model.document->network, {1, 2});
  const auto patched = bench.finished(model, requested);
  EXPECT_THAT(patched->patching.error, HasSubstr("8 and 2 tokens"));
  EXPECT_TRUE(patched->knock_out.value);
}

}  // namespace
}  // namespace lab
