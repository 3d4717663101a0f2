#include <limits>

#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

constexpr Index kSeqLen = 5, kKvLen = 7;

using Variants = std::vector<Problem>;
using ConfigChange = void (*)(Config&);

// The small layer with some switches set and all biases; `kv_len` 0: self-attention.
Problem changed(PortableRandom& random, ConfigChange change, Index kv_len = 0) {
  Config config = variant_config();
  change(config);
  Problem problem = random_problem(config, kSeqLen, kv_len, random);
  add_biases(problem, random);
  return problem;
}

Problem with_positions(Positions positions, Index kv_len, PortableRandom& random) {
  Config config = variant_config();
  config.positions = positions;
  return random_problem(config, kSeqLen, kv_len, random);
}

Problem masked_variant(PortableRandom& random) {
  Problem problem = random_problem(variant_config(), kSeqLen, 0, random);
  problem.config.mask.causal = true;
  problem.allowed = SharedMatrix(random_mask(kSeqLen, kSeqLen, 0.7, random));
  problem.allowed.edit([](Matrix& allowed) { allowed.row(3).setZero(); });
  problem.bias = SharedMatrix(random_matrix(kSeqLen, kSeqLen, random));
  return problem;
}

Problem cross_variant(PortableRandom& random) {
  Problem problem = random_problem(variant_config(), 4, kKvLen, random);
  add_biases(problem, random);
  problem.bias = SharedMatrix(random_matrix(4, kKvLen, random));
  problem.bias.edit([](Matrix& bias) { bias(1, 2) = -std::numeric_limits<float>::infinity(); });
  return problem;
}

void add_plain_variants(Variants& variants, PortableRandom& random) {
  variants.push_back(random_problem(variant_config(), kSeqLen, 0, random));
  variants.push_back(masked_variant(random));
  variants.push_back(cross_variant(random));
  variants.push_back(changed(random, [](Config& c) { c.scale = false; }));
  variants.push_back(changed(random, [](Config& c) { c.temperature = 0.25f; }));
  variants.push_back(changed(random, [](Config& c) { c.biases = false; }));
}

void add_position_variants(Variants& variants, PortableRandom& random) {
  for (const Positions positions :
       {Positions::kSinusoidal, Positions::kLearned, Positions::kRotary, Positions::kAlibi}) {
    variants.push_back(with_positions(positions, 0, random));
    variants.push_back(with_positions(positions, kKvLen, random));
  }
  Problem two_tables = with_positions(Positions::kLearned, kKvLen, random);
  two_tables.position_table_kv = SharedMatrix(random_matrix(kKvLen, 6, random));
  variants.push_back(two_tables);
  variants.push_back(changed(random, [](Config& c) {
    c.positions = Positions::kRotary;
    c.rotary_pairs = RotaryPairs::kHalves;
    c.rotary_base = 50.0f;
  }));
  variants.push_back(changed(random, [](Config& c) {
    c.positions = Positions::kAlibi;
    c.n_heads = 4;
    c.mask.causal = true;
  }));
}

void add_mask_variants(Variants& variants, PortableRandom& random) {
  variants.push_back(changed(random, [](Config& c) { c.mask.causal = true; }));
  variants.push_back(changed(
      random, [](Config& c) { c.mask.key_count = 4; }, kKvLen));
  variants.push_back(changed(random, [](Config& c) { c.mask.window = 2; }));
  // The last query sees no key: those within its window are padding.
  variants.push_back(changed(random, [](Config& c) { c.mask = {true, 3, 2}; }));
}

void add_shared_head_variants(Variants& variants, PortableRandom& random) {
  variants.push_back(changed(random, [](Config& c) {
    c.n_heads = 4;
    c.n_kv_heads = 2;
  }));
  variants.push_back(changed(random, [](Config& c) {
    c.n_kv_heads = 1;
    c.positions = Positions::kRotary;
  }));
}

void add_output_variants(Variants& variants, PortableRandom& random) {
  variants.push_back(changed(random, [](Config& c) {
    c.dropout_rate = 0.4f;
    c.dropout_seed = 3;
  }));
  variants.push_back(changed(random, [](Config& c) {
    c.d_out = c.d_model;
    c.residual = true;
  }));
  variants.push_back(changed(random, [](Config& c) { c.layer_norm = true; }));
  variants.push_back(changed(
      random,
      [](Config& c) {
        c.d_out = c.d_model;
        c.residual = c.layer_norm = true;
        c.positions = Positions::kSinusoidal;
      },
      kKvLen));
  variants.back().parameters.gamma = {};
}

void add_mixed_variants(Variants& variants, PortableRandom& random) {
  Problem mute = random_problem(variant_config(), kSeqLen, 0, random);
  mute.head_mix = {{.scale = -0.5f}, {.mute = true}, {.scale = 2.0f}};
  variants.push_back(mute);
  Problem solo = changed(random, [](Config& c) { c.mask.causal = true; });
  solo.head_mix = {{}, {.solo = true, .scale = 1.5f}, {}};
  variants.push_back(solo);
}

