#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/json_cursor.h"
#include "app/files/session/json_writer.h"
#include "core/matrix.h"

// Structs as JSON, written and read by the same description of their members.

namespace lab::files {

/// How a value stands in JSON: `read(cursor)`, which throws BadInput, and `write(writer, value)`. A
/// codec is an object with these two functions; this one is used unless a member names its own.
template <typename Value>
struct JsonValue;

/// Specialised for a struct that is an object in JSON:
///   a base: how the object is laid out, and what becomes of unknown members;
///   visit(record, members): calls for each member, in the order in which they are written,
///     members(name, field)                 when it must be there,
///     members.may_miss(name, field)        when it is always written, but keeps its value where an
///                                          object has no such member,
///     members.unless_default(name, field)  when it is written only if it differs from Field{}, and
///                                          may be missing too,
///   each with a codec as a third argument where the JSON does not follow from the type.
template <typename Record>
struct JsonFields;

/// How such an object is laid out, and whether unknown members are refused.
template <JsonLayout layout, bool strict>
struct JsonObject {
  static constexpr JsonLayout kLayout = layout;
  static constexpr bool kStrict = strict;
};
/// One whose unknown members are ignored, because newer versions may write some.
using OpenLine = JsonObject<JsonLayout::kOneLine, false>;
using OpenLines = JsonObject<JsonLayout::kLines, false>;
/// One whose unknown members are refused.
using StrictLine = JsonObject<JsonLayout::kOneLine, true>;
using StrictLines = JsonObject<JsonLayout::kLines, true>;

/// The structs that have such a description.
template <typename Record>
concept JsonRecord = requires {
  JsonFields<Record>::kLayout;
};

/// Whether the value is the default; a float bit for bit: −0 is written differently from 0.
template <typename Value>
bool is_default(const Value& value, const Value& by_default) {
  return value == by_default;
}
/// The same for a float, by its bits.
inline bool is_default(float value, float by_default) {
  return std::bit_cast<std::uint32_t>(value) == std::bit_cast<std::uint32_t>(by_default);
}

/// Writes the members of a record into the object that is open.
class FieldWriter {
 public:
  /// Into the object that is open in `out`, which must outlive it.
  explicit FieldWriter(JsonWriter& out) : out_(out) {}

  template <typename Field, typename Codec = JsonValue<Field>>
  void operator()(std::string_view name, const Field& field, const Codec& codec = {}) const {
    out_.member(name);
    codec.write(out_, field);
  }
  /// Writes the member; only a reader may miss it.
  template <typename Field, typename Codec = JsonValue<Field>>
  void may_miss(std::string_view name, const Field& field, const Codec& codec = {}) const {
    (*this)(name, field, codec);
  }
  /// Writes the member unless it is Field{}.
  template <typename Field, typename Codec = JsonValue<Field>>
  void unless_default(std::string_view name, const Field& field, const Codec& codec = {}) const {
    if (!is_default(field, Field{})) (*this)(name, field, codec);
  }

 private:
  JsonWriter& out_;
};

/// Reads the members of a record.
class FieldReader {
 public:
  /// From `object`, which must outlive it.
  explicit FieldReader(const JsonCursor& object) : object_(object) {}

  template <typename Field, typename Codec = JsonValue<Field>>
  void operator()(std::string_view name, Field& field, const Codec& codec = {}) const {
    field = codec.read(object_.at(name));
  }
  /// Reads the member; where it is missing, `field` stays as it is.
  template <typename Field, typename Codec = JsonValue<Field>>
  void may_miss(std::string_view name, Field& field, const Codec& codec = {}) const {
    if (const auto member = object_.find(name)) field = codec.read(*member);
  }
  /// The same as may_miss(), since the writer leaves defaults out.
  template <typename Field, typename Codec = JsonValue<Field>>
  void unless_default(std::string_view name, Field& field, const Codec& codec = {}) const {
    may_miss(name, field, codec);
  }

 private:
  const JsonCursor& object_;
};

/// Collects the names of the members of a record.
class FieldNames {
 public:
  void operator()(std::string_view name, const auto&...) { names.push_back(name); }
  /// The same for members that may be missing.
  void may_miss(std::string_view name, const auto&...) { names.push_back(name); }
  /// The same for members that are left out as defaults.
  void unless_default(std::string_view name, const auto&...) { names.push_back(name); }

