#include "app/files/tensors/torch_file.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <variant>

#include "app/base/bad_input.h"
#include "app/files/io/little_endian.h"

namespace lab::files {
namespace {

struct Value;
using Shared = std::shared_ptr<Value>;
using Items = std::vector<Shared>;

// A class or a function that a pickle names.
struct Global {
  std::string name;
};
// What a storage is: numbers of one type under a key.
struct Storage {
  std::string type, key;
  std::int64_t count = 0;
};
struct TensorValue {
  Storage storage;
  std::int64_t offset = 0;
  std::vector<std::int64_t> shape, strides;
};
struct Dictionary {
  std::vector<std::pair<Shared, Shared>> items;
};
struct Value {
  std::variant<std::monostate, std::int64_t, std::string, Items, Dictionary, Global, Storage,
               TensorValue>
      data;
  int depth = 0;  // of what it holds
};

constexpr int kDeepestNesting = 64;

Shared made(auto data) { return std::make_shared<Value>(Value{std::move(data)}); }

const std::string* text_in(const Shared& value) { return std::get_if<std::string>(&value->data); }

std::int64_t number_in(const Shared& value) {
  const auto* const number = std::get_if<std::int64_t>(&value->data);
  if (number == nullptr) throw BadInput("something in the pickle should be a whole number");
  return *number;
}

const Items& items_in(const Shared& value) {
  const auto* const items = std::get_if<Items>(&value->data);
  if (items == nullptr) throw BadInput("something in the pickle should be a tuple");
  return *items;
}

std::vector<std::int64_t> numbers_in(const Shared& value) {
  std::vector<std::int64_t> numbers;
  for (const Shared& item : items_in(value)) numbers.push_back(number_in(item));
  return numbers;
}

// Follows the instructions of one pickle, as far as tensors need them.
class Unpickler {
 public:
  explicit Unpickler(std::string_view bytes) : bytes_(bytes) {}

