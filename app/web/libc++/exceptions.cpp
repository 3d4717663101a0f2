// C++ exceptions on those of WebAssembly. The libc++ of the distribution is built without them, so
// what the compiler calls to throw and to catch is here: the functions of the Itanium C++ ABI, over
// the instruction `throw` with the tag that the compiler declares. Which handler a type belongs to
// stands in the table that LLVM writes for each function (the language-specific data of the Itanium
// ABI); libc++abi decides whether a type fits another (can_catch).
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <typeinfo>

namespace __cxxabiv1 {

// The part of libc++abi's class that is called here: each type_info is one, and its functions stand
// in this order.
class __shim_type_info : public std::type_info {
 public:
  ~__shim_type_info() override;
  virtual void noop1() const;
  virtual void noop2() const;
  // True for a handler of this type when `thrown` fits; `object` then points to the part of it that
  // the handler names.
  virtual bool can_catch(const __shim_type_info* thrown, void*& object) const = 0;
};

}  // namespace __cxxabiv1

namespace {

using TypeInfo = __cxxabiv1::__shim_type_info;

// In WebAssembly, destructors return their object.
using Destructor = void* (*)(void*);

// What stands before an exception object.
struct alignas(std::max_align_t) Header {
  const TypeInfo* type;
  Destructor destroy;
  int references;  // its handlers, and each std::exception_ptr
  int handlers;    // that are running; negative while it is thrown on by one
  Header* outer;   // the exception whose handler was running when this one was caught
  void* caught;    // what the handler names
};

Header* newest = nullptr;  // of the exceptions whose handlers are running
unsigned uncaught = 0;

Header* header_of(void* object) { return static_cast<Header*>(object) - 1; }
void* object_of(Header* header) { return header + 1; }

void release(Header* header) {
  if (--header->references > 0) return;
  if (header->destroy != nullptr) header->destroy(object_of(header));
  std::free(header);
}

bool is_running(const Header* header) {
  for (const Header* h = newest; h != nullptr; h = h->outer)
    if (h == header) return true;
  return false;
}

[[noreturn]] void raise(Header* header) {
  ++uncaught;
  __builtin_wasm_throw(0, header);
}

std::uintptr_t read_unsigned(const std::uint8_t*& at) {
  std::uintptr_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = *at++;
    value |= static_cast<std::uintptr_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
}

std::intptr_t read_signed(const std::uint8_t*& at) {
  std::uintptr_t value = 0;
  for (unsigned shift = 0;;) {
    const std::uint8_t byte = *at++;
    value |= static_cast<std::uintptr_t>(byte & 0x7F) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    constexpr unsigned kBits = std::numeric_limits<std::uintptr_t>::digits;
    if ((byte & 0x40) != 0 && shift < kBits) value |= ~std::uintptr_t{0} << shift;
    return static_cast<std::intptr_t>(value);
  }
}

// The table of one function: types, call sites, and chains of handlers.
struct HandlerTable {
  explicit HandlerTable(const std::uint8_t* at) {
    constexpr std::uint8_t kOmitted = 0xFF;
    if (*at++ != kOmitted) read_unsigned(at);
    if (*at++ != kOmitted) {
      const std::uintptr_t size = read_unsigned(at);
      types = at + size;
    }
    ++at;  // how call sites are written: always as ULEB128
    const std::uintptr_t size = read_unsigned(at);
    call_sites = at;
    chains = at + size;
  }
  // The type of a handler, numbered from 1; null catches everything.
  const TypeInfo* type(std::intptr_t number) const {
    const TypeInfo* result = nullptr;
    std::memcpy(&result, types - number * static_cast<std::intptr_t>(sizeof(result)),
                sizeof(result));
    return result;
  }
  // The first link of the chain of handlers of a call site; null when it has none.
  const std::uint8_t* chain(std::uintptr_t site) const {
    const std::uint8_t* at = call_sites;
    while (true) {
      read_unsigned(at);
      const std::uintptr_t first = read_unsigned(at);
      if (site-- == 0) return first == 0 ? nullptr : chains + first - 1;
    }
  }

