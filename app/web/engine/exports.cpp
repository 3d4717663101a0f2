// The functions that a page calls. Texts are UTF-8 in the memory of the module; pointers stay valid
// until the next call.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/figure/compose/range.h"
#include "app/web/engine/engine.h"

#define LAB_EXPORT(name) __attribute__((export_name(#name)))

namespace {

lab::web::Engine& engine() {
  static lab::web::Engine one;
  return one;
}

std::string request, answer;
attention::Shape shape;
lab::figure::Range colours;

// The numbers, which have the colours of `stage`.
const float* numbers_of(const attention::Matrix* matrix, attention::Stage stage) {
  shape = {};
  if (matrix == nullptr) return nullptr;
  shape = {matrix->rows(), matrix->cols()};
  colours = lab::figure::automatic_range(stage, *matrix);
  return matrix->data();
}

}  // namespace

extern "C" {

/// Room for a request of `size` bytes, to be filled before lab_answer().
LAB_EXPORT(lab_request) char* lab_request(std::size_t size) {
  request.resize(size);
  return request.data();
}
/// Room for `size` bytes that the request is about, such as those of a file; see Engine::input().
LAB_EXPORT(lab_input) char* lab_input(std::size_t size) {
  engine().input().resize(size);
  return engine().input().data();
}
/// Answers the request: the number of bytes at lab_text().
LAB_EXPORT(lab_answer) std::size_t lab_answer() {
  const nlohmann::json result = engine().answer(request);
  answer = result.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return answer.size();
}
/// The answer.
LAB_EXPORT(lab_text) const char* lab_text() { return answer.data(); }
/// The bytes that the request has made, and how many; see Engine::output().
LAB_EXPORT(lab_output) const char* lab_output() { return engine().output().data(); }
/// See lab_output().
LAB_EXPORT(lab_output_size) std::size_t lab_output_size() { return engine().output().size(); }
/// The numbers of a stage, row after row, and lab_rows() and lab_columns() of it; null when there
/// are none. See Engine::stage().
LAB_EXPORT(lab_stage) const float* lab_stage(int stage, int head) {
  return numbers_of(engine().stage(stage, head), static_cast<attention::Stage>(stage));
}
/// The same of an editable matrix, see Engine::matrix().
LAB_EXPORT(lab_matrix) const float* lab_matrix(int id, int head) {
  return numbers_of(engine().matrix(id, head), attention::Stage::kX);
}
/// The weights of a head of a trained model, see Engine::model_weights().
LAB_EXPORT(lab_model_weights) const float* lab_model_weights(int sublayer, int layer, int head) {
  const attention::MatrixView weights = engine().model_weights(sublayer, layer, head);
  shape = {weights.rows(), weights.cols()};
  colours = {0, 1};
  return weights.size() == 0 ? nullptr : weights.data();
}
/// The same of a stage of the kept state, see Engine::kept_stage().
LAB_EXPORT(lab_kept_stage) const float* lab_kept_stage(int stage, int head) {
  return numbers_of(engine().kept_stage(stage, head), static_cast<attention::Stage>(stage));
}
/// How far a stage is from the kept one, see Engine::difference().
LAB_EXPORT(lab_difference) const float* lab_difference(int stage, int head) {
  return numbers_of(engine().difference(stage, head), attention::Stage::kScores);
}
/// See lab_stage().
LAB_EXPORT(lab_rows) int lab_rows() { return static_cast<int>(shape.rows); }
/// The ends of the colours that suit these numbers, see figure::automatic_range().
LAB_EXPORT(lab_low) float lab_low() { return colours.lo; }
/// See lab_low().
LAB_EXPORT(lab_high) float lab_high() { return colours.hi; }
/// See lab_stage().
LAB_EXPORT(lab_columns) int lab_columns() { return static_cast<int>(shape.cols); }
}