  // The value that the pickle describes. Throws BadInput.
  Shared read() {
    while (true) {
      const auto instruction = static_cast<unsigned char>(take(1).front());
      if (instruction == '.') return pop();
      follow(instruction);
    }
  }
  // The bytes that it took.
  std::size_t taken() const { return at_; }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) throw BadInput("the pickle ends in the middle");
    const std::string_view taken = bytes_.substr(at_, count);
    at_ += count;
    return taken;
  }
  std::uint64_t take_number(std::size_t size) { return load_little_endian(take(size)); }
  std::string take_line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == bytes_.npos) throw BadInput("the pickle ends in the middle");
    std::string line(bytes_.substr(at_, end - at_));
    at_ = end + 1;
    return line;
  }

  void push(Shared value) { stack_.push_back(std::move(value)); }
  Shared pop() {
    if (stack_.empty()) throw BadInput("the pickle takes more than it made");
    Shared value = std::move(stack_.back());
    stack_.pop_back();
    return value;
  }
  Value& top() {
    if (stack_.empty()) throw BadInput("the pickle takes more than it made");
    return *stack_.back();
  }
  // The values since the last mark, which goes too.
  Items pop_marked() {
    if (marks_.empty() || marks_.back() > stack_.size())
      throw BadInput("the pickle takes more than it made");
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    Items items(std::make_move_iterator(first), std::make_move_iterator(stack_.end()));
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return items;
  }
  Items pop_last(std::size_t count) {
    Items items(count);
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    return items;
  }

  static void hold(Value& holder, const Shared& value) {
    holder.depth = std::max(holder.depth, value->depth + 1);
    if (holder.depth > kDeepestNesting) throw BadInput("the pickle is nested too deeply");
  }
  void push_tuple(Items items) {
    Shared tuple = made(Items());
    for (const Shared& item : items) hold(*tuple, item);
    tuple->data = std::move(items);
    push(std::move(tuple));
  }
  void append(Items items) {
    Value& list = top();
    auto* const all = std::get_if<Items>(&list.data);
    if (all == nullptr) throw BadInput("the pickle appends to something that is no list");
    for (Shared& item : items) {
      hold(list, item);
      all->push_back(std::move(item));
    }
  }
  void set_items(Items items) {
    Value& holder = top();
    auto* const dictionary = std::get_if<Dictionary>(&holder.data);
    if (dictionary == nullptr || items.size() % 2 != 0)
      throw BadInput("the pickle sets members of something that has none");
    for (std::size_t i = 0; i < items.size(); i += 2) {
      hold(holder, items[i]);
      hold(holder, items[i + 1]);
      dictionary->items.emplace_back(std::move(items[i]), std::move(items[i + 1]));
    }
  }

  void remember(std::uint64_t number) {
    if (stack_.empty()) throw BadInput("the pickle takes more than it made");
    memo_[number] = stack_.back();
  }
  void recall(std::uint64_t number) {
    const auto at = memo_.find(number);
    if (at == memo_.end()) throw BadInput("the pickle recalls what it did not remember");
    push(at->second);
  }

  void push_global(const std::string& module, const std::string& name) {
    push(made(Global{module + "." + name}));
  }

  // ("storage", type, key, place, count): a storage elsewhere in the file.
  void push_storage() {
    const Shared tuple = pop();
    const Items& id = items_in(tuple);
    const bool fits = id.size() >= 5 && text_in(id[0]) != nullptr && *text_in(id[0]) == "storage" &&
                      std::holds_alternative<Global>(id[1]->data) && text_in(id[2]) != nullptr;
    if (!fits) throw BadInput("the pickle refers to something that is no storage");
    push(made(Storage{std::get<Global>(id[1]->data).name, *text_in(id[2]), number_in(id[4])}));
  }

  // What the named function makes of its arguments.
  void call() {
    const Shared given = pop();
    const Shared function = pop();
    const Items& arguments = items_in(given);
    const auto* const global = std::get_if<Global>(&function->data);
    if (global == nullptr) throw BadInput("the pickle calls something that is no function");
    if (global->name == "collections.OrderedDict" && arguments.empty())
      return push(made(Dictionary()));
    if (global->name == "torch._utils._rebuild_parameter" && !arguments.empty())
      return push(arguments.front());
    if (global->name != "torch._utils._rebuild_tensor_v2" || arguments.size() < 4)
      throw BadInput("the pickle asks for " + in_quotes(global->name) + ", which is not run");
    const auto* const storage = std::get_if<Storage>(&arguments[0]->data);
    if (storage == nullptr) throw BadInput("a tensor of the pickle has no storage");
    push(made(TensorValue{*storage, number_in(arguments[1]), numbers_in(arguments[2]),
                          numbers_in(arguments[3])}));
  }

  // Follows an instruction that makes a value from what stands behind it; false for others.
  bool makes_value(unsigned char instruction) {
    switch (instruction) {
      case '}':
        push(made(Dictionary()));
        break;
      case ']':
      case ')':
        push(made(Items()));
        break;
      case 'N':
        push(made(std::monostate()));
        break;
      case 0x88:  // true
        push(made(std::int64_t{1}));
        break;
      case 0x89:  // false
        push(made(std::int64_t{0}));
        break;
      case 'J':
        push(made(std::int64_t{static_cast<std::int32_t>(take_number(4))}));
        break;
      case 'K':
        push(made(static_cast<std::int64_t>(take_number(1))));
        break;
      case 'M':
        push(made(static_cast<std::int64_t>(take_number(2))));
        break;
      case 0x8A:
        push_long(take_number(1));
        break;
      case 'G':  // a number of 8 bytes, which no tensor needs
        take(8);
        push(made(std::monostate()));
        break;
      case 'X':
      case 'T':
        push(made(std::string(take(take_number(4)))));
        break;
      case 0x8C:
      case 'U':
        push(made(std::string(take(take_number(1)))));
        break;
      default:
        return false;
    }
    return true;
  }

  // Follows an instruction that remembers the value on top, or recalls one; false for others.
  bool remembers(unsigned char instruction) {
    switch (instruction) {
      case 'q':
        remember(take_number(1));
        break;
      case 'r':
        remember(take_number(4));
        break;
      case 0x94:
        remember(memo_.size());
        break;
      case 'h':
        recall(take_number(1));
        break;
      case 'j':
        recall(take_number(4));
        break;
      default:
        return false;
    }
    return true;
  }

  void follow(unsigned char instruction) {
    if (makes_value(instruction) || remembers(instruction)) return;
    switch (instruction) {
      case 0x80:  // protocol
        return static_cast<void>(take(1));
      case 0x95:  // frame
        return static_cast<void>(take(8));
      case '(':
        return marks_.push_back(stack_.size());
      case '0':
        return static_cast<void>(pop());
      case 't':
        return push_tuple(pop_marked());
      case 0x85:
        return push_tuple(pop_last(1));
      case 0x86:
        return push_tuple(pop_last(2));
      case 0x87:
        return push_tuple(pop_last(3));
      case 'a':
        return append(pop_last(1));
      case 'e':
        return append(pop_marked());
      case 's':
        return set_items(pop_last(2));
      case 'u':
        return set_items(pop_marked());
      case 'c': {
        const std::string module = take_line();
        return push_global(module, take_line());
      }
      case 0x93: {
        const Items names = pop_last(2);
        if (text_in(names[0]) == nullptr || text_in(names[1]) == nullptr)
          throw BadInput("the pickle names a function by something that is no text");
        return push_global(*text_in(names[0]), *text_in(names[1]));
      }
      case 'Q':
        return push_storage();
      case 'R':
        return call();
      case 'b':  // the state of an object: PyTorch gives dictionaries one, which is not needed
        return static_cast<void>(pop());
      default:
        throw BadInput("the pickle has an instruction that tensors do not need, " +
                       std::to_string(instruction));
    }
  }

  void push_long(std::uint64_t size) {
    if (size > 8) {  // the magic number of old files, and nothing else
      take(size);
      return push(made(std::monostate()));
    }
    const std::uint64_t bits = size == 0 ? 0 : take_number(size);
    const bool negative = size > 0 && size < 8 && (bits >> (8 * size - 1) & 1U) != 0;
    push(made(static_cast<std::int64_t>(negative ? bits - (std::uint64_t{1} << 8 * size) : bits)));
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  Items stack_;
  std::vector<std::size_t> marks_;
  std::map<std::uint64_t, Shared> memo_;
};

