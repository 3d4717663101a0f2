#include "app/handout/packed.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace lab::handout {
namespace {

constexpr int kLargestWindow = 15, kGzipFrame = 16, kMemory = 8;

int window_of(Packing packing) {
  return packing == Packing::kGzip ? kLargestWindow + kGzipFrame : -kLargestWindow;
}

// zlib counts in 32 bits, so bytes are handed to it piece by piece.
void refill(z_stream& stream, std::string_view& rest) {
  if (stream.avail_in != 0) return;
  const std::size_t piece = std::min<std::size_t>(rest.size(), std::numeric_limits<uInt>::max());
  // The library does not write to its input.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
  stream.avail_in = static_cast<uInt>(piece);
  rest.remove_prefix(piece);
}

using Buffer = std::array<char, std::size_t{1} << 16>;

void empty_into(z_stream& stream, Buffer& buffer) {
  stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
  stream.avail_out = static_cast<uInt>(buffer.size());
}

}  // namespace

std::string packed(std::string_view bytes, Packing packing) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window_of(packing), kMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string result;
  Buffer buffer;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    refill(stream, bytes);
    empty_into(stream, buffer);
    status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    result.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return result;
}

Expected<std::string> unpacked(std::string_view bytes, Packing packing, std::size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, window_of(packing)) != Z_OK) throw std::bad_alloc();
  std::string result;
  Buffer buffer;
  int status = Z_OK;
  while (status == Z_OK && result.size() <= most) {
    refill(stream, bytes);
    empty_into(stream, buffer);
    status = inflate(&stream, Z_NO_FLUSH);
    result.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  const bool whole = status == Z_STREAM_END && stream.avail_in == 0 && bytes.empty();
  inflateEnd(&stream);
  if (result.size() > most) return fail(ErrorType::kBadInput, "it unfolds to too many bytes");
  if (!whole) return fail(ErrorType::kBadInput, "it is damaged or cut off");
  return result;
}

}  // namespace lab::handout
