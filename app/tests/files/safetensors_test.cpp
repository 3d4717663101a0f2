#include <cmath>
#include <limits>

#include "app/files/io/little_endian.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using ::testing::HasSubstr;

std::string safetensors(const std::string& header, const std::string& data = {}) {
  std::string bytes;
  append_little_endian(bytes, header.size(), 8);
  return bytes + header + data;
}

// One tensor x of that type and shape.
std::string one(const std::string& dtype, const std::string& shape, const std::string& data) {
  return safetensors(R"({"x":{"dtype":")" + dtype + R"(","shape":)" + shape +
                         R"(,"data_offsets":[0,)" + std::to_string(data.size()) + "]}}",
                     data);
}

TEST(Safetensors, AnyTensorsReadBackBitForBit) {
  HardNumbers random(7);
  TensorFile file;
  file.tensors = {random.tensor("X", {7, 3}),         random.tensor("empty", {0, 5}),
                  random.tensor("scalar", {}),        random.tensor("a", {2, 3, 4, 5}),
                  random.tensor("“quoted\" \n", {9}), random.tensor("empty too", {3, 0, 2})};
  file.metadata = {{"scale", "false"}, {"tokens", R"(["a","\"b\""])"}};
  const std::string bytes = write_safetensors(file);
  expect_same(value_of(read_safetensors(bytes)), file);
  EXPECT_EQ(load_little_endian(bytes.substr(0, 8)) % 8, 0u) << "the header is padded to 8 bytes";
  EXPECT_EQ(write_safetensors(file), bytes);
}

TEST(Safetensors, AFileWithNothingInItIsAFile) {
  expect_same(value_of(read_safetensors(write_safetensors({}))), {});
}

struct TypeCase {
  const char* dtype;
  std::string bytes;
  std::vector<float> values;
};

TEST(Safetensors, EveryNumberTypeBecomesFloat) {
  using namespace std::string_literals;
  const float infinity = std::numeric_limits<float>::infinity();
  const TypeCase cases[] = {
      {"BOOL", "\x00\x01"s, {0, 1}},
      {"U8", "\x00\xFF"s, {0, 255}},
      {"I8", "\x7F\x80"s, {127, -128}},
      {"I16", "\xFF\x7F\x00\x80"s, {32767, -32768}},
      {"I32", "\x40\xE2\x01\x00\xFF\xFF\xFF\xFF"s, {123456, -1}},
      {"I64",
       "\x00\x00\x00\x00\x01\x00\x00\x00\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s,
       {4294967296.0f, -2}},
      // 1.5, −0, the smallest subnormal, the largest, −∞
      {"F16",
       "\x00\x3E\x00\x80\x01\x00\xFF\x7B\x00\xFC"s,
       {1.5f, -0.0f, 0x1p-24f, 65504, -infinity}},
      {"BF16", "\xC0\x3F\x80\xFF"s, {1.5f, -infinity}},
      {"F32", "\x00\x00\xC0\x3F\x01\x00\x00\x00"s, {1.5f, 0x1p-149f}},
      {"F64",
       "\x00\x00\x00\x00\x00\x00\xF8\x3F\x00\x00\x00\x00\x00\x00\xF0\xFF"s,
       {1.5f, -infinity}},
  };
  for (const TypeCase& c : cases) {
    SCOPED_TRACE(c.dtype);
    const TensorFile expected{{{"x", {static_cast<std::int64_t>(c.values.size())}, c.values}}, {}};
    const std::string shape = "[" + std::to_string(c.values.size()) + "]";
    expect_same(value_of(read_safetensors(one(c.dtype, shape, c.bytes))), expected);
  }
}

// Against the definition of binary16, for all of its 65 536 numbers.
TEST(Safetensors, EveryHalfIsWhatItsBitsSay) {
  std::string data;
  for (int bits = 0; bits < 65536; ++bits) append_little_endian(data, bits, 2);
  const TensorFile file = value_of(read_safetensors(one("F16", "[65536]", data)));
  for (int bits = 0; bits < 65536; ++bits) {
    const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
    const double magnitude = exponent == 0   ? std::ldexp(fraction, -24)
                             : exponent < 31 ? std::ldexp(1024 + fraction, exponent - 25)
                                             : (fraction ? std::nan("") : HUGE_VAL);
    const auto expected = static_cast<float>(bits & 0x8000 ? -magnitude : magnitude);
    EXPECT_TRUE(same_bits(file.tensors[0].values[bits], expected, true)) << bits;
  }
}

TEST(Safetensors, OrderIsThatOfTheData) {
  const std::string header = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},)"
                             R"("b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
  const TensorFile expected{{{"b", {1}, {3}}, {"a", {1}, {4}}}, {}};
  expect_same(value_of(read_safetensors(safetensors(header, "\x03\x04"))), expected);
}

class BadSafetensors : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadSafetensors, IsRefusedWithItsReason) {
  const auto result = read_safetensors(GetParam().bytes);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().type, ErrorType::kBadInput);
  EXPECT_THAT(result.error().message, HasSubstr(GetParam().message));
}

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