struct StorageType {
  const char* storage;
  ElementType type;
  const char* name;
};
constexpr std::array kStorageTypes = std::to_array<StorageType>({
    {"torch.FloatStorage", ElementType::kF32, "F32"},
    {"torch.HalfStorage", ElementType::kF16, "F16"},
    {"torch.BFloat16Storage", ElementType::kBF16, "BF16"},
    {"torch.DoubleStorage", ElementType::kF64, "F64"},
    {"torch.LongStorage", ElementType::kI64, "I64"},
    {"torch.IntStorage", ElementType::kI32, "I32"},
    {"torch.ShortStorage", ElementType::kI16, "I16"},
    {"torch.CharStorage", ElementType::kI8, "I8"},
    {"torch.ByteStorage", ElementType::kU8, "U8"},
    {"torch.BoolStorage", ElementType::kBool, "BOOL"},
});

const StorageType* storage_type(const std::string& storage) {
  const auto at = std::ranges::find_if(
      kStorageTypes, [&](const StorageType& type) { return storage == type.storage; });
  return at == kStorageTypes.end() ? nullptr : &*at;
}

struct Range {
  std::uint64_t begin = 0, end = 0;
};

// Where in a file the storages are, by their keys.
using Places = std::map<std::string, Range, std::less<>>;

