#include "app/files/number_formats.h"

#include <algorithm>
#include <array>

#include "app/files/problem/problem_file.h"
#include "app/files/problem/stage_numbers.h"
#include "app/files/tensors/tensors.h"

namespace lab::files {
namespace {

using attention::Stage;
using attention::Trace;

// The requested stages, in the order of the formula.
std::vector<Stage> stages_of(const Document& document, const NumberRequest& request) {
  return request.stage ? std::vector<Stage>{*request.stage} : answer_stages(document.problem);
}

TensorFile tensors_of(const Document& document, const Trace& trace, const NumberRequest& request) {
  TensorFile file;
  for (const Stage stage : stages_of(document, request))
    file.tensors.push_back(stage_tensor(document, trace, stage, request.head));
  return file;
}

Expected<std::string> encode_csv(const Document& document, const Trace& trace,
                                 const NumberRequest& request) {
  if (request.stage) return stage_csv(document, trace, *request.stage, request.head);
  std::string table(kLongHeader);
  for (const Stage stage : stages_of(document, request))
    table += stage_long_csv(document, trace, stage, request.head);
  return table;
}

Expected<std::string> encode_npy(const Document& document, const Trace& trace,
                                 const NumberRequest& request) {
  if (request.stage) return write_npy(stage_tensor(document, trace, *request.stage, request.head));
  return fail(ErrorType::kUsage,
              "--stage all: an .npy file holds one array; .npz, .json and .csv hold all of them");
}

Expected<std::string> encode_npz(const Document& document, const Trace& trace,
                                 const NumberRequest& request) {
  return write_npz(tensors_of(document, trace, request));
}

Expected<std::string> encode_json(const Document& document, const Trace& trace,
                                  const NumberRequest& request) {
  return write_tensors_json(tensors_of(document, trace, request));
}

constexpr std::array kFormats{NumberFormat{".csv", "CSV", true, encode_csv},
                              NumberFormat{".npy", "NPY", false, encode_npy},
                              NumberFormat{".npz", "NPZ", true, encode_npz},
                              NumberFormat{".json", "JSON", true, encode_json}};

}  // namespace

std::span<const NumberFormat> number_formats() { return kFormats; }

const NumberFormat* find_number_format(std::string_view ending) {
  const auto found = std::ranges::find(kFormats, ending, &NumberFormat::ending);
  return found == kFormats.end() ? nullptr : &*found;
}

}  // namespace lab::files
