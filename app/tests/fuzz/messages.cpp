#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/connection/array_spec.h"
#include "app/connection/frame.h"
#include "app/connection/request_json.h"
#include "app/tests/fuzz/input.h"
#include "app/tests/rooms.h"

// Messages of other programs are the same however they are cut, and the arrays in them, if they are
// accepted, make a document that can be computed.

namespace lab::fuzz {
namespace {

using namespace connection;

// What can be read of `bytes` in parts of that size.
std::vector<Frame> frames_of(std::string_view bytes, std::size_t part) {
  FrameReader reader;
  std::vector<Frame> frames;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(part, bytes.size()))) {
    const auto read = reader.read(bytes.substr(0, part), frames);
    must(read || !read.error().message.empty());
    if (!read) break;
  }
  return frames;
}

void try_message(const Frame& frame) {
  const auto spec = guarded([&] { return read_array_spec(read_object(frame.json)); });
  if (!spec) return must(!spec.error().message.empty());
  const auto arrays = read_arrays(*spec, frame.payload);
  if (!arrays) return;
  std::vector<std::string> notes;
  const auto document = document_of_arrays(*spec, *arrays, 0, notes);
  if (!document) return must(!document.error().message.empty());
  attention::validate(document->problem);
}

}  // namespace

void try_input(std::string_view input) {
  if (input.empty()) return;
  const auto part = static_cast<std::size_t>(static_cast<unsigned char>(input.front())) + 1;
  input.remove_prefix(1);
  const std::vector<Frame> whole = frames_of(input, input.size() + 1);
  const std::vector<Frame> cut = frames_of(input, part);
  must(whole.size() == cut.size());
  for (const Frame& frame : cut) try_message(frame);
}

}  // namespace lab::fuzz