// True when numbers of that shape lie one after the other.
bool is_dense(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides) {
  std::int64_t step = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

TorchEntry entry_of(const std::string& name, const TensorValue& tensor, const Places& places,
                    std::int64_t most_numbers) {
  const auto refuse = [&](const std::string& problem) {
    throw BadInput("tensor " + in_quotes(name) + ": " + problem);
  };
  TorchEntry entry{
      .name = name, .type = {}, .type_name = tensor.storage.type, .shape = tensor.shape};
  const auto place = places.find(tensor.storage.key);
  if (place == places.end()) refuse("its storage " + in_quotes(tensor.storage.key) + " is missing");
  if (tensor.strides.size() != tensor.shape.size() || tensor.offset < 0) refuse("it has no shape");
  std::int64_t count = 1;
  for (const std::int64_t side : tensor.shape) {
    if (side < 0 || (side > 0 && count > most_numbers / side)) refuse("it is too large");
    count *= side;
  }
  std::vector<std::int64_t> strides = tensor.strides;
  if (count > 0 && !is_dense(entry.shape, strides) && entry.shape.size() == 2) {
    std::swap(entry.shape[0], entry.shape[1]);
    std::swap(strides[0], strides[1]);
    entry.transposed = true;
  }
  if (count > 0 && !is_dense(entry.shape, strides))
    refuse("its numbers do not lie one after the other");
  const StorageType* const type = storage_type(tensor.storage.type);
  if (type == nullptr) return entry;
  entry.type = type->type;
  entry.type_name = type->name;
  const auto size = static_cast<std::uint64_t>(element_size(type->type));
  const std::uint64_t length = place->second.end - place->second.begin;
  const auto offset = static_cast<std::uint64_t>(tensor.offset);
  if (offset > length / size || static_cast<std::uint64_t>(count) > length / size - offset)
    refuse("it is longer than its storage");
  entry.begin = place->second.begin + offset * size;
  entry.end = entry.begin + static_cast<std::uint64_t>(count) * size;
  return entry;
}

const Dictionary* dictionary_in(const Shared& value) {
  return std::get_if<Dictionary>(&value->data);
}

// The tensors of a dictionary, or of one that it holds.
std::vector<TorchEntry> entries_of(const Shared& value, const Places& places,
                                   std::int64_t most_numbers) {
  const Dictionary* dictionary = dictionary_in(value);
  if (dictionary == nullptr) throw BadInput("the pickle is no dictionary of tensors");
  for (const auto& [key, inside] : dictionary->items) {
    const std::string* const name = text_in(key);
    const bool holder = name != nullptr && (*name == "state_dict" || *name == "model");
    if (!holder || dictionary_in(inside) == nullptr) continue;
    dictionary = dictionary_in(inside);
    break;
  }
  std::vector<TorchEntry> entries;
  for (const auto& [key, inside] : dictionary->items) {
    const auto* const tensor = std::get_if<TensorValue>(&inside->data);
    if (tensor == nullptr) continue;
    if (text_in(key) == nullptr) throw BadInput("a tensor of the pickle has no name");
    entries.push_back(entry_of(*text_in(key), *tensor, places, most_numbers));
  }
  if (entries.empty()) throw BadInput("the pickle holds no tensors");
  return entries;
}

// The files of a ZIP archive, which are stored as they are.
Places files_of_zip(std::string_view bytes) {
  constexpr std::size_t kEnd = 22, kEntry = 46, kLocal = 30, kLongestComment = 65535;
  constexpr std::uint64_t kIn64 = 0xFFFFFFFF;
  const auto number = [&](std::uint64_t at, std::size_t size) {
    if (at > bytes.size() || size > bytes.size() - at)
      throw BadInput("the list of files in the archive is damaged");
    return load_little_endian(bytes.substr(at, size));
  };
  if (bytes.size() < kEnd) throw BadInput("the archive is cut");
  const std::size_t last = bytes.size() - kEnd;
  std::size_t end = last;
  while (bytes.substr(end, 4) != "PK\x05\x06") {
    if (end == 0 || last - end >= kLongestComment) throw BadInput("the archive is cut");
    --end;
  }
  std::uint64_t count = number(end + 10, 2), at = number(end + 16, 4);
  if ((at == kIn64 || count == 0xFFFF) && end >= 20 && bytes.substr(end - 20, 4) == "PK\x06\x07") {
    const std::uint64_t end64 = number(end - 20 + 8, 8);
    count = number(end64 + 32, 8);
    at = number(end64 + 48, 8);
  }
  Places files;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (number(at, 4) != 0x02014B50) throw BadInput("the list of files in the archive is damaged");
    const std::uint64_t name = number(at + 28, 2), extra = number(at + 30, 2);
    std::uint64_t size = number(at + 24, 4), local = number(at + 42, 4);
    number(at + kEntry, name + extra == 0 ? 0 : 1);
    for (std::uint64_t field = at + kEntry + name; field + 4 <= at + kEntry + name + extra;) {
      const std::uint64_t length = number(field + 2, 2);
      if (number(field, 2) == 1) {  // 64 bits for what does not fit 32
        std::uint64_t value = field + 4;
        if (size == kIn64) size = number(value, 8), value += 8;
        if (number(at + 20, 4) == kIn64) value += 8;
        if (local == kIn64) local = number(value, 8);
      }
      field += 4 + length;
    }
    if (number(at + 10, 2) != 0) throw BadInput("the archive is compressed");
    const std::uint64_t data = local + kLocal + number(local + 26, 2) + number(local + 28, 2);
    if (data > bytes.size() || size > bytes.size() - data)
      throw BadInput("a file of the archive is cut");
    if (name > bytes.size() - (at + kEntry)) throw BadInput("the archive is cut");
    files[std::string(bytes.substr(at + kEntry, name))] = {data, data + size};
    at += kEntry + name + extra + number(at + 32, 2);
  }
  return files;
}

