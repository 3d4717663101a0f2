#include "app/files/io/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <csignal>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "app/base/bad_input.h"

// Reading a page of a mapped file that was cut raises SIGBUS. The handler puts a page of zeros
// there, so that the read succeeds, and marks the mapping as damaged. It may use only what is safe
// in a signal handler: a fixed table of atomics and mmap.

namespace lab::files {
namespace {

constexpr std::size_t kMostMappings = 1024;

struct Mapping {
  std::atomic<std::uintptr_t> begin{0}, end{0};
  std::atomic<bool> damaged{false};
};

std::array<Mapping, kMostMappings> mappings;
struct sigaction previous_action;

void pass_on(int signal, siginfo_t* info, void* context) {
  if ((previous_action.sa_flags & SA_SIGINFO) != 0)
    return previous_action.sa_sigaction(signal, info, context);
  sigaction(signal, &previous_action, nullptr);  // returning repeats the access, with that action
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const auto page_size = static_cast<std::uintptr_t>(getpagesize());
  for (Mapping& mapping : mappings) {
    if (address < mapping.begin || address >= mapping.end) continue;
    void* const page = static_cast<char*>(info->si_addr) - address % page_size;
    mapping.damaged = true;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (mmap(page, page_size, PROT_READ, flags, -1, 0) == page) return;
  }
  pass_on(signal, info, context);
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, &previous_action);
  });
}

std::mutex slots_mutex;

std::size_t take_slot(std::uintptr_t begin, std::uintptr_t end) {
  const std::lock_guard lock(slots_mutex);
  for (std::size_t slot = 0; slot < mappings.size(); ++slot) {
    if (mappings[slot].end != 0) continue;
    mappings[slot].damaged = false;
    mappings[slot].begin = begin;
    mappings[slot].end = end;
    return slot;
  }
  return kMostMappings;
}

// `end` goes first: from then on the slot matches no address, whatever `begin` is.
void free_slot(std::size_t slot) {
  const std::lock_guard lock(slots_mutex);
  mappings[slot].end = 0;
  mappings[slot].begin = 0;
}

}  // namespace

MappedFile::MappedFile(std::string path, Descriptor file, std::span<const std::byte> bytes,
                       std::size_t slot)
    : path_(std::move(path)), file_(std::move(file)), bytes_(bytes), slot_(slot) {}

MappedFile::~MappedFile() {
  free_slot(slot_);  // before another mapping can get these addresses
  munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

bool MappedFile::is_damaged() const {
  struct stat about {};
  return mappings[slot_].damaged || fstat(file_.get(), &about) != 0 ||
         static_cast<std::size_t>(about.st_size) < bytes_.size();
}

Expected<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  Descriptor file = open_descriptor(path, O_RDONLY | O_NONBLOCK);
  struct stat about {};
  if (file.get() < 0 || fstat(file.get(), &about) != 0) return io_error("read", path);
  if (!S_ISREG(about.st_mode))
    return fail(ErrorType::kBadInput, in_quotes(path) + " is not an ordinary file");
  if (about.st_size == 0) return fail(ErrorType::kBadInput, in_quotes(path) + " is empty");
  const auto size = static_cast<std::size_t>(about.st_size);
  install_handler();
  void* const data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) return io_error("map", path);
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const std::size_t slot = take_slot(begin, begin + size);
  if (slot == kMostMappings) {
    munmap(data, size);
    return fail(ErrorType::kFailed, "more than " + std::to_string(kMostMappings) + " open files");
  }
  return std::shared_ptr<const MappedFile>(
      new MappedFile(path, std::move(file), {static_cast<const std::byte*>(data), size}, slot));
}

}  // namespace lab::files