  const std::uint8_t* types = nullptr;
  const std::uint8_t* call_sites;
  const std::uint8_t* chains;
};

// The number of the handler of a chain that `header` belongs to; 0 when none does. Exception
// specifications, which have negative numbers, are no longer part of C++.
std::intptr_t handler_in(const HandlerTable& table, const std::uint8_t* link, Header& header) {
  while (link != nullptr) {
    const std::intptr_t number = read_signed(link);
    if (number > 0) {
      void* object = object_of(&header);
      const TypeInfo* const type = table.type(number);
      if (type == nullptr || type->can_catch(header.type, object)) {
        header.caught = object;
        return number;
      }
    }
    const std::uint8_t* const here = link;
    const std::intptr_t next = read_signed(link);
    link = next == 0 ? nullptr : here + next;
  }
  return 0;
}

}  // namespace

extern "C" {

// Filled by the code of a handler before it calls the function below, which sets the last member.
struct {
  std::uintptr_t call_site;
  const std::uint8_t* table;
  std::uintptr_t handler;
} __wasm_lpad_context;

// Finds the handler of the exception that the calling function has caught.
int _Unwind_CallPersonality(void* exception) {
  __wasm_lpad_context.handler = 0;
  if (__wasm_lpad_context.table == nullptr) return 0;
  const HandlerTable table(__wasm_lpad_context.table);
  __wasm_lpad_context.handler = static_cast<std::uintptr_t>(handler_in(
      table, table.chain(__wasm_lpad_context.call_site), *static_cast<Header*>(exception)));
  return 0;
}

void* __cxa_allocate_exception(std::size_t size) noexcept {
  auto* const header = static_cast<Header*>(std::calloc(1, sizeof(Header) + size));
  if (header == nullptr) std::terminate();
  return object_of(header);
}
void __cxa_free_exception(void* object) noexcept { std::free(header_of(object)); }

__cxxabiv1::__cxa_exception* __cxa_init_primary_exception(void* object, std::type_info* type,
                                                          Destructor destroy) noexcept {
  Header* const header = header_of(object);
  header->type = static_cast<const TypeInfo*>(type);
  header->destroy = destroy;
  return reinterpret_cast<__cxxabiv1::__cxa_exception*>(header);  // its users know no more of it
}

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, Destructor destroy) {
  __cxa_init_primary_exception(object, type, destroy);
  Header* const header = header_of(object);
  header->references = 1;
  raise(header);
}

void* __cxa_begin_catch(void* exception) noexcept {
  auto* const header = static_cast<Header*>(exception);
  header->handlers = (header->handlers < 0 ? -header->handlers : header->handlers) + 1;
  --uncaught;
  if (!is_running(header)) {
    header->outer = newest;
    newest = header;
  }
  return header->caught;
}
void* __cxa_get_exception_ptr(void* exception) noexcept {
  return static_cast<Header*>(exception)->caught;
}

void __cxa_end_catch() {
  Header* const header = newest;
  if (header == nullptr) return;
  if (header->handlers < 0) {  // it is on its way to an outer handler, which releases it
    if (++header->handlers == 0) newest = header->outer;
  } else if (--header->handlers == 0) {
    newest = header->outer;
    release(header);
  }
}

[[noreturn]] void __cxa_rethrow() {
  if (newest == nullptr) std::terminate();
  newest->handlers = -newest->handlers;
  raise(newest);
}

std::type_info* __cxa_current_exception_type() {
  return newest == nullptr ? nullptr : const_cast<TypeInfo*>(newest->type);
}
unsigned __cxa_uncaught_exceptions() noexcept { return uncaught; }
bool __cxa_uncaught_exception() noexcept { return uncaught > 0; }

// std::exception_ptr of libc++ holds the object, and calls these.
void __cxa_increment_exception_refcount(void* object) noexcept {
  if (object != nullptr) ++header_of(object)->references;
}
void __cxa_decrement_exception_refcount(void* object) noexcept {
  if (object != nullptr) release(header_of(object));
}
void* __cxa_current_primary_exception() noexcept {
  if (newest == nullptr) return nullptr;
  ++newest->references;
  return object_of(newest);
}
void __cxa_rethrow_primary_exception(void* object) {
  if (object == nullptr) return;
  ++header_of(object)->references;  // of the handler
  raise(header_of(object));
}

}  // extern "C"

// Those of libc++'s library end the program when they should throw.
template class std::basic_string<char>;

void* operator new(std::size_t size) {
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  if (size > std::numeric_limits<std::size_t>::max() - step) throw std::bad_alloc();
  const std::size_t whole = (size + step - 1) / step * step;
  if (void* const memory = std::aligned_alloc(step, whole == 0 ? step : whole)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
