#include "app/files/tensors/zip_bytes.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "app/files/io/little_endian.h"

namespace lab::files {
namespace {

constexpr std::size_t kEndSize = 22, kEnd64Size = 56, kLocatorSize = 20;
constexpr std::string_view kEndMark = "PK\x05\x06", kEnd64Mark = "PK\x06\x06",
                           kLocatorMark = "PK\x06\x07";

std::uint64_t field(std::string_view record, std::size_t at, std::size_t size) {
  return load_little_endian(record.substr(at, size));
}

// Where the list is too long for the record at `end`, another record holds its size. If a locator
// points to one, that one takes precedence.
std::uint64_t list_size_at(std::string_view bytes, std::size_t end) {
  const std::uint64_t size = field(bytes.substr(end), 12, 4);
  if (end < kLocatorSize) return size;
  const std::string_view locator = bytes.substr(end - kLocatorSize, kLocatorSize);
  if (!locator.starts_with(kLocatorMark)) return size;
  const std::uint64_t offset = field(locator, 8, 8);
  if (bytes.size() < kEnd64Size || offset > bytes.size() - kEnd64Size) return size;
  const std::string_view end64 = bytes.substr(offset, kEnd64Size);
  return end64.starts_with(kEnd64Mark) ? field(end64, 40, 8) : size;
}

}  // namespace

std::uint64_t zip_list_size(std::string_view bytes) {
  constexpr std::size_t kLongestComment = 65535;
  if (bytes.size() < kEndSize) return 0;
  const std::size_t last = bytes.size() - kEndSize;
  std::uint64_t largest = 0;
  for (std::size_t end = last - std::min(last, kLongestComment); end <= last; ++end) {
    if (!bytes.substr(end).starts_with(kEndMark)) continue;
    // A comment may extend to the end; any other occurrence of the mark is a coincidence.
    if (field(bytes.substr(end), 20, 2) == last - end)
      largest = std::max(largest, list_size_at(bytes, end));
  }
  return largest;
}

ZipBytes::ZipBytes(std::string_view bytes) : bytes_(bytes) { zip_error_init(&error_); }

ZipBytes::~ZipBytes() { zip_error_fini(&error_); }

zip_source_t* ZipBytes::source(zip_error_t* error) {
  return zip_source_function_create(call, this, error);
}

void ZipBytes::begin_file() {
  if (end_ > begin_) taken_[begin_] = end_;
  begin_ = end_ = 0;
  reading_file_ = true;
}

// The header of a file and then its bytes are read, which are adjacent.
bool ZipBytes::take(std::uint64_t begin, std::uint64_t end) {
  if (!reading_file_ || begin == end) return true;
  begin_ = end_ > begin_ ? std::min(begin_, begin) : begin;
  end_ = std::max(end_, end);
  const auto next = taken_.lower_bound(begin_);
  const bool free_behind = next == taken_.end() || next->first >= end_;
  const bool free_before = next == taken_.begin() || std::prev(next)->second <= begin_;
  shared_ = shared_ || !free_behind || !free_before;
  return !shared_;
}

zip_int64_t ZipBytes::read(void* data, zip_uint64_t size) {
  const std::uint64_t count = std::min<std::uint64_t>(size, bytes_.size() - at_);
  if (!take(at_, at_ + count)) {
    zip_error_set(&error_, ZIP_ER_INCONS, 0);
    return -1;
  }
  std::memcpy(data, bytes_.data() + at_, count);
  at_ += count;
  return static_cast<zip_int64_t>(count);
}

zip_int64_t ZipBytes::describe(void* data) const {
  auto& status = *static_cast<zip_stat_t*>(data);
  zip_stat_init(&status);
  status.size = bytes_.size();
  status.valid = ZIP_STAT_SIZE;
  return sizeof(status);
}

zip_int64_t ZipBytes::answer(void* data, zip_uint64_t size, zip_source_cmd_t command) {
  switch (command) {
    case ZIP_SOURCE_OPEN:
      at_ = 0;
      return 0;
    case ZIP_SOURCE_READ:
      return read(data, size);
    case ZIP_SOURCE_STAT:
      return describe(data);
    case ZIP_SOURCE_TELL:
      return static_cast<zip_int64_t>(at_);
    case ZIP_SOURCE_SEEK: {
      const zip_int64_t offset =
          zip_source_seek_compute_offset(at_, bytes_.size(), data, size, &error_);
      if (offset >= 0) at_ = static_cast<std::uint64_t>(offset);
      return offset < 0 ? -1 : 0;
    }
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&error_, data, size);
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(
          ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
          ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, -1);
    default:
      return 0;
  }
}

zip_int64_t ZipBytes::call(void* self, void* data, zip_uint64_t size, zip_source_cmd_t command) {
  return static_cast<ZipBytes*>(self)->answer(data, size, command);
}

}  // namespace lab::files