std::vector<TorchEntry> read_archive(std::string_view bytes, std::int64_t most_numbers) {
  const Places files = files_of_zip(bytes);
  const auto pickle = std::ranges::find_if(files, [](const auto& file) {
    return file.first == "data.pkl" || file.first.ends_with("/data.pkl");
  });
  if (pickle == files.end()) throw BadInput("the archive has no data.pkl");
  const std::string folder =
      pickle->first.substr(0, pickle->first.size() - std::string_view("data.pkl").size());
  if (const auto order = files.find(folder + "byteorder"); order != files.end())
    if (bytes.substr(order->second.begin, order->second.end - order->second.begin) != "little")
      throw BadInput("its numbers are in another order of bytes, which is not supported");
  Places storages;
  for (const auto& [name, range] : files)
    if (name.starts_with(folder + "data/"))
      storages[name.substr(folder.size() + std::string_view("data/").size())] = range;
  Unpickler unpickler(
      bytes.substr(pickle->second.begin, pickle->second.end - pickle->second.begin));
  return entries_of(unpickler.read(), storages, most_numbers);
}

// The storages that a value refers to.
void collect_storages(const Shared& value, std::map<std::string, Storage>& storages) {
  if (const auto* const tensor = std::get_if<TensorValue>(&value->data))
    storages.emplace(tensor->storage.key, tensor->storage);
  if (const Dictionary* const dictionary = dictionary_in(value))
    for (const auto& [key, inside] : dictionary->items) collect_storages(inside, storages);
}

// Four pickles, a list of keys, and the storages in that order, each after the number of its
// numbers.
std::vector<TorchEntry> read_pickles(std::string_view bytes, std::int64_t most_numbers) {
  std::size_t at = 0;
  const auto next = [&] {
    Unpickler unpickler(bytes.substr(at));
    Shared value = unpickler.read();
    at += unpickler.taken();
    return value;
  };
  for (int i = 0; i < 3; ++i) next();  // a magic number, the version, the machine
  const Shared value = next();
  const Shared keys = next();
  std::map<std::string, Storage> storages;
  collect_storages(value, storages);
  Places places;
  for (const Shared& item : items_in(keys)) {
    const std::string* const key = text_in(item);
    const auto storage = key == nullptr ? storages.end() : storages.find(*key);
    const StorageType* const type =
        storage == storages.end() ? nullptr : storage_type(storage->second.type);
    if (type == nullptr) throw BadInput("a storage of the file belongs to no tensor");
    if (bytes.size() - at < 8) throw BadInput("the file is cut");
    const std::uint64_t count = load_little_endian(bytes.substr(at, 8));
    const auto size = static_cast<std::uint64_t>(element_size(type->type));
    at += 8;
    if (count > (bytes.size() - at) / size) throw BadInput("the file is cut");
    places[*key] = {at, at + count * size};
    at += count * size;
  }
  return entries_of(value, places, most_numbers);
}

}  // namespace

std::vector<TorchEntry> read_torch_file(std::string_view bytes, std::int64_t most_numbers) {
  return bytes.starts_with("PK") ? read_archive(bytes, most_numbers)
                                 : read_pickles(bytes, most_numbers);
}

}  // namespace lab::files
