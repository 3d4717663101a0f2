// Files in a page: those that it was given, in memory. They are read as a whole; nothing is
// written, because what is saved goes to the page as bytes.
#include <cstdio>
#include <memory>
#include <new>

#include "app/base/bad_input.h"
#include "app/files/io/atomic_write.h"
#include "app/files/io/mapped_file.h"

namespace lab::files {
namespace {

constexpr std::align_val_t kAlignment{64};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Expected<void> write_atomically(const std::string& path, std::string_view /*bytes*/) {
  return fail(ErrorType::kIo, "a page cannot write " + in_quotes(path));
}

MappedFile::MappedFile(std::string path, Descriptor file, std::span<const std::byte> bytes,
                       std::size_t slot)
    : path_(std::move(path)), file_(std::move(file)), bytes_(bytes), slot_(slot) {}

MappedFile::~MappedFile() {
  ::operator delete[](const_cast<std::byte*>(bytes_.data()), kAlignment);
}

bool MappedFile::is_damaged() const { return false; }

Expected<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file || std::fseek(file.get(), 0, SEEK_END) != 0) return io_error("read", path);
  const long size = std::ftell(file.get());
  if (size < 0) return io_error("read", path);
  if (size == 0) return fail(ErrorType::kBadInput, in_quotes(path) + " is empty");
  std::rewind(file.get());
  const auto bytes = static_cast<std::size_t>(size);
  auto* const data = static_cast<std::byte*>(::operator new[](bytes, kAlignment));
  const std::shared_ptr<const MappedFile> opened(new MappedFile(path, {}, {data, bytes}, 0));
  if (std::fread(data, 1, bytes, file.get()) != bytes) return io_error("read", path);
  return opened;
}

}  // namespace lab::files