// What only layers of trained networks have.
void add_trained_variants(Variants& variants, PortableRandom& random) {
  const auto rotary = [](Config& c) {
    c.positions = Positions::kRotary;
    c.rotary_pairs = RotaryPairs::kHalves;
  };
  Problem all_features = changed(random, rotary);
  all_features.rotary_frequencies = SharedMatrix(Matrix{{0.75f, 0.125f}});
  variants.push_back(all_features);
  Problem some_features = changed(random, rotary);
  some_features.rotary_frequencies = SharedMatrix(Matrix{{0.5f}});
  some_features.config.rotary_scale = 1.5f;
  variants.push_back(some_features);
  variants.push_back(changed(random, [](Config& c) { c.head_norm = true; }));
  Problem normed = changed(
      random,
      [](Config& c) {
        c.n_heads = 4;
        c.n_kv_heads = 2;
        c.head_norm = true;
        c.head_norm_epsilon = 0.01f;
        c.positions = Positions::kRotary;
      },
      kKvLen);
  normed.parameters.norm_K = {};
  normed.overrides = {{Stage::kNormedQ, 3, 1, 2, 0.5f}, {Stage::kNormedK, 2, 6, 0, -2.0f}};
  variants.push_back(normed);
  Problem joint = changed(random, [](Config& c) {
    c.n_heads = 4;
    c.n_kv_heads = 2;
    c.head_norm = c.head_norm_joint = true;
    c.positions = Positions::kRotary;
    c.mask.causal = true;
  });
  joint.overrides = {
      {Stage::kQ, 1, 1, 2, 1.5f}, {Stage::kK, 2, 3, 0, -2.0f}, {Stage::kNormedQ, 3, 2, 1, 0.5f}};
  variants.push_back(joint);
  Problem normed_values = changed(
      random,
      [](Config& c) {
        c.n_heads = 4;
        c.n_kv_heads = 2;
        c.value_norm = c.head_norm = true;
        c.mask.causal = true;
      },
      kKvLen);
  normed_values.overrides = {{Stage::kV, 2, 1, 1, 1.5f}, {Stage::kNormedV, 0, 2, 0, -2.0f}};
  variants.push_back(normed_values);
  Problem capped = changed(random, [](Config& c) {
    c.score_cap = 1.5f;
    c.mask.causal = true;
  });
  capped.overrides = {{Stage::kScaledScores, 1, 4, 2, 40.0f},
                      {Stage::kCappedScores, 2, 3, 1, -4.0f}};
  variants.push_back(capped);
  Problem head_bias = changed(random, [](Config& c) { c.mask.causal = true; });
  for (int head = 0; head < 3; ++head)
    head_bias.head_bias.emplace_back(random_matrix(kSeqLen, kSeqLen, random));
  variants.push_back(head_bias);
  Problem sinks = changed(random, [](Config& c) {
    c.sink = true;
    c.mask.causal = true;
    c.dropout_rate = 0.2f;
  });
  for (QueryParameters& head : sinks.parameters.heads) head.sink = {};
  sinks.overrides = {{Stage::kWeights, 0, 3, 1, 0.25f}, {Stage::kMaskedScores, 2, 1, 4, 1.5f}};
  variants.push_back(sinks);
  Problem nothing_but_the_sink = changed(random, [](Config& c) { c.sink = true; });
  nothing_but_the_sink.allowed = SharedMatrix(Matrix::Ones(kSeqLen, kSeqLen));
  nothing_but_the_sink.allowed.edit([](Matrix& values) { values.row(2).setZero(); });
  nothing_but_the_sink.parameters.heads[0].sink = SharedMatrix(Matrix{{90.0f}});
  nothing_but_the_sink.parameters.heads[2].sink = SharedMatrix(Matrix{{-90.0f}});
  variants.push_back(nothing_but_the_sink);
}

// Scores by distance, by the maps of Q and K and by maps of their own.
void add_distance_variants(Variants& variants) {
  PortableRandom random(914);
  Problem shared = changed(random, [](Config& c) { c.temperature = 1.5f; });
  shared.relative = random_relative(shared, true, true, random);
  variants.push_back(shared);
  shared.overrides = {{Stage::kContentToPosition, 1, 2, 3, 2.5f},
                      {Stage::kPositionToContent, 2, 4, 1, -1.5f},
                      {Stage::kSummedScores, 0, 3, 3, 4.0f},
                      {Stage::kQ, 1, 2, 1, 0.75f},
                      {Stage::kK, 0, 3, 2, -0.5f}};
  shared.config.mask.causal = true;
  variants.push_back(shared);
  Problem own = changed(
      random,
      [](Config& c) {
        c.n_heads = 4;
        c.n_kv_heads = 2;
        c.positions = Positions::kRotary;
        c.head_norm = true;
      },
      kKvLen);
  own.relative = random_relative(own, true, true, random);
  add_position_maps(own, random);
  variants.push_back(own);
  Problem one = changed(random, [](Config& c) { c.n_heads = c.n_kv_heads = 2; });
  one.relative = random_relative(one, false, true, random);
  variants.push_back(one);
  one.relative->content_to_position = true;
  one.relative->position_to_content = false;
  one.config.scale = false;
  variants.push_back(one);
}

