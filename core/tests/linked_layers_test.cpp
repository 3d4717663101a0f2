// Layers that use the keys and values of an earlier one, and what the embedding gives to each
// layer.
#include <gmock/gmock.h>

#include "core/gradient/network_gradient.h"
#include "core/layer/evaluator.h"
#include "core/network/absorb_layer.h"
#include "core/network/head_sweep.h"
#include "core/network/layer_matrix.h"
#include "core/network/layer_problem.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_network.h"

namespace attention::test {
namespace {

using network::absorb_layer;
using network::Answer;
using network::EditedNetwork;
using network::Interventions;
using network::LayerId;
using network::Network;
using network::NetworkEvaluator;
using network::NetworkGradient;
using network::NetworkTrace;
using network::StoredMatrix;
using network::Sublayer;
using network::Tokens;
using ::testing::HasSubstr;

const Tokens kLinkedText{{3, 1, 4, 1, 5, 9, 2, 6}, {}, {}};
const LayerId kKeyLayer{Sublayer::kSelf, 1}, kUser{Sublayer::kSelf, 2};

Network linked_network() {
  PortableRandom random(41);
  return random_linked_network({}, random);
}

Network with_moved_weight(Network network, MatrixId id, float by) {
  network::Attention& attention = *find_attention(network, kKeyLayer);
  Matrix values = layer_matrix_values(attention, id, 1);
  values(3, 2) += by;
  set_layer_matrix(attention, id, 1, values);
  return network;
}

double linked_logit(const Network& network, const Interventions& interventions = {}) {
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kLinkedText, interventions);
  return logits(network, trace.stack.final.row(6), evaluator.pool())(0, 3);
}

// By double precision, from the definition: rows of the stream, projected and normalised.
TEST(LinkedLayers, AreShownWithTheKeysOfTheLayerThatMakesThem) {
  const Network network = linked_network();
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kLinkedText);
  const Problem maker = layer_problem(network, trace, {}, kKeyLayer, evaluator.pool());
  const Problem user = layer_problem(network, trace, {}, kUser, evaluator.pool());
  EXPECT_EQ(user.key_layer, 1);
  EXPECT_TRUE(user.cross());
  EXPECT_FALSE(user.has_second_text());
  EXPECT_TRUE(all_identical(*user.embedding_kv, *maker.embedding));
  EXPECT_FALSE(all_near(*user.embedding, *maker.embedding, 1e-2));
  Evaluator of_maker, of_user;
  const Trace& made = of_maker.evaluate(maker);
  const Trace& used = of_user.evaluate(user);
  for (std::size_t head = 0; head < 4; ++head) {
    EXPECT_TRUE(all_identical(*used.heads[head].rotated_K, *made.heads[head].rotated_K));
    EXPECT_TRUE(all_identical(*used.heads[head].normed_V, *made.heads[head].normed_V));
    for (Index row = 0; row < 8; ++row)
      EXPECT_NEAR(made.heads[head].normed_V->row(row).squaredNorm() / 6, 1, 1e-4);
    EXPECT_TRUE(all_near(*used.heads[head].weights,
                         Matrix(trace.stack.head_weights(2, static_cast<Index>(head))), 1e-6));
  }
}

// What is computed again after an edit is what is computed at once.
TEST(LinkedLayers, FollowEditsOfTheLayerWhoseKeysTheyUse) {
  const Network network = linked_network();
  NetworkEvaluator evaluator;
  const Matrix before = evaluator.evaluate(network, kLinkedText).stack.head_weights(2, 1);
  const Network edited = with_moved_weight(network, MatrixId::kWK, 0.5f);
  Interventions overridden;
  overridden.overrides = {{kKeyLayer, {Stage::kV, 2, 4, 1, 3.0f}},
                          {kKeyLayer, {Stage::kRotatedK, 2, 5, 0, 2.5f}}};
  for (const auto& [changed, interventions] :
       {std::pair(edited, Interventions()), std::pair(network, overridden)}) {
    evaluator.evaluate(network, kLinkedText);
    const NetworkTrace& found = evaluator.evaluate(changed, kLinkedText, interventions);
    NetworkEvaluator fresh;
    const NetworkTrace& expected = fresh.evaluate(changed, kLinkedText, interventions);
    EXPECT_TRUE(all_near(found.stack.final, expected.stack.final, 1e-5));
    EXPECT_TRUE(all_near(*found.stack.blocks[2].weights, *expected.stack.blocks[2].weights, 1e-5));
    EXPECT_FALSE(all_near(Matrix(found.stack.head_weights(2, 2)), Matrix(before), 1e-3));
  }
  // The text from its fifth token on.
  Tokens other = kLinkedText;
  other.ids[4] = 7;
  evaluator.evaluate(network, kLinkedText);
  const NetworkTrace& found = evaluator.evaluate(network, other);
  EXPECT_EQ(evaluator.report().first_row, 4);
  NetworkEvaluator fresh;
  EXPECT_TRUE(all_near(found.stack.final, fresh.evaluate(network, other).stack.final, 1e-5));
}

