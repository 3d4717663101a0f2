#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"

namespace lab::connection {

/// The version of the protocol.
inline constexpr std::uint32_t kProtocol = 1;
/// The length of what comes before the JSON of a frame, in bytes.
inline constexpr std::size_t kHeaderSize = 20;
/// The most bytes of JSON in a frame, and of what follows it.
inline constexpr std::uint32_t kLongestJson = 1u << 20;
inline constexpr std::uint64_t kLongestPayload = std::uint64_t{1} << 31;

/// One message: an object as JSON, and a safetensors file or nothing.
struct Frame {
  std::string json;
  std::string payload;
};

/// The bytes of a frame: "ATTL", the version and the length of the JSON as 32 bits, the length of
/// the payload as 64 bits, all little endian, the JSON, the payload. Precondition: both are within
/// the limits.
std::string write_frame(const Frame& frame);

/// Reads frames from bytes as they arrive. Memory grows with the bytes that arrived, whatever a
/// header announces.
class FrameReader {
 public:
  /// Appends `bytes`; what they complete is appended to `frames`. Fails with kBadInput when they
  /// are no frames of this version or too long: nothing can be read after that.
  Expected<void> read(std::string_view bytes, std::vector<Frame>& frames);
  /// True when a frame has begun that is not complete.
  bool within_frame() const { return !header_.empty(); }
  /// The bytes that the frame which has begun will have.
  std::uint64_t announced() const { return json_size_ + payload_size_; }

 private:
  Expected<void> read_header();
  static bool fill(std::string& part, std::uint64_t size, std::string_view& bytes);

  std::string header_;
  std::uint64_t json_size_ = 0, payload_size_ = 0;
  Frame frame_;
};

}  // namespace lab::connection
