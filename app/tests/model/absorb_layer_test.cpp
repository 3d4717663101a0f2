#include "core/network/absorb_layer.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <utility>

#include "app/document/model/layer_name.h"
#include "app/tests/model/random_network_editor.h"
#include "app/tests/model/support.h"
#include "core/layer/evaluator.h"
#include "core/matrix_id.h"
#include "core/network/layer_problem.h"
#include "core/tests/matrix_compare.h"

// What is edited in a layer that is shown as a Problem becomes an edit of the network.

namespace lab {
namespace {

using attention::HeadMix;
using attention::Index;
using attention::Matrix;
using attention::MatrixInfo;
using attention::Override;
using attention::Problem;
using attention::SharedMatrix;
using attention::Stage;
using attention::Trace;
using namespace attention::network;
using attention::test::all_identical;
using attention::test::all_near;
using ::testing::HasSubstr;

constexpr int kLayerEdits = 300;

// Where a number of a layer's problem stands in the network, worked out from what HeadColumns says.
float& number_in(Network& network, const LayerId& at, attention::MatrixId id, Index head, Index row,
                 Index col, Matrix& values, StoredMatrix*& stored) {
  auto& attention = const_cast<Attention&>(*find_attention(network, at));
  const std::string name(matrix_name(id));
  const char type = name.back();
  Linear* linear = &attention.output;
  Index column = col;
  if (id == attention::MatrixId::kNormQ || id == attention::MatrixId::kNormK) {
    Norm& norm = type == 'Q' ? *attention.query_norm : *attention.key_norm;
    stored = &norm.weight;
    values = stored->empty() ? Matrix::Ones(1, attention.head_dim) : stored->values();
    if (std::exchange(norm.weight_plus_one, false)) values.array() += 1;
    return values(row, column);
  }
  if (id == attention::MatrixId::kSink) {
    stored = &attention.sinks;
    values = stored->values();
    return values(0, head);
  }
  if (type != 'O') {
    const HeadColumns& columns = type == 'Q'   ? attention.query
                                 : type == 'K' ? attention.key
                                               : attention.value;
    linear = &attention.projections[columns.projection];
    column += columns.of_head(head);
    // In latent attention keys and values read what stands after the part of the queries.
    const bool after = attention.latent && type != 'Q' && name.front() == 'W';
    if (after) row -= attention.projections[attention.query.projection].W.rows();
  }
  stored = name.front() == 'W' ? &linear->W : &linear->b;
  values = stored->empty() ? Matrix::Zero(1, linear->W.cols()) : stored->values();
  return values(row, column);
}

void set_number(Network& network, const LayerId& at, attention::MatrixId id, Index head, Index row,
                Index col, float value) {
  Matrix values;
  StoredMatrix* stored = nullptr;
  number_in(network, at, id, head, row, col, values, stored) = value;
  *stored = StoredMatrix(SharedMatrix(std::move(values)));
}

std::vector<Override> sorted(std::vector<Override> overrides) {
  std::ranges::sort(overrides, {},
                    [](const Override& o) { return std::tuple(o.stage, o.head, o.row, o.col); });
  return overrides;
}

std::vector<HeadMix> full_mix(const Problem& problem) {
  std::vector<HeadMix> mix = problem.head_mix;
  mix.resize(static_cast<std::size_t>(problem.config.n_heads));
  return mix;
}

// Equal bit for bit; an absent bias is one of zeros, and factors are ones.
void expect_same_problem(const Problem& found, const Problem& expected) {
  EXPECT_EQ(found.config, expected.config);
  EXPECT_TRUE(all_identical(*found.embedding, *expected.embedding));
  for (const MatrixInfo& info : attention::kMatrixInfos) {
    if (!is_parameter(info.id)) continue;
    const auto count = static_cast<int>(attention::matrix_count(expected.config, info.id));
    for (int head = 0; head < count; ++head) {
      Matrix a = *matrix_of(found, info.id, head), b = *matrix_of(expected, info.id, head);
      const float absent = attention::absent_value(info.id);
      if (a.size() == 0) a = Matrix::Constant(b.rows(), b.cols(), absent);
      if (b.size() == 0) b = Matrix::Constant(a.rows(), a.cols(), absent);
      EXPECT_TRUE(all_identical(a, b)) << info.name << " of head " << head;
    }
  }
  EXPECT_EQ(full_mix(found), full_mix(expected));
  EXPECT_EQ(sorted(found.overrides), sorted(expected.overrides));
}

// One random edit of a layer, done to the problem and, independently, to the network.
class RandomLayerEdit {
 public:
  RandomLayerEdit(std::mt19937& engine, const LayerId& at) : engine_(engine), at_(at) {}

