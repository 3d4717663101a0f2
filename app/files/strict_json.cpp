#include "app/files/strict_json.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "app/document/tokenizer.h"
#include "app/files/reading.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 64;

// nlohmann's messages begin with "[json.exception.parse_error.101] parse error at ".
std::string parser_message(const char* what) {
  std::string_view text = what;
  for (const std::string_view before : {"] ", "parse error at "}) {
    const std::size_t at = text.find(before);
    if (at != text.npos) text.remove_prefix(at + before.size());
  }
  constexpr std::size_t kLongest = 200;
  return text.size() <= kLongest ? printable(text) : printable(text.substr(0, kLongest)) + "…";
}

// The digits as nlohmann's lexer hands them over have the decimal point of the locale.
json exact_number(double parsed, std::string digits) {
  for (char& c : digits)
    if (!((c >= '0' && c <= '9') || c == '+' || c == '-' || c == 'e' || c == 'E')) c = '.';
  float exact = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, exact);
  return error == std::errc() && stop == end ? json(exact) : json(parsed);
}

// Receives the parser's events and builds the value, refusing what is beyond the limits.
class Builder : public nlohmann::json_sax<json> {
 public:
  Builder(std::size_t most_values, attention::WorkWatch* watch)
      : values_left_(most_values), watch_(watch) {}

  json take() { return std::move(root_); }

  bool null() override { return add(json(), 1); }
  bool boolean(bool value) override { return add(value, 1); }
  bool number_integer(number_integer_t value) override { return add(value, 1); }
  bool number_unsigned(number_unsigned_t value) override { return add(value, 1); }
  bool number_float(number_float_t value, const string_t& digits) override {
    attention::report_work(watch_, std::ssize(digits));
    return add(exact_number(value, digits), 1);
  }
  bool string(string_t& value) override {
    attention::report_work(watch_, std::ssize(value));
    return add(std::move(value), 4);
  }
  bool binary(binary_t&) override { throw BadInput("binary data in JSON"); }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    auto& object = open_.back()->get_ref<json::object_t&>();
    if (object.contains(name)) throw BadInput("the member " + in_quotes(name) + " is there twice");
    attention::report_work(watch_, std::ssize(name));
    member_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    throw BadInput(parser_message(error.what()));
  }

 private:
  json* place(json value, std::size_t cost) {
    attention::report_work(watch_, 2);  // what is between the values
    if (cost > values_left_) throw BadInput("too many values for one file");
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
      throw BadInput("nested deeper than " + std::to_string(kDeepest) + " levels");
    open_.push_back(place(std::move(container), 4));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  json root_;
  std::vector<json*> open_;  // the lists and objects not yet closed, outermost first
  std::string member_;
  std::size_t values_left_;
  attention::WorkWatch* watch_;
};

}  // namespace

json parse_json(std::string_view text, std::size_t most_values, attention::WorkWatch* watch) {
  // The parser would take a NUL for the end of the text.
  if (const std::size_t at = text.find('\0'); at != text.npos)
    throw BadInput("a NUL byte at byte " + std::to_string(at) + "; JSON is text");
  Builder builder(most_values, watch);
  json::sax_parse(text.begin(), text.end(), &builder);
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