std::string ones(int count) {
  std::string list = "[1";
  for (int i = 1; i < count; ++i) list += ",1";
  return list + "]";
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadSafetensors,
    ::testing::Values(
        BadFile{"Empty", "", "only 0 bytes"}, BadFile{"SevenBytes", "1234567", "only 7 bytes"},
        BadFile{"HeaderBeyondTheFile", safetensors("{}").substr(0, 9), "cut off"},
        BadFile{"HugeHeader", std::string(8, '\xFF') + "{}", "header length 18446744073709551615"},
        BadFile{"BeyondFloat32",
                one("F64", "[1]", std::string("\x9C\x75\x00\x88\x3C\xE4\x37\x7E", 8)),
                "tensor \"x\": 1e+300 is beyond float32"},
        BadFile{"NotAnObject", safetensors("[]"), "does not begin with {"},
        BadFile{"NoJson", safetensors("{x}"), "line 1, column 2"},
        BadFile{"BehindTheHeader", safetensors("{}{}"), "line 1, column 3"},
        BadFile{"NulInTheHeader", safetensors(std::string("{}\0", 3)), "a NUL byte at byte 2"},
        BadFile{"NulInAName",
                safetensors(R"({"a\u0000b":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})"),
                "a NUL byte in the name"},
        BadFile{"TooDeep", safetensors(R"({"x":)" + nested(200) + "}"), "deeper than 64 levels"},
        BadFile{"Twice",
                safetensors(R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)"
                            R"("x":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})"),
                "\"x\" is there twice"},
        BadFile{
            "MemberTwice",
            safetensors(R"({"x":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})"),
            "\"dtype\" is there twice"},
        BadFile{"UnknownType", one("F8_E4M3", "[1]", "x"), "dtype \"F8_E4M3\" is not supported"},
        BadFile{"NoType", safetensors(R"({"x":{"shape":[0],"data_offsets":[0,0]}})"),
                "tensor \"x\": dtype is missing"},
        BadFile{"NoShape", safetensors(R"({"x":{"dtype":"U8","data_offsets":[0,0]}})"),
                "shape is missing"},
        BadFile{"NoOffsets", safetensors(R"({"x":{"dtype":"U8","shape":[0]}})"),
                "data_offsets is missing"},
        BadFile{"OneOffset", safetensors(R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[0]}})"),
                "two numbers"},
        BadFile{"EntryIsNoObject", safetensors(R"({"x":3})"),
                "tensor \"x\": 3, should be an object"},
        BadFile{"NegativeSize", one("U8", "[-1]", ""), "shape: -1, should be a whole number"},
        BadFile{"BrokenSize", one("U8", "[1.5]", "x"), "shape: 1.5, should be a whole number"},
        BadFile{"Overflow", one("U8", "[4294967296,4294967296,4294967296]", ""), "is too large"},
        BadFile{"OverflowTimesZero", one("U8", "[0,18446744073709551615,3]", ""), "is too large"},
        BadFile{"OffsetsBeyondTheData",
                safetensors(R"({"x":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}})", "12345678"),
                "0 to 9 is not within the 8 bytes"},
        BadFile{"OffsetsBackwards",
                safetensors(R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}})", "1"),
                "1 to 0 is not within"},
        BadFile{"SizeIsNotTheShapes", one("F32", "[2]", "1234"),
                "4 bytes, but its shape (2) takes 8"},
        BadFile{"Overlap",
                safetensors(R"({"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                            R"("y":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                            "123"),
                "tensor \"y\" begins at byte 1, inside the one before it"},
        BadFile{"Gap",
                safetensors(R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                            R"("y":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})",
                            "123"),
                "after a gap"},
        BadFile{"LeftOver", safetensors("{}", "1234"), "4 bytes of data belong to no tensor"},
        BadFile{"TypeIsNoText",
                safetensors(R"({"x":{"dtype":4,"shape":[0],"data_offsets":[0,0]}})"),
                "dtype: 4, should be a string"},
        BadFile{"ShapeIsNoList",
                safetensors(R"({"x":{"dtype":"U8","shape":{},"data_offsets":[0,0]}})"),
                "shape: an object, should be a list"},
        BadFile{"ShapeIsText", one("U8", R"(["2"])", "12"), "shape: \"2\", should be a whole"},
        BadFile{"SizeIsHuge", one("U8", "[99999999999999999999]", ""), "should be a whole number"},
        BadFile{"SizeBeyondSigned", one("U8", "[9223372036854775808]", ""),
                "shape: 9223372036854775808 is too large"},
        BadFile{"TooManyDimensions", one("U8", ones(33), "1"), "33 dimensions; at most 32"},
        BadFile{"OffsetsAreNoList",
                safetensors(R"({"x":{"dtype":"U8","shape":[0],"data_offsets":0}})"),
                "data_offsets: 0, should be a list"},
        BadFile{"ThreeOffsets",
                safetensors(R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[0,0,0]}})"),
                "two numbers"},
        BadFile{"NegativeOffset",
                safetensors(R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[-1,0]}})"),
                "data_offsets: -1, should be a whole number"},
        BadFile{"OffsetIsNoNumber",
                safetensors(R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[null,0]}})"),
                "data_offsets: nothing, should be a whole number"},
        BadFile{"FirstTensorBehindAGap",
                safetensors(R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "12"),
                "begins at byte 1, after a gap"},
        BadFile{"SameBytesTwice",
                safetensors(R"({"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                            R"("y":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})",
                            "12"),
                "tensor \"y\" begins at byte 0, inside the one before it"},
        BadFile{"TooLargeTogether", one("U8", "[65536,65536]", ""), "65536 × 65536 is too large"},
        BadFile{"MetadataTwice", safetensors(R"({"__metadata__":{},"__metadata__":{}})"),
                "\"__metadata__\" is there twice"},
        BadFile{"NoUtf8", safetensors("{\"\xFF\":1}"), "no UTF-8"},
        BadFile{"MetadataIsNoObject", safetensors(R"({"__metadata__":[1]})"),
                "__metadata__: a list, should be an object"},
        BadFile{"MetadataIsNoText", safetensors(R"({"__metadata__":{"scale":true}})"),
                "\"scale\" is true, should be a string"}),
    case_name<BadFile>);

}  // namespace
}  // namespace lab