  void operator()(Problem& problem, NetworkState& direct) {
    switch (below(4)) {
      case 0:
        return edit_mix(problem, direct);
      case 1:
        return edit_override(problem, direct);
      default:
        return edit_weight(problem, direct);
    }
  }

 private:
  int below(Index limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
  float number() { return std::normal_distribution<float>()(engine_); }

  void edit_weight(Problem& problem, NetworkState& direct) {
    using attention::MatrixId;
    constexpr MatrixId kIds[] = {MatrixId::kWQ,    MatrixId::kWK,    MatrixId::kWV,  MatrixId::kWO,
                                 MatrixId::kBQ,    MatrixId::kBK,    MatrixId::kBV,  MatrixId::kBO,
                                 MatrixId::kNormQ, MatrixId::kNormK, MatrixId::kSink};
    constexpr std::size_t kEverywhere = std::size(kIds) - 3;
    std::vector<MatrixId> ids(kIds, kIds + kEverywhere);
    if (problem.config.head_norm) ids.insert(ids.end(), {MatrixId::kNormQ, MatrixId::kNormK});
    if (problem.config.sink) ids.push_back(MatrixId::kSink);
    if (problem.key_layer)  // these are another layer's
      std::erase_if(ids, [](MatrixId id) { return is_per_kv_head(id) || id == MatrixId::kNormK; });
    const MatrixId id = ids[static_cast<std::size_t>(below(std::ssize(ids)))];
    const int head = below(static_cast<Index>(attention::matrix_count(problem.config, id)));
    SharedMatrix& matrix = matrix_of(problem, id, head);
    const attention::MatrixInfo& info = attention::matrix_info(id);
    Matrix values = matrix.empty() ? Matrix::Constant(axis_length(problem, info.rows),
                                                      axis_length(problem, info.cols),
                                                      attention::absent_value(id))
                                   : *matrix;
    int row = 0, col = 0;
    do row = below(values.rows()), col = below(values.cols());
    while (is_fixed(problem, id, row, col));
    values(row, col) = number();
    set_number(direct.network, at_, id, head, row, col, values(row, col));
    matrix = SharedMatrix(std::move(values));
  }

  void edit_mix(Problem& problem, NetworkState& direct) {
    problem.head_mix = full_mix(problem);
    const int head = below(problem.config.n_heads);
    HeadMix& mix = problem.head_mix[static_cast<std::size_t>(head)];
    if (below(2) == 0) mix.mute = !mix.mute;
    if (below(3) == 0) mix.solo = !mix.solo;
    mix.scale = below(3) == 0 ? 1 : number();
    auto& gains = direct.interventions.gains;
    std::erase_if(gains, [&](const HeadGain& g) { return g.at == at_ && g.head == head; });
    gains.push_back({at_, head, mix.scale, mix.mute, mix.solo});
  }

  Stage replaceable_stage(const Problem& problem) {
    Stage stage = Stage::kScores;
    do {
      stage = attention::kAllStages[static_cast<std::size_t>(below(attention::kStageCount))];
    } while (!refused_stage(stage, at_.sublayer).empty() || stage_shape(problem, stage).rows == 0 ||
             (problem.key_layer && has_key_rows(stage)));
    return stage;
  }

  void edit_override(Problem& problem, NetworkState& direct) {
    const Stage stage = replaceable_stage(problem);
    const attention::Shape shape = stage_shape(problem, stage);
    int head = is_per_head(stage) ? below(problem.config.n_heads) : 0;
    if (is_per_kv_head(stage)) head -= head % heads_per_kv_head(problem.config);
    const Override cell{stage, head, below(shape.rows), below(shape.cols), number()};
    const auto same = [&](const Override& o) {
      return o.stage == stage && o.head == cell.head && o.row == cell.row && o.col == cell.col;
    };
    std::erase_if(problem.overrides, same);
    std::erase_if(direct.interventions.overrides,
                  [&](const CellOverride& o) { return o.at == at_ && same(o.cell); });
    problem.overrides.push_back(cell);
    direct.interventions.overrides.push_back({at_, cell});
  }

  std::mt19937& engine_;
  LayerId at_;
};

// True when the layers of a model can be shown as problems.
bool can_be_shown(const std::string& name) {
  const Model model = opened_golden(name);
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(model.network, random_tokens(model, 2, 2, 1));
  try {
    layer_problem(model.network, trace, {}, all_layer_ids(model.network).front(), evaluator.pool());
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

std::vector<std::string> shown_models() {
  std::vector<std::string> names = golden_models();
  std::erase_if(names, [](const std::string& name) { return !can_be_shown(name); });
  return names;
}

class AbsorbedLayer : public ::testing::TestWithParam<std::string> {
 protected:
  const Model model_ = opened_golden(GetParam());
};

TEST_P(AbsorbedLayer, IsTheEditMadeInTheNetwork) {
  std::mt19937 engine(11);
  RandomNetworkEditor editor(model_, 5);
  const std::vector<LayerId> places = all_layer_ids(model_.network);
  for (int i = 0; i < kLayerEdits; ++i) {
    SCOPED_TRACE("edit " + std::to_string(i));
    editor.edit();
    const LayerId at = places[engine() % places.size()];
    NetworkState direct = editor.state();
    NetworkEvaluator evaluator;
    const NetworkTrace& trace =
        evaluator.evaluate(direct.network, direct.tokens, direct.interventions);
    const Problem shown =
        layer_problem(direct.network, trace, direct.interventions, at, evaluator.pool());
    Problem edited = shown;
    RandomLayerEdit edit(engine, at);
    for (int step = 0; step < 3; ++step) edit(edited, direct);
    const auto [network, interventions] =
        absorb_layer({editor.state().network, editor.state().interventions}, at, shown, edited);

    NetworkEvaluator one, two;
    const NetworkTrace& found = one.evaluate(network, direct.tokens, interventions);
    const NetworkTrace& expected =
        two.evaluate(direct.network, direct.tokens, direct.interventions);
    EXPECT_TRUE(all_identical(found.stack.final, expected.stack.final));
    expect_same_problem(layer_problem(network, found, interventions, at, one.pool()), edited);
    if (HasFailure()) return;
  }
}

TEST_P(AbsorbedLayer, HasTheWeightsThatTheEditedProblemHas) {
  std::mt19937 engine(3);
  const auto tokens = random_tokens(model_, 7, 6, 2);
  for (const LayerId& at : all_layer_ids(model_.network)) {
    NetworkEvaluator evaluator;
    const NetworkTrace& trace = evaluator.evaluate(model_.network, tokens);
    const Problem shown = layer_problem(model_.network, trace, {}, at, evaluator.pool());
    Problem edited = shown;
    NetworkState ignored{model_.network, tokens, {}};
    RandomLayerEdit edit(engine, at);
    for (int step = 0; step < 12; ++step) edit(edited, ignored);
    const auto [network, interventions] = absorb_layer({model_.network, {}}, at, shown, edited);
    const NetworkTrace& after = evaluator.evaluate(network, tokens, interventions);
    attention::Evaluator layer;
    const Trace& stages = layer.evaluate(edited);
    const Matrix& weights = weights_at(after, at);
    for (Index head = 0; head < edited.config.n_heads; ++head) {
      const Matrix& expected = *stages.heads[static_cast<std::size_t>(head)].weights;
      EXPECT_TRUE(all_near(Matrix(weights.middleRows(head * expected.rows(), expected.rows())),
                           expected, 1e-5))
          << "head " << head;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, AbsorbedLayer, ::testing::ValuesIn(shown_models()), test_name);

// What a change of a layer's problem is refused with.
std::string refusal(const std::function<void(Problem&)>& change, const std::string& name = "gpt2",
                    const LayerId& at = {}) {
  const Model model = opened_golden(name);
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(model.network, random_tokens(model, 4, 4, 1));
  const Problem shown = layer_problem(model.network, trace, {}, at, evaluator.pool());
  Problem edited = shown;
  change(edited);
  try {
    absorb_layer({model.network, {}}, at, shown, edited);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

SharedMatrix copy_of(const SharedMatrix& matrix) { return SharedMatrix(Matrix(*matrix)); }

TEST(AbsorbLayer, NamesWhatALayerOfAModelCannotHave) {
  EXPECT_EQ(refusal([](Problem&) {}), "");
  EXPECT_THAT(refusal([](Problem& p) { p.embedding = copy_of(p.embedding); }),
              HasSubstr("X of a model's layer"));
  EXPECT_THAT(refusal([](Problem& p) { p.embedding_kv = copy_of(p.embedding_kv); }, "t5",
                      {Sublayer::kCross, 0}),
              HasSubstr("X_kv of a model's layer"));
  EXPECT_THAT(refusal([](Problem& p) { p.config.mask.causal = false; }), HasSubstr("the mask"));
  EXPECT_THAT(refusal([](Problem& p) { p.allowed = SharedMatrix(Matrix::Ones(4, 4)); }),
              HasSubstr("the mask"));
  EXPECT_THAT(refusal([](Problem& p) { p.bias = SharedMatrix(Matrix::Ones(4, 4)); }),
              HasSubstr("score_bias"));
  EXPECT_THAT(refusal([](Problem& p) { p.parameters.beta = SharedMatrix(Matrix::Ones(1, 16)); }),
              HasSubstr("beta cannot be changed"));
  EXPECT_THAT(refusal([](Problem& p) { p.config.temperature = 2; }), HasSubstr("the scale"));
  EXPECT_THAT(refusal([](Problem& p) { p.config.residual = true; }), HasSubstr("the residual"));
  EXPECT_THAT(refusal([](Problem& p) { p.config.dropout_rate = 0.5f; }), HasSubstr("dropout"));
  EXPECT_THAT(refusal([](Problem& p) { p.config.positions = attention::Positions::kAlibi; }),
              HasSubstr("positions"));
  EXPECT_THAT(refusal([](Problem& p) {
                p.overrides = {{Stage::kResidual, 0, 0, 0, 1}};
              }),
              HasSubstr("residual cannot be overridden in a layer of a model: what is added"));
  EXPECT_THAT(refusal([](Problem& p) {
                p.overrides = {{Stage::kXKv, 0, 0, 0, 1}};
              }),
              HasSubstr("keys and values are computed from X"));
  EXPECT_THAT(refusal([](Problem& p) {
                p.overrides = {{Stage::kWeights, 0, 9, 0, 1}};
              }),
              HasSubstr("9"));
}

// Numbers around the part of X that a head reads are none of the model's.
TEST(AbsorbLayer, RefusesWhatLatentAttentionFixes) {
  const auto edit = [](const SharedMatrix& matrix, Index row, Index col) {
    Matrix values = *matrix;
    values(row, col) += 1;
    return SharedMatrix(std::move(values));
  };
  const auto of_keys = [&](Index row, Index col) {
    return refusal(
        [&](Problem& p) {
          auto& W_K = p.parameters.kv_heads[1].W_K;
          W_K = edit(W_K, row, col);
        },
        "deepseek-v3");
  };
  EXPECT_EQ(of_keys(7, 4), "");
  EXPECT_THAT(of_keys(6, 4), HasSubstr("W_K[6, 4] is 0 in latent attention"));
  EXPECT_THAT(of_keys(13, 6), HasSubstr("W_K[13, 6] is 1 in latent attention"));
  EXPECT_THAT(refusal([](Problem& p) { p.input_parts->query += 1; }, "deepseek-v3"),
              HasSubstr("what X consists of"));
}

TEST(AbsorbLayer, RefusesANormAndASinkThatTheModelDoesNotHave) {
  EXPECT_THAT(refusal([](Problem& p) {
                p.parameters.norm_Q = SharedMatrix(Matrix::Ones(1, p.config.d_k));
              }),
              HasSubstr("norm_Q cannot be changed"));
  EXPECT_THAT(
      refusal([](Problem& p) { p.parameters.heads[0].sink = SharedMatrix(Matrix::Ones(1, 1)); }),
      HasSubstr("sink cannot be changed"));
  EXPECT_THAT(refusal([](Problem& p) { p.config.sink = true; }), HasSubstr("sinks"));
}

TEST(AbsorbLayer, SharesTheMatricesThatWereNotEdited) {
  const Model model = opened_golden("llama");
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(model.network, random_tokens(model, 4, 4, 1));
  const LayerId at{Sublayer::kSelf, 1};
  const Problem shown = layer_problem(model.network, trace, {}, at, evaluator.pool());
  Problem edited = shown;
  edited.parameters.kv_heads[0].W_K.edit([](Matrix& W) { W(0, 0) += 1; });
  Network network = absorb_layer({model.network, {}}, at, shown, edited).network;
  EXPECT_FALSE(network == model.network);
  auto& attention = network.stack.blocks[1].attention;
  const auto& before = model.network.stack.blocks[1].attention;
  const std::size_t key = attention.key.projection;
  attention.projections[key].W = before.projections[key].W;
  EXPECT_EQ(network, model.network);
}

TEST(AbsorbLayer, KeepsAPatchUntilACellOfItIsNoLongerOverridden) {
  const Model model = opened_golden("gpt2");
  NetworkEvaluator evaluator;
  const LayerId at{Sublayer::kSelf, 1};
  const Interventions patched{
      .patches = {{at, 0, Stage::kWeights, SharedMatrix(Matrix::Constant(4, 4, 0.25f))}}};
  const NetworkTrace& trace =
      evaluator.evaluate(model.network, random_tokens(model, 4, 4, 1), patched);
  const Problem shown = layer_problem(model.network, trace, patched, at, evaluator.pool());
  Problem edited = shown;
  edited.overrides[5].value = 0.5f;
  const auto one = absorb_layer({model.network, patched}, at, shown, edited).interventions;
  EXPECT_EQ(one.patches, patched.patches);
  ASSERT_EQ(one.overrides.size(), 1U);
  EXPECT_EQ(one.overrides[0].cell, (Override{Stage::kWeights, 0, 1, 1, 0.5f}));
  edited.overrides.erase(edited.overrides.begin());
  const auto fewer = absorb_layer({model.network, patched}, at, shown, edited).interventions;
  EXPECT_TRUE(fewer.patches.empty());
  EXPECT_EQ(fewer.overrides.size(), 15U);
}

}  // namespace
}  // namespace lab