std::string refused_edit(const Network& network, const Problem& shown, const Problem& edited) {
  try {
    absorb_layer({network, {}}, kUser, shown, edited);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(LinkedLayers, RefuseEditsOfKeysAndValuesWithTheNameOfTheirLayer) {
  const Network network = linked_network();
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kLinkedText);
  const Problem shown = layer_problem(network, trace, {}, kUser, evaluator.pool());
  for (const MatrixId id : {MatrixId::kWK, MatrixId::kWV, MatrixId::kBK, MatrixId::kNormK}) {
    Problem edited = shown;
    matrix_of(edited, id, 0).edit([](Matrix& values) { values(0, 1) += 1; });
    EXPECT_THAT(refused_edit(network, shown, edited),
                HasSubstr("is that of layer 1, whose keys and values this layer uses"))
        << matrix_name(id);
    EXPECT_EQ(layer_matrix_count(*find_attention(network, kUser), id), 0);
  }
  for (const Stage stage :
       {Stage::kK, Stage::kV, Stage::kNormedK, Stage::kNormedV, Stage::kRotatedK, Stage::kXKv}) {
    Problem edited = shown;
    edited.overrides = {{stage, 0, 2, 1, 1.5f}};
    EXPECT_THAT(refused_edit(network, shown, edited),
                HasSubstr("keys and values are those of layer 1"))
        << stage_name(stage);
    Interventions same;
    same.overrides = {{kUser, {stage, 0, 2, 1, 1.5f}}};
    EXPECT_THROW(evaluator.evaluate(network, kLinkedText, same), std::invalid_argument);
  }
  Problem edited = shown;
  edited.parameters.heads[1].W_Q.edit([](Matrix& values) { values(0, 1) += 1; });
  edited.overrides = {{Stage::kQ, 1, 2, 1, 1.5f}};
  const EditedNetwork absorbed = absorb_layer({network, {}}, kUser, shown, edited);
  EXPECT_EQ(absorbed.interventions.overrides.size(), 1u);
}

// Overrides of the other layer are seen here, and stay there.
TEST(LinkedLayers, ShowOverridesOfKeysThatAreMadeElsewhere) {
  const Network network = linked_network();
  Interventions interventions;
  interventions.overrides = {{kKeyLayer, {Stage::kK, 2, 4, 1, 3.0f}},
                             {kKeyLayer, {Stage::kX, 0, 3, 5, -2.0f}},
                             {kUser, {Stage::kQ, 1, 2, 1, 1.5f}}};
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kLinkedText, interventions);
  const Problem shown = layer_problem(network, trace, interventions, kUser, evaluator.pool());
  EXPECT_EQ(shown.overrides.size(), 3u);
  Problem cleared = shown;
  cleared.overrides.clear();
  const Interventions after =
      absorb_layer({network, interventions}, kUser, shown, cleared).interventions;
  EXPECT_EQ(after.overrides.size(), 2u) << "those of layer 1 stay";
  Problem fewer = shown;
  std::erase_if(fewer.overrides, [](const Override& one) { return one.stage == Stage::kK; });
  EXPECT_THAT(refused_edit(network, shown, fewer), HasSubstr("those of layer 1"));
}

// A quotient of differences, in a network whose layer 2 uses what layer 1 makes.
TEST(LinkedLayers, HandTheGradientOfKeysToTheLayerThatMakesThem) {
  const Network network = linked_network();
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kLinkedText);
  const NetworkGradient gradient =
      gradient_of_answer({network, {}, trace, evaluator.pool()}, {6, 3, {}});
  constexpr float kStep = 0.01f;
  for (const MatrixId id : {MatrixId::kWK, MatrixId::kWV}) {
    const double quotient = (linked_logit(with_moved_weight(network, id, kStep)) -
                             linked_logit(with_moved_weight(network, id, -kStep))) /
                            (2 * static_cast<double>(kStep));
    const auto& kv_heads = gradient.stack.blocks[1].attention.parameters.kv_heads;
    const Matrix& d = id == MatrixId::kWK ? kv_heads[1].W_K : kv_heads[1].W_V;
    EXPECT_NEAR(d(3, 2), quotient, 2e-3 * d.cwiseAbs().maxCoeff()) << matrix_name(id);
  }
  EXPECT_EQ(gradient.stack.blocks[2].attention.parameters.kv_heads[1].W_K.size(), 0);
  EXPECT_EQ(gradient.stack.blocks[2].attention.parameters.norm_K.size(), 0);
}

