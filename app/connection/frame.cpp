#include "app/connection/frame.h"

#include <algorithm>
#include <utility>

namespace lab::connection {
namespace {

constexpr std::string_view kMagic = "ATTL";
// As much is reserved at once for a frame that announces more.
constexpr std::uint64_t kReserved = std::uint64_t{1} << 24;

void append_number(std::string& bytes, std::uint64_t number, int size) {
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
}

std::uint64_t number_at(std::string_view bytes, std::size_t at, int size) {
  std::uint64_t number = 0;
  for (int i = 0; i < size; ++i)
    number |= std::uint64_t{static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)])}
              << (8 * i);
  return number;
}

}  // namespace

std::string write_frame(const Frame& frame) {
  std::string bytes(kMagic);
  bytes.reserve(kHeaderSize + frame.json.size() + frame.payload.size());
  append_number(bytes, kProtocol, 4);
  append_number(bytes, frame.json.size(), 4);
  append_number(bytes, frame.payload.size(), 8);
  return bytes += frame.json, bytes += frame.payload;
}

Expected<void> FrameReader::read_header() {
  if (header_.compare(0, kMagic.size(), kMagic) != 0)
    return fail(ErrorType::kBadInput, "these bytes are not a message for Attention Lab");
  const auto version = number_at(header_, 4, 4);
  if (version != kProtocol)
    return fail(ErrorType::kBadInput, "the message is of version " + std::to_string(version) +
                                          " of the protocol; this window understands version " +
                                          std::to_string(kProtocol));
  json_size_ = number_at(header_, 8, 4);
  payload_size_ = number_at(header_, 12, 8);
  if (json_size_ > kLongestJson)
    return fail(ErrorType::kBadInput, "the JSON of the message has " + std::to_string(json_size_) +
                                          " bytes; at most 1 MiB is read");
  if (payload_size_ > kLongestPayload)
    return fail(ErrorType::kBadInput, "the arrays of the message have " +
                                          std::to_string(payload_size_) +
                                          " bytes; at most 2 GiB are read");
  frame_.payload.reserve(static_cast<std::size_t>(std::min(payload_size_, kReserved)));
  return {};
}

// Moves bytes to `part` until it has that size; true when it has.
bool FrameReader::fill(std::string& part, std::uint64_t size, std::string_view& bytes) {
  const auto missing = static_cast<std::size_t>(size - part.size());
  const std::size_t count = std::min(missing, bytes.size());
  part.append(bytes.substr(0, count));
  bytes.remove_prefix(count);
  return part.size() == size;
}

Expected<void> FrameReader::read(std::string_view bytes, std::vector<Frame>& frames) {
  while (!bytes.empty()) {
    if (header_.size() < kHeaderSize) {
      if (!fill(header_, kHeaderSize, bytes)) return {};
      if (auto known = read_header(); !known) return known;
    }
    if (!fill(frame_.json, json_size_, bytes) || !fill(frame_.payload, payload_size_, bytes))
      return {};
    frames.push_back(std::exchange(frame_, {}));
    header_.clear();
    json_size_ = payload_size_ = 0;
  }
  return {};
}

}  // namespace lab::connection