// An override in most stages, each in a different cell.
void add_overridden_variants(Variants& variants, PortableRandom& random) {
  Problem late = changed(random, [](Config& c) { c.mask.causal = true; });
  late.overrides = {{Stage::kX, 0, 1, 1, 0.5f},
                    {Stage::kQ, 1, 2, 3, 1.5f},
                    {Stage::kScores, 0, 4, 1, 3.0f},
                    {Stage::kScaledScores, 2, 3, 3, -1.0f},
                    {Stage::kMaskedScores, 2, 1, 4, 0.5f},
                    {Stage::kWeights, 1, 3, 0, 0.75f},
                    {Stage::kHeadOutput, 2, 0, 2, 2.0f},
                    {Stage::kConcat, 0, 2, 8, -3.0f},
                    {Stage::kOutput, 0, 4, 4, 6.0f}};
  variants.push_back(late);
  Problem early = changed(random, [](Config& c) {
    c.n_heads = 4;
    c.n_kv_heads = 2;
    c.positions = Positions::kRotary;
  });
  early.overrides = {{Stage::kK, 2, 0, 1, -1.0f},
                     {Stage::kV, 0, 4, 2, 2.0f},
                     {Stage::kRotatedQ, 3, 1, 0, 0.5f},
                     {Stage::kRotatedK, 0, 3, 3, 1.0f}};
  variants.push_back(early);
  // Stages that are active only because of the override.
  Problem skipped = random_problem(variant_config(), kSeqLen, kKvLen, random);
  skipped.overrides = {{Stage::kXKv, 0, 6, 5, 1.0f},
                       {Stage::kRotatedK, 1, 2, 2, -1.0f},
                       {Stage::kNormedQ, 0, 2, 1, 0.5f},
                       {Stage::kNormedK, 2, 5, 3, 1.5f},
                       {Stage::kCappedScores, 1, 0, 3, 1.0f},
                       {Stage::kMaskedScores, 0, 1, 6, 2.0f},
                       {Stage::kDroppedWeights, 2, 0, 0, 0.0f},
                       {Stage::kResidual, 0, 3, 0, 4.0f},
                       {Stage::kLayerNorm, 0, 2, 4, -2.0f}};
  variants.push_back(skipped);
  Problem positions = with_positions(Positions::kLearned, kKvLen, random);
  positions.overrides = {{Stage::kPosition, 0, 2, 1, 1.5f}, {Stage::kPositionKv, 0, 6, 0, -1.0f}};
  variants.push_back(positions);
}

}  // namespace

Config variant_config() {
  Config config;
  config.d_model = 6;
  config.n_heads = 3;
  config.d_k = 4;
  config.d_v = 3;
  config.d_out = 5;
  return config;
}

Problem problem_with_everything(PortableRandom& random) {
  Problem problem = changed(random, [](Config& c) {
    c.n_heads = 4;
    c.n_kv_heads = 2;
    c.d_out = c.d_model;
    c.positions = Positions::kRotary;
    c.rotary_pairs = RotaryPairs::kHalves;
    c.mask = {true, 4, 3};
    c.temperature = 1.5f;
    c.head_norm = true;
    c.score_cap = 2.0f;
    c.dropout_rate = 0.3f;
    c.dropout_seed = 11;
    c.residual = c.layer_norm = true;
  });
  problem.bias = SharedMatrix(random_matrix(kSeqLen, kSeqLen, random));
  problem.allowed = SharedMatrix(random_mask(kSeqLen, kSeqLen, 0.8, random));
  problem.head_mix = {{.scale = 0.5f}, {.mute = true}, {.scale = -2.0f}, {}};
  problem.overrides = {{Stage::kV, 2, 0, 1, 2.0f},
                       {Stage::kScores, 0, 4, 3, 1.5f},
                       {Stage::kOutput, 0, 1, 1, -1.0f}};
  return problem;
}

std::vector<Problem> problem_variants() {
  PortableRandom random(2017);
  Variants variants;
  add_plain_variants(variants, random);
  add_position_variants(variants, random);
  add_mask_variants(variants, random);
  add_shared_head_variants(variants, random);
  add_output_variants(variants, random);
  add_mixed_variants(variants, random);
  add_overridden_variants(variants, random);
  PortableRandom other(2024);
  add_trained_variants(variants, other);
  add_distance_variants(variants);
  variants.push_back(problem_with_everything(random));
  return variants;
}

}  // namespace attention::test
