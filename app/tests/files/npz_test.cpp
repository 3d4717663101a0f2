#include "app/files/npy.h"
#include "app/tests/files/support.h"
#include "app/tests/files/zip_support.h"

namespace lab {
namespace {

using ::testing::HasSubstr;

std::string array(const std::vector<float>& values) {
  return write_npy({"", {static_cast<std::int64_t>(values.size())}, values});
}

// `bytes` with every `from` replaced by a `to` of the same length.
std::string patched(std::string bytes, const std::string& from, const std::string& to) {
  EXPECT_EQ(from.size(), to.size());
  EXPECT_NE(bytes.find(from), bytes.npos);
  for (std::size_t at = 0; (at = bytes.find(from, at)) != bytes.npos; at += to.size())
    bytes.replace(at, from.size(), to);
  return bytes;
}

// Writes `value` at byte `offset` of the record with that signature.
std::string with_field(std::string bytes, const std::string& signature, std::size_t offset,
                       const std::string& value) {
  const std::size_t at = bytes.find(signature);
  EXPECT_NE(at, bytes.npos);
  return bytes.replace(at + offset, value.size(), value);
}

const std::string kLocal = "PK\x03\x04";
const std::string kCentral = "PK\x01\x02";
const std::string kEnd = "PK\x05\x06";

TEST(Npz, AnyTensorsReadBackBitForBit) {
  HardNumbers random(13);
  TensorFile file;
  file.tensors = {random.tensor("X", {7, 3}), random.tensor("empty", {0, 5}),
                  random.tensor("scalar", {}), random.tensor("été/“a”", {2, 3, 4, 5})};
  file.metadata = {{"scale", "false"}, {"tokens", R"(["a","แมว"])"}};
  expect_same(value_of(read_npz(value_of(write_npz(file)))), file);
  file.metadata.clear();
  expect_same(value_of(read_npz(value_of(write_npz(file)))), file);
}

TEST(Npz, TheSameTensorsAreTheSameBytes) {
  EXPECT_EQ(value_of(write_npz(small_problem())), value_of(write_npz(small_problem())));
  // Day 1 of month 1 of year 0 (1980), at 0:00, in the local record
  const std::string bytes = value_of(write_npz(small_problem()));
  EXPECT_EQ(bytes.substr(10, 4), std::string("\0\0\x21\0", 4));
}

TEST(Npz, StoredAndDeflatedArraysAreRead) {
  const std::vector<float> values(10'000, 1.5f);
  const std::string bytes =
      make_zip({{"a.npy", array(values), ZIP_CM_STORE}, {"b.npy", array(values), ZIP_CM_DEFLATE}});
  const TensorFile file = value_of(read_npz(bytes));
  EXPECT_EQ(file.find("a")->values, values);
  EXPECT_EQ(file.find("b")->values, values);
  EXPECT_EQ(file.find("c"), nullptr);
}

// A matrix of zeros shrinks as far as deflate can; it must not be taken for a bomb.
TEST(Npz, ZerosMayShrinkAThousandfold) {
  const std::vector<float> zeros(5'000'000, 0.0f);
  const std::string bytes = make_zip({{"z.npy", array(zeros), ZIP_CM_DEFLATE}});
  ASSERT_LT(bytes.size(), 25'000u);
  EXPECT_EQ(value_of(read_npz(bytes)).tensors[0].values, zeros);
}

class BadNpz : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadNpz, IsRefusedWithItsReason) {
  const auto result = read_npz(GetParam().bytes);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(result.error().message, HasSubstr(GetParam().message));
}

std::string two_arrays() { return make_zip({{"a.npy", array({1, 2})}, {"b.npy", array({3})}}); }

std::string many_arrays() {
  std::vector<ZipEntry> entries;
  for (int i = 0; i < 1025; ++i) entries.push_back({std::to_string(i) + ".npy", array({1})});
  return make_zip(entries);
}

std::string deflated() { return make_zip({{"a.npy", array({1, 2, 3}), ZIP_CM_DEFLATE}}); }

// Claims `size` bytes when inflated, in the archive's list and in front of the array.
std::string claiming(std::string bytes, const std::string& size) {
  return with_field(with_field(std::move(bytes), kCentral, 24, size), kLocal, 22, size);
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadNpz,
    ::testing::Values(
        BadFile{"Empty", "", "the file is empty"}, BadFile{"NoArchive", "hello", "cannot be read"},
        BadFile{"CutOff", two_arrays().substr(0, 300), "cannot be read"},
        BadFile{"NoList", patched(two_arrays(), kCentral, "PK\x01\x09"), "cannot be read"},
        BadFile{"NoEnd", patched(two_arrays(), kEnd, "PK\x05\x09"), "cannot be read"},
        BadFile{"Pickle", make_zip({{"archive/data.pkl", "\x80\x02."}}), "a PyTorch file"},
        BadFile{"NotAnArray", make_zip({{"notes.txt", "hello"}}),
                "\"notes.txt\", which is no .npy array"},
        BadFile{"Folder", make_zip({{"folder/", ""}}), "which is no .npy array"},
        BadFile{"Objects", make_zip({{"a.npy", patched(array({1}), "'<f4'", "'|O' ")}}),
                "array \"a\": an array of Python objects"},
        BadFile{"NoNpyInside", make_zip({{"a.npy", "hello"}}), "array \"a\": does not begin"},
        BadFile{"CutOffInside", make_zip({{"a.npy", array({1, 2}).substr(0, 130)}}),
                "2 bytes of numbers"},
        BadFile{"Twice", patched(two_arrays(), "b.npy", "a.npy"), "cannot be read"},
        BadFile{"TooMany", many_arrays(), "1025 arrays; at most 1024"},
        BadFile{"Damaged", patched(two_arrays(), "'shape'", "'shap3'"), "array \"a\": damaged"},
        BadFile{"UnknownMethod",
                with_field(with_field(two_arrays(), kCentral, 10, "\x5D"), kLocal, 8, "\x5D"),
                "compressed with method 93"},
        BadFile{"Encrypted",
                with_field(with_field(two_arrays(), kCentral, 8, "\x01"), kLocal, 6, "\x01"),
                "the archive is encrypted"},
        BadFile{"ClaimsFarTooMuch", claiming(deflated(), "\xFF\xFF\xFF\x7F"), "cannot hold"},
        BadFile{"ClaimsTooMuch", claiming(deflated(), "\xF0\x10\x01"), "array \"a\": "},
        BadFile{"ClaimsTooLittle", claiming(deflated(), "\x10"), "array \"a\": "},
        BadFile{"MetadataIsNoJson", make_zip({{"__metadata__.npy", write_npy_text("hello")}}),
                "array \"__metadata__\": line 1"},
        BadFile{"MetadataIsNoBytes", make_zip({{"__metadata__.npy", array({1.5f})}}),
                "array of bytes (uint8)"},
        BadFile{"MetadataIsNoObject", make_zip({{"__metadata__.npy", write_npy_text("[1]")}}),
                "a list, should be an object"}),
    case_name<BadFile>);

// Five arrays that could each be as large as they claim, but are too large together.
TEST(Npz, ABombIsRefusedBeforeItIsInflated) {
  HardNumbers random(29);
  const std::string noise = write_npy(random.tensor("", {100'000}));
  std::vector<ZipEntry> entries;
  for (const char* name : {"a.npy", "b.npy", "c.npy", "d.npy", "e.npy"})
    entries.push_back({name, noise, ZIP_CM_DEFLATE});
  const std::string size("\0\0\0\x0E", 4);
  std::string bytes = make_zip(entries);
  for (const auto& [signature, offset] : {std::pair(kLocal, 22), std::pair(kCentral, 24)})
    for (std::size_t at = 0; (at = bytes.find(signature, at)) != bytes.npos; at += offset)
      bytes.replace(at + offset, size.size(), size);
  const auto result = read_npz(bytes);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("more than 1073741824 bytes"));
}

}  // namespace
}  // namespace lab