// A key of layer 2 is one of layer 1.
TEST(LinkedLayers, ReachTheLayerThatMakesTheirKeysFromAStage) {
  const Network network = linked_network();
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kLinkedText);
  const network::DifferentiatedPass pass{network, {}, trace, evaluator.pool()};
  const auto gradient_of = [&](const LayerId& at) {
    const Problem problem = layer_problem(network, trace, {}, at, evaluator.pool());
    return gradient_of_stage(pass, at, cell_seed(problem, Stage::kRotatedK, 0, 5, 2));
  };
  const NetworkGradient user = gradient_of(kUser), maker = gradient_of(kKeyLayer);
  EXPECT_TRUE(all_near(user.stack.blocks[1].attention.parameters.kv_heads[0].W_K,
                       maker.stack.blocks[1].attention.parameters.kv_heads[0].W_K, 1e-6));
  EXPECT_TRUE(all_near(user.stack.embedded, maker.stack.embedded, 1e-6));
}

// What the embedding gives moves the answer by the stream and by the inputs of each layer.
TEST(LinkedLayers, AreMovedByTheEmbeddingAlsoThroughTheirInputs) {
  const Network network = linked_network();
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kLinkedText);
  const NetworkGradient gradient =
      gradient_of_answer({network, {}, trace, evaluator.pool()}, {6, 3, {}});
  const auto moved = [&](float by) {
    Network other = network;
    Matrix tokens = other.stack.embedding.tokens.values();
    tokens(9, 4) += by;  // of one token of the text
    other.stack.embedding.tokens = StoredMatrix(SharedMatrix(std::move(tokens)));
    return linked_logit(other);
  };
  const double quotient = (moved(0.01f) - moved(-0.01f)) / 0.02;
  const Matrix& d = gradient.stack.embedded;
  EXPECT_NEAR(d(5, 4), quotient, 2e-3 * d.cwiseAbs().maxCoeff());
  EXPECT_GT(std::abs(d(5, 4) - gradient.stack.blocks[0].input(5, 4)), 1e-3 * std::abs(d(5, 4)));
}

TEST(LinkedLayers, HaveMapsOfKnockedOutHeadsThatAreEvaluations) {
  const Network network = linked_network();
  const Answer answer{6, 4, 9};
  const Matrix map = network::knock_out_map(network, kLinkedText, {}, answer, 1);
  const auto difference = [&](const Interventions& interventions) {
    NetworkEvaluator evaluator;
    const NetworkTrace& trace = evaluator.evaluate(network, kLinkedText, interventions);
    const Matrix all = logits(network, trace.stack.final.row(6), evaluator.pool());
    return all(0, 4) - all(0, 9);
  };
  for (Index layer = 0; layer < 3; ++layer)
    for (Index head = 0; head < 4; ++head) {
      Interventions muted;
      muted.gains = {{{Sublayer::kSelf, layer}, head, 0}};
      EXPECT_NEAR(map(layer, head), difference(muted) - difference({}), 1e-5);
    }
  NetworkEvaluator evaluator;
  EXPECT_THROW(attribute_logit(network, evaluator.evaluate(network, kLinkedText), {}, answer,
                               evaluator.pool()),
               std::invalid_argument);
}

TEST(LinkedLayers, AreRefusedWhereTheyDoNotFit) {
  const auto complaint = [](auto change) {
    Network network = linked_network();
    change(network.stack);
    try {
      validate(network);
      return std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  using network::Stack;
  EXPECT_EQ(complaint([](Stack&) {}), "");
  EXPECT_THAT(complaint([](Stack& s) { s.blocks[2].attention.key_layer = 2; }),
              HasSubstr("the keys and values of layer 2"));
  EXPECT_THAT(complaint([](Stack& s) { s.blocks[2].attention.key_layer = -1; }),
              HasSubstr("the keys and values of layer -1"));
  EXPECT_THAT(complaint([](Stack& s) { s.blocks[1].attention.rotary.reset(); }),
              HasSubstr("positions"));
  EXPECT_THAT(complaint([](Stack& s) { s.blocks[2].attention.n_kv_heads = 4; }),
              HasSubstr("another size"));
  EXPECT_THAT(complaint([](Stack& s) { s.embedding.layer_inputs.reset(); }),
              HasSubstr("gives nothing"));
  EXPECT_THAT(complaint([](Stack& s) { s.embedding.layer_inputs->layers = 4; }),
              HasSubstr("inputs of layers"));
  EXPECT_THAT(complaint([](Stack& s) { s.blocks[0].parallel = true; }), HasSubstr("parallel"));
}

}  // namespace
}  // namespace attention::test