  std::vector<std::string_view> names;
};

/// Reads the members that `object` has into `record`. Throws BadInput.
template <JsonRecord Record>
void read_fields(const JsonCursor& object, Record& record) {
  if constexpr (JsonFields<Record>::kStrict) {
    FieldNames known;
    JsonFields<Record>::visit(record, known);
    object.object_of(known.names);
  }
  JsonFields<Record>::visit(record, FieldReader(object.object()));
}

template <JsonRecord Record>
struct JsonValue<Record> {
  /// Reads all members, by the rules of JsonFields<Record>.
  static Record read(const JsonCursor& object) {
    Record record{};
    read_fields(object, record);
    return record;
  }
  /// Writes them as an object.
  static void write(JsonWriter& out, const Record& record) {
    out.begin('{', JsonFields<Record>::kLayout);
    JsonFields<Record>::visit(record, FieldWriter(out));
    out.end('}');
  }
};

template <>
struct JsonValue<std::string> {
  static std::string read(const JsonCursor& value) { return value.text(); }
  static void write(JsonWriter& out, std::string_view value) { out.string(value); }
};

template <>
struct JsonValue<bool> {
  static bool read(const JsonCursor& value) { return value.flag(); }
  static void write(JsonWriter& out, bool value) { out.flag(value); }
};

template <>
struct JsonValue<float> {
  static float read(const JsonCursor& value) { return value.number(); }
  static void write(JsonWriter& out, float value) { out.number(value); }
};

/// Whole numbers from 0 that fit an int, unless they are kept in 64 bits without a sign.
template <std::integral Whole>
struct JsonValue<Whole> {
  static Whole read(const JsonCursor& value) { return static_cast<Whole>(value.whole()); }
  static void write(JsonWriter& out, Whole value) { out.whole(value); }
};

template <>
struct JsonValue<std::uint64_t> {
  static std::uint64_t read(const JsonCursor& value) { return value.seed(); }
  static void write(JsonWriter& out, std::uint64_t value) { out.whole(value); }
};

/// Whole numbers that count from 0 and are written from 1, as people count.
struct JsonFromOne {
  /// Refuses 0, which counts from 1 do not have.
  static int read(const JsonCursor& value) {
    const int number = value.whole();
    if (number < 1) value.refuse("0, should be a whole number from 1");
    return number - 1;
  }
  static void write(JsonWriter& out, std::integral auto value) { out.whole(value + 1); }
};

template <typename Value>
struct JsonValue<std::optional<Value>> {
  static Value read(const JsonCursor& value) { return JsonValue<Value>::read(value); }
  static void write(JsonWriter& out, const std::optional<Value>& value) {
    JsonValue<Value>::write(out, *value);
  }
};

/// A list of at most `most` values: those that are objects are laid out in lines, others on one.
template <typename Value, typename Codec = JsonValue<Value>>
struct JsonList {
  std::size_t most = std::numeric_limits<std::size_t>::max();
  JsonLayout layout = JsonRecord<Value> ? JsonLayout::kLines : JsonLayout::kOneLine;
  Codec codec = {};

  /// Reads item by item; refuses a list that is longer than `most`.
  std::vector<Value> read(const JsonCursor& list) const {
    std::vector<Value> values;
    list.list(most).for_each([&](const JsonCursor& item) { values.push_back(codec.read(item)); });
    return values;
  }
  void write(JsonWriter& out, const std::vector<Value>& values) const {
    out.list(
        values, [&](const Value& value) { codec.write(out, value); }, layout);
  }
};
template <typename Value>
struct JsonValue<std::vector<Value>> : JsonList<Value> {};

/// Writes a member of the object that is open.
template <typename Value, typename Codec = JsonValue<Value>>
void write_member(JsonWriter& out, std::string_view name, const Value& value,
                  const Codec& codec = {}) {
  FieldWriter{out}(name, value, codec);
}
/// Writes a member unless it has the value Value{}.
template <typename Value, typename Codec = JsonValue<Value>>
void write_unless_default(JsonWriter& out, std::string_view name, const Value& value,
                          const Codec& codec = {}) {
  FieldWriter(out).unless_default(name, value, codec);
}

/// A value as JSON on one line.
template <typename Value, typename Codec = JsonValue<Value>>
std::string json_line(const Value& value, const Codec& codec = {}) {
  JsonWriter out;
  codec.write(out, value);
  return out.text();
}

}  // namespace lab::files
