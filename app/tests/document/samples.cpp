#include "app/tests/document/samples.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab::samples {

using attention::Matrix;
using attention::SharedMatrix;

namespace {

// Appends values to a text so that different sequences always give different texts.
class Fingerprint {
 public:
  void add(const std::string& text) {
    add(static_cast<std::int64_t>(text.size()));
    bytes_ += text;
  }
  void add(std::int64_t number) { append(&number, sizeof number); }
  void add(float number) { append(&number, sizeof number); }
  void add(const Matrix& matrix) {
    add(std::int64_t{matrix.rows()});
    add(std::int64_t{matrix.cols()});
    append(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(float));
  }
  void add(const SharedMatrix& matrix) { add(*matrix); }
  template <typename... Parts>
  void add_all(const Parts&... parts) {
    (add(parts), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) {
    if (size > 0) bytes_.append(static_cast<const char*>(data), size);
  }
  std::string bytes_;
};

void add_override(Fingerprint& print, const attention::Override& o) {
  print.add_all(static_cast<std::int64_t>(o.stage), std::int64_t{o.head}, std::int64_t{o.row},
                std::int64_t{o.col}, o.value);
}

void add_problem(Fingerprint& print, const attention::Problem& problem) {
  const attention::Config& config = problem.config;
  for (const int size : {config.d_model,
                         config.n_heads,
                         config.n_kv_heads,
                         config.d_k,
                         config.d_v,
                         config.d_out,
                         static_cast<int>(config.head_build),
                         int{config.scale},
                         int{config.biases},
                         int{config.mask.causal},
                         config.mask.key_count,
                         config.mask.window,
                         static_cast<int>(config.positions),
                         static_cast<int>(config.rotary_pairs),
                         int{config.residual},
                         int{config.layer_norm},
                         int{config.head_norm},
                         int{config.head_norm_joint},
                         int{config.value_norm},
                         int{config.sink}}) {
    print.add(std::int64_t{size});
  }
  print.add_all(config.temperature, config.rotary_base, config.dropout_rate,
                static_cast<std::int64_t>(config.dropout_seed), config.layer_norm_epsilon,
                config.head_norm_epsilon, config.score_cap, config.rotary_scale);
  print.add_all(problem.embedding, problem.embedding_kv, problem.position_table,
                problem.position_table_kv, problem.allowed, problem.bias);
  const auto& [heads, kv_heads, W_O, b_O, gamma, beta, norm_Q, norm_K] = problem.parameters;
  for (const auto& head : heads) print.add_all(head.W_Q, head.b_Q, head.sink);
  for (const auto& head : kv_heads) print.add_all(head.W_K, head.W_V, head.b_K, head.b_V);
  print.add_all(W_O, b_O, gamma, beta, norm_Q, norm_K);
  for (const auto& mix : problem.head_mix) {
    print.add_all(std::int64_t{mix.mute}, std::int64_t{mix.solo}, mix.scale);
  }
  for (const auto& o : problem.overrides) add_override(print, o);
}

void add_detached(Fingerprint& print, const Detached& detached) {
  for (const auto* words : {&detached.queries, &detached.keys})
    for (const RemovedToken& word : *words)
      print.add_all(word.token.text, word.token.key, std::int64_t{word.before});
  for (const auto* cells : {&detached.mask, &detached.bias})
    for (const PairCell& cell : *cells)
      print.add_all(std::int64_t{cell.row}, std::int64_t{cell.col}, cell.value);
  for (const auto& o : detached.overrides) add_override(print, o);
}

SharedMatrix random_matrix(attention::Index rows, attention::Index cols, std::uint64_t seed) {
  return SharedMatrix(attention::filled(attention::FillType::kNormal, {rows, cols}, seed));
}

}  // namespace

SetCell edit_of_W_Q(float value) { return {{MatrixId::kWQ, 1}, 0, 0, value}; }

Document small_document() {
  const attention::Config config{
      .d_model = 6, .n_heads = 3, .d_k = 4, .d_v = 2, .d_out = 6, .mask = {}};
  return make_document("the cat saw the dog.", config, 7);
}

Document file_document() {
  Document document = small_document();
  Lexicon lexicon;
  lexicon["the (2)"] = attention::RowVector::LinSpaced(6, -1, 1);
  document.lexicon = std::make_shared<const Lexicon>(lexicon);
  document.tokens[3].key = "the (2)";
  document.dimensions = {"noun", "verb", "animal", "place", "many", "end"};
  document.kv_sentence = "der Hund sah ihn";
  for (const char* word : {"der", "Hund", "sah", "ihn"}) document.kv_tokens.push_back({word, word});
  Lexicon kv_lexicon;
  kv_lexicon["Hund"] = attention::RowVector::LinSpaced(6, 2, 3);
  document.kv_lexicon = std::make_shared<const Lexicon>(kv_lexicon);
  attention::Problem& problem = document.problem;
  problem.embedding = SharedMatrix(embed_tokens(document));
  problem.embedding_kv = SharedMatrix(embed_kv_tokens(document));
  problem.allowed = SharedMatrix(Matrix::Ones(6, 4));
  problem.bias = random_matrix(6, 4, 2);
  problem.parameters.heads[1].b_Q = random_matrix(1, 4, 3);
  problem.parameters.kv_heads[1].b_V = random_matrix(1, 2, 4);
  problem.parameters.b_O = random_matrix(1, 6, 5);
  return document;
}

std::string fingerprint(const Document& document) {
  Fingerprint print;
  print.add_all(document.title, document.sentence, document.splitting.tokenizer.name,
                std::string(token_mode_name(document.splitting.mode)));
  for (const Token& token : document.tokens) print.add_all(token.text, token.key);
  for (const std::string& name : document.dimensions) print.add(name);
  for (const auto& [key, row] : *document.lexicon) print.add_all(key, Matrix(row));
  print.add(document.kv_sentence);
  for (const Token& token : document.kv_tokens) print.add_all(token.text, token.key);
  for (const auto& [key, row] : *document.kv_lexicon) print.add_all(key, Matrix(row));
  add_problem(print, document.problem);
  print.add_all(std::int64_t{document.shared_tokens}, document.new_token_scale);
  add_detached(print, *document.detached);
  return print.take();
}

std::string fingerprint(const attention::Trace& trace) {
  Fingerprint print;
  for (const auto& head : trace.heads) {
    print.add_all(head.Q, head.K, head.V, head.rotated_Q, head.rotated_K, head.scores,
                  head.scaled_scores, head.masked_scores, head.weights, head.dropped_weights,
                  head.head_output);
  }
  print.add_all(trace.position, trace.X, trace.position_kv, trace.X_kv, trace.concat, trace.output,
                trace.residual, trace.layer_norm);
  return print.take();
}

attention::Trace full_trace(const Document& document) {
  return attention::Evaluator().evaluate(document.problem);
}

Document after(const Document& document, const Command& command) {
  const auto changed = lab::apply(document, command);
  if (changed) return *changed;
  ADD_FAILURE() << to_json_line(command) << " failed: " << changed.error().message;
  return document;
}

std::string message_after(const Document& document, const Command& command) {
  const auto changed = lab::apply(document, command);
  if (changed) {
    ADD_FAILURE() << to_json_line(command) << " succeeded";
    return "";
  }
  EXPECT_EQ(changed.error().type, ErrorType::kBadInput);
  return changed.error().message;
}

int RandomCommands::pick(int below) { return static_cast<int>(engine_() % below); }

std::vector<chat::Turn> RandomCommands::turns() {
  std::vector<chat::Turn> turns;
  while (pick(3) > 0) turns.push_back({pick(2) == 0 ? "user" : "assistant", sentence()});
  return turns;
}

std::string RandomCommands::sentence() {
  static const std::array<std::string, 14> kPieces = {
      "the",   "cat",    " ",        " ",    " ",  "didn't",  ".",
      "แมวนั่ง", "我喜欢", "👍🏽", "\xFF", "\n", "e\u0301", "\u200B"};
  std::string text;
  for (int left = pick(12); left > 0; --left) text += kPieces[pick(kPieces.size())];
  return pick(200) == 0 ? std::string(kLongestSentence + 1, 'a') : text;
}

MatrixRef RandomCommands::matrix() {
  const auto id = static_cast<MatrixId>(pick(15));
  return {id, is_per_head(id) ? pick(4) : 0};
}

float RandomCommands::value() {
  static const std::array<float, 8> kSpecial = {0.0f,
                                                -0.0f,
                                                kLargestCell,
                                                -kLargestCell,
                                                1e38f,
                                                std::numeric_limits<float>::quiet_NaN(),
                                                std::numeric_limits<float>::infinity(),
                                                std::numeric_limits<float>::denorm_min()};
  if (pick(4) == 0) return kSpecial[pick(kSpecial.size())];
  return static_cast<float>(engine_()) * 0x1p-31f - 1.0f;
}

// Mostly numbers that the matrix can hold, because a single invalid one makes the whole block
// invalid.
Matrix RandomCommands::block(MatrixId id) {
  Matrix values(1 + pick(3), 1 + pick(3));
  for (float& number : values.reshaped()) {
    number = pick(20) == 0 ? value() : static_cast<float>(pick(id == MatrixId::kMask ? 2 : 100));
  }
  return values;
}

StageCell RandomCommands::cell() {
  const auto stage = static_cast<attention::Stage>(pick(21));
  return {stage, is_per_head(stage) ? pick(4) : 0, pick(7), pick(7)};
}

Command RandomCommands::variant() {
  switch (pick(14)) {
    case 0:
      return SetMask{sometimes(pick(2) == 0), sometimes(pick(6)), sometimes(pick(6))};
    case 1:
      return SetCell{{MatrixId::kMask, 0}, pick(7), pick(7), pick(2) == 0 ? 1.0f : 0.0f};
    case 2:
      return FillMask{pick(2) == 0};
    case 3:
      return SetCell{
          {MatrixId::kScoreBias, 0}, pick(7), pick(7), pick(8) == 0 ? -INFINITY : value()};
    case 4:
      return FillMatrix{{MatrixId::kScoreBias, 0}, attention::FillType::kZero, 0, value()};
    case 5:
      return SetPositions{sometimes(static_cast<attention::Positions>(pick(5))),
                          sometimes(1 + std::abs(value())),
                          sometimes(static_cast<attention::RotaryPairs>(pick(2)))};
    case 6:
      return SetBiases{pick(2) == 0};
    case 7:
      return SetDropout{sometimes(value()), sometimes(std::uint64_t{engine_()} << pick(33))};
    case 8:
      return SetResidual{pick(2) == 0};
    case 9:
      return SetLayerNorm{sometimes(pick(2) == 0), sometimes(value())};
    case 10:
      return SetHeadMix{pick(4), sometimes(pick(2) == 0), sometimes(pick(2) == 0),
                        sometimes(pick(2) == 0 ? 1.0f : value())};
    case 11:
      return override_block();
    case 12:
      return SetHeadBuild{static_cast<attention::HeadBuild>(pick(2))};
    case 13:
      if (pick(4) == 0) return SetAdapterGain{value()};
      return SetHeadNorm{sometimes(pick(2) == 0), sometimes(value())};
    case 14:
      return SetScoreCap{value()};
    default:
      return SetOverride{cell(), value()};
  }
}

Command RandomCommands::override_block() {
  switch (pick(9)) {
    case 0:
    case 1:
      return ClearOverrides{};
    case 2:
      return SetOverrides{cell(), block(MatrixId::kWQ)};
    case 3:
      return RemoveOverrides{cell(), pick(4), pick(4)};
    case 4:
      return SwitchEdit{"weights", pick(3), pick(2) == 0};
    case 5:
      return TrainTo{pick(2), pick(9)};
    default:
      return RemoveOverride{cell()};
  }
}

Command RandomCommands::next() {
  if (pick(3) == 0) return variant();
  switch (pick(11)) {
    case 0:
      if (pick(3) > 0) return SetSentence{sentence()};
      return SetSentence{sentence(), sometimes(pick(2) == 0 ? 0.25f : value())};
    case 1:
      if (pick(4) == 0) return SetChat{sometimes(pick(2) == 0), sometimes(turns())};
      return pick(4) == 0 ? SetKvSentence{} : SetKvSentence{sentence()};
    case 2:
      if (pick(2) == 0) return SetSharedTokens{pick(2) == 0};
      return SetTokenMode{.mode = static_cast<TokenMode>(pick(2))};
    case 3:
      return SetSize{static_cast<SizeId>(pick(5)), pick(20) == 0 ? 1 << pick(31) : pick(9)};
    case 4:
      return SetScale{pick(2) == 0};
    case 5:
      return SetTemperature{value()};
    case 6:
      return SetMask{pick(2) == 0};
    case 7:
      return FillMatrix{matrix(), static_cast<attention::FillType>(pick(4)),
                        std::uint64_t{engine_()} << pick(33)};
    case 8: {
      const MatrixRef ref = matrix();
      SetBlock edit{ref, pick(5), pick(5), block(ref.id)};
      if (pick(4) > 0) return edit;
      return SetBlocks{{edit, {ref, pick(5), pick(5), block(ref.id)}}};
    }
    default:
      return SetCell{matrix(), pick(7), pick(7), value()};
  }
}

}  // namespace lab::samples
