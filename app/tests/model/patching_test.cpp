// Heads patched from another text, in models with two stacks too.

#include <gmock/gmock.h>

#include "app/document/analysis/answer_sweep.h"
#include "app/tests/model/support.h"
#include "core/layer/evaluator.h"
#include "core/network/layer_problem.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;
using attention::Stage;
using attention::network::Answer;
using attention::network::Interventions;
using attention::network::LayerId;
using attention::network::NetworkEvaluator;
using attention::network::Sublayer;
using Ids = std::vector<std::uint32_t>;

const Answer kAnswer{2, 5, 9};

ModelDocument document_on(const std::shared_ptr<const Model>& model, const Ids& text,
                          const Ids& decoder) {
  const bool two = model->network.encoder.has_value();
  auto document =
      make_model_document(model, {std::nullopt, text}, {std::nullopt, two ? decoder : Ids()});
  EXPECT_TRUE(document) << document.error().message;
  return *document;
}

// The model on a text.
struct ModelRunOn {
  ModelDocument document;
  NetworkEvaluator evaluator = NetworkEvaluator(1);

  explicit ModelRunOn(ModelDocument read) : document(std::move(read)) {
    evaluator.evaluate(document.network, tokens_of(document), document.interventions);
  }
  ModelPass pass() { return {document, evaluator.trace(), evaluator.pool()}; }
};

float answer_with(const ModelDocument& document, const Interventions& interventions) {
  NetworkEvaluator evaluator;
  const auto& trace = evaluator.evaluate(document.network, tokens_of(document), interventions);
  return logit_of(kAnswer,
                  attention::network::logits(document.network, trace.stack.final.row(kAnswer.row),
                                             evaluator.pool())
                      .row(0));
}

SharedMatrix output_of_head(ModelRunOn& run, const LayerId& at, Index head) {
  attention::Evaluator alone;
  const auto& stages =
      alone.evaluate(layer_problem(run.document.network, run.evaluator.trace(),
                                   run.document.interventions, at, run.evaluator.pool()));
  return stages.heads[static_cast<std::size_t>(head)].head_output;
}

class Patching : public testing::TestWithParam<std::string> {};

TEST_P(Patching, IsWhatEachHeadPatchChanges) {
  const auto model = std::make_shared<const Model>(opened_golden(GetParam()));
  ModelRunOn target(document_on(model, {1, 5, 3, 2}, {3, 4, 7}));
  ModelRunOn source(*patch_source(target.document, {std::nullopt, {1, 8, 6, 2}}));
  const ModelPass from = source.pass();
  AnswerSweep sweep(target.pass(), kAnswer, &from);
  while (!sweep.done()) sweep.step();
  EXPECT_EQ(sweep.progress(), 1);
  const float default_value = answer_with(target.document, {});
  float largest = 0;
  for (const HeadMap& map : sweep.maps())
    for (Index i = 0; i < map.values.size(); ++i) {
      const LayerId at{map.sublayer, i / map.values.cols()};
      const Index head = i % map.values.cols();
      const Interventions patched{
          .patches = {{at, head, Stage::kHeadOutput, output_of_head(source, at, head)}}};
      const float change = answer_with(target.document, patched) - default_value;
      EXPECT_NEAR(map.values(at.layer, head), change,
                  1e-4 * std::max(1.0f, std::abs(default_value)))
          << static_cast<int>(at.sublayer) << ", " << at.layer << ", " << head;
      largest = std::max(largest, std::abs(change));
    }
  EXPECT_GT(largest, 1e-3) << "the texts differ";
  EXPECT_EQ(sweep.maps().size(), model->network.encoder ? 3U : 1U);
}

TEST_P(Patching, FromTheSameTextChangesNothing) {
  const auto model = std::make_shared<const Model>(opened_golden(GetParam()));
  ModelRunOn target(document_on(model, {1, 5, 3, 2}, {3, 4, 7}));
  const ModelPass pass = target.pass();
  AnswerSweep sweep(pass, kAnswer, &pass);
  while (!sweep.done()) sweep.step();
  for (const HeadMap& map : sweep.maps())
    EXPECT_LT(map.values.cwiseAbs().maxCoeff(), 1e-4) << static_cast<int>(map.sublayer);
}

INSTANTIATE_TEST_SUITE_P(Models, Patching,
                         testing::Values("bart", "t5", "marian", "bert", "gpt2", "gemma2", "llama",
                                         "gpt-neox"),
                         test_name);

}  // namespace
}  // namespace lab
