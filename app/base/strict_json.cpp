#include "app/base/strict_json.h"

#include <rapidjson/encodedstream.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/base/machine_numbers.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 64;
constexpr const char* kBeyond = "a number beyond all that can be computed with";

std::string_view meaning_of(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorDocumentEmpty:
      return "there is nothing";
    case rapidjson::kParseErrorDocumentRootNotSingular:
      return "something follows after the end";
    case rapidjson::kParseErrorObjectMissName:
      return "should be the name of a member, in quotes";
    case rapidjson::kParseErrorObjectMissColon:
      return "a colon is missing after the name of a member";
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
      return "a comma or } is missing after a member";
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
      return "a comma or ] is missing after a value";
    case rapidjson::kParseErrorStringMissQuotationMark:
      return "the text that begins here has no closing quote";
    case rapidjson::kParseErrorStringInvalidEncoding:
      return "a control character, or bytes that are no UTF-8";
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
    case rapidjson::kParseErrorStringEscapeInvalid:
      return "a \\ that stands for no character";
    case rapidjson::kParseErrorNumberTooBig:
      return kBeyond;
    case rapidjson::kParseErrorNumberMissFraction:
    case rapidjson::kParseErrorNumberMissExponent:
      return "digits are missing in a number";
    default:
      return "this is not a value";
  }
}

BadJson beyond(const std::string& limit) { return {BadJson::Problem::kLimit, limit}; }

// "line 6, column 16: a comma or } is missing after a member"; columns count bytes.
BadJson problem_at(std::string_view text, std::size_t at, rapidjson::ParseErrorCode code) {
  const std::string_view before = text.substr(0, at);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t last_end = before.rfind('\n');
  const std::size_t column = last_end == before.npos ? at + 1 : at - last_end;
  const bool number = code == rapidjson::kParseErrorNumberTooBig;
  const bool begins = code == rapidjson::kParseErrorValueInvalid &&
                      before.find_first_not_of(" \t\r\n") == before.npos;
  BadJson problem(number ? BadJson::Problem::kNumber : BadJson::Problem::kSyntax,
                  "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " +
                      std::string(begins ? "this is not JSON" : meaning_of(code)));
  problem.at = at;
  return problem;
}

BadJson repeated(const std::string& member) {
  BadJson problem(BadJson::Problem::kRepeatedMember,
                  "the member " + in_quotes(member) + " is there twice");
  problem.member = member;
  return problem;
}

// A number that float32 cannot hold. One too small for double becomes 0 or nearly so.
json wide_number(std::string_view digits) {
  if (const auto number = parse_number<double>(digits)) return *number;
  const auto number = parse_number<long double>(digits);
  if (!number || std::fabs(*number) > std::numeric_limits<double>::max())
    throw BadJson(BadJson::Problem::kNumber, in_quotes(digits) + " is " + kBeyond);
  return static_cast<double>(*number);
}

// −0 differs from 0, and no integer is −0.
json number_of(std::string_view digits) {
  const bool whole = digits.find_first_of(".eE") == digits.npos && digits != "-0";
  if (whole && digits.front() != '-') {
    if (const auto number = parse_number<std::uint64_t>(digits)) return *number;
  } else if (whole) {
    if (const auto number = parse_number<std::int64_t>(digits)) return *number;
  }
  const auto number = parse_number<float>(digits);
  return number ? json(*number) : wide_number(digits);
}

// Receives the events of the parser and builds the value, refusing what exceeds the limits.
class Builder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Builder> {
 public:
  Builder(const JsonLimits& limits, attention::WorkWatch* watch)
      : limits_(limits), values_left_(limits.most_values), watch_(watch) {}

  json take() { return std::move(root_); }

  bool Null() { return add(json(), 1); }
  bool Bool(bool value) { return add(value, 1); }
  bool RawNumber(const char* digits, rapidjson::SizeType length, bool) {
    attention::report_work(watch_, length);
    return add(number_of({digits, length}), 1);
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    attention::report_work(watch_, length);
    return add(std::string(text, length), limits_.text_or_list_counts);
  }
  bool StartObject() {
    if (!limits_.nested_objects && !open_.empty())
      throw beyond("a value within another is an object");
    return open(json::object());
  }
  bool StartArray() { return open(json::array()); }
  bool EndObject(rapidjson::SizeType) { return close(); }
  bool EndArray(rapidjson::SizeType) { return close(); }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    member_.assign(text, length);
    const auto& members = open_.back()->get_ref<json::object_t&>();
    if (members.size() == limits_.most_members) throw beyond("there are too many members");
    if (members.contains(member_)) throw repeated(member_);
    attention::report_work(watch_, length);
    return true;
  }

 private:
  json* place(json value, std::size_t cost) {
    attention::report_work(watch_, 2);  // for the text between the values
    if (cost > values_left_) throw beyond("too many values");
    values_left_ -= cost;
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    json& parent = *open_.back();
    if (parent.is_object()) return &(parent[member_] = std::move(value));
    parent.push_back(std::move(value));
    return &parent.back();
  }
  bool add(json value, std::size_t cost) {
    place(std::move(value), cost);
    return true;
  }
  bool open(json container) {
    if (open_.size() == kDeepest)
      throw beyond("nested deeper than " + std::to_string(kDeepest) + " levels");
    open_.push_back(place(std::move(container), limits_.text_or_list_counts));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  json root_;
  std::vector<json*> open_;  // the lists and objects not yet closed, outermost first
  std::string member_;
  JsonLimits limits_;
  std::size_t values_left_;
  attention::WorkWatch* watch_;
};

}  // namespace

json parse_json(std::string_view text, std::size_t most_values, attention::WorkWatch* watch) {
  return parse_json(text, JsonLimits{.most_values = most_values}, watch);
}

json parse_json(std::string_view text, const JsonLimits& limits, attention::WorkWatch* watch) {
  // The parser would treat a NUL as the end of the text.
  if (const std::size_t at = text.find('\0'); at != text.npos)
    throw beyond("a NUL byte at byte " + std::to_string(at) + "; JSON is text");
  rapidjson::MemoryStream bytes(text.data(), text.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
  constexpr unsigned kFlags =
      rapidjson::kParseValidateEncodingFlag | rapidjson::kParseNumbersAsStringsFlag;
  Builder builder(limits, watch);
  rapidjson::Reader reader;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
  if (result.IsError()) throw problem_at(text, result.Offset(), result.Code());
  return builder.take();
}

float json_float(const json& value) {
  if (value.is_string()) {
    const auto& name = value.get_ref<const std::string&>();
    if (name == "NaN") return std::numeric_limits<float>::quiet_NaN();
    if (name == "Infinity") return std::numeric_limits<float>::infinity();
    if (name == "-Infinity") return -std::numeric_limits<float>::infinity();
  }
  if (!value.is_number()) throw BadInput(json_text(value) + ", should be a number");
  const double number = value.get<double>();
  if (std::fabs(number) > double{std::numeric_limits<float>::max()})
    throw BadInput(json_text(value) + " is beyond float32, whose largest number is 3.4e38");
  return static_cast<float>(number);
}

std::string json_text(const json& value) {
  if (value.is_string()) return in_quotes(value.get_ref<const std::string&>());
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  if (value.is_null()) return "nothing";
  return value.dump();
}

}  // namespace lab
