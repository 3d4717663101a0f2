#include <cmath>

#include "app/files/io/little_endian.h"
#include "app/files/tensors/npy.h"
#include "app/tests/files/support.h"
#include "app/tests/files/zip_support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;

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

class BadNpz : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadNpz, IsRefusedWithItsReason) {
  const auto result = read_npz(GetParam().bytes);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().type, ErrorType::kBadInput);
  EXPECT_THAT(result.error().message, HasSubstr(GetParam().message));
}

std::string two_arrays() { return make_zip({{"a.npy", array({1, 2})}, {"b.npy", array({3})}}); }

std::string many_arrays(int count) {
  std::vector<ZipEntry> entries;
  for (int i = 0; i < count; ++i) entries.push_back({std::to_string(i) + ".npy", array({1})});
  return make_zip(entries);
}

std::string deflated() { return make_zip({{"a.npy", array({1, 2, 3}), ZIP_CM_DEFLATE}}); }

// Claims `size` bytes when inflated, in the archive's list and in front of the array.
std::string claiming(std::string bytes, const std::string& size) {
  return with_field(with_field(std::move(bytes), kCentral, 24, size), kLocal, 22, size);
}

std::string number(std::uint64_t value, int size) {
  std::string bytes;
  append_little_endian(bytes, value, size);
  return bytes;
}

// What stands in front of the list: headers and arrays.
std::string local_records(const std::string& archive) {
  return archive.substr(0, archive.find(kCentral));
}

// The array b lies inside the numbers of the array a, listed behind it or before it.
std::string overlapping(bool inner_first) {
  const ZipEntry inner{"b.npy", array({3})};
  std::string record = local_records(make_zip({inner}));
  record.resize((record.size() + 3) / 4 * 4, '\0');
  std::string outer = array(std::vector<float>(record.size() / 4));
  outer.replace(outer.size() - record.size(), record.size(), record);
  const ZipEntry around{"a.npy", outer};
  std::string bytes =
      make_zip(inner_first ? std::vector{inner, around} : std::vector{around, inner});
  const std::size_t place = bytes.find(record.substr(0, 60), bytes.find(outer.substr(0, 60)));
  std::size_t listed = bytes.find(kCentral);
  if (!inner_first) listed = bytes.find(kCentral, listed + 1);
  return bytes.replace(listed + 42, 4, number(place, 4));
}

// Several files in the list that are all the same bytes: many times as much as there is.
std::string the_same_many_times() {
  const std::string one = make_zip({{"a.npy", array(std::vector<float>(100))}});
  const std::size_t list = one.find(kCentral), end = one.find(kEnd);
  std::string bytes = one.substr(0, list);
  for (int i = 0; i < 100; ++i) bytes += one.substr(list, end - list);
  return bytes + kEnd + number(0, 4) + number(100, 2) + number(100, 2) +
         number(100 * (end - list), 4) + number(list, 4) + number(0, 2);
}

// With the records that an archive beyond 4 GB has, which claim a list of that size.
std::string with_long_list(std::uint64_t size) {
  std::string bytes = two_arrays();
  const std::size_t list = bytes.find(kCentral), end = bytes.find(kEnd);
  const std::string end64 = "PK\x06\x06"s + number(44, 8) + number(45, 2) + number(45, 2) +
                            number(0, 8) + number(2, 8) + number(2, 8) + number(size, 8) +
                            number(list, 8);
  const std::string locator = "PK\x06\x07"s + number(0, 4) + number(end, 8) + number(1, 4);
  return bytes.insert(end, end64 + locator);
}

std::string metadata(const std::string& text) {
  return make_zip({{"__metadata__.npy", write_npy_text(text)}});
}

std::string inside(const std::string& from, const std::string& to) {
  return make_zip({{"a.npy", patched(array({1, 2}), from, to)}});
}

TEST(Npz, ALongListThatIsTrueIsRead) {
  const std::string bytes = two_arrays();
  const std::size_t size = bytes.find(kEnd) - bytes.find(kCentral);
  EXPECT_EQ(value_of(read_npz(with_long_list(size))).tensors.size(), 2u);
}

TEST(Npz, AsManyArraysAsAreAllowedAreRead) {
  EXPECT_EQ(value_of(read_npz(many_arrays(1024))).tensors.size(), 1024u);
}

INSTANTIATE_TEST_SUITE_P(Sharing, BadNpz,
                         ::testing::Values(BadFile{"InsideOfAnother", overlapping(false),
                                                   "array \"b\": its bytes are another array's"},
                                           BadFile{"AroundAnother", overlapping(true),
                                                   "array \"a\": its bytes are another array's"},
                                           BadFile{"TheSameManyTimes", the_same_many_times(),
                                                   "cannot be read"}),
                         case_name<BadFile>);

INSTANTIATE_TEST_SUITE_P(
    List, BadNpz,
    ::testing::Values(
        BadFile{"TooLong", with_field(two_arrays(), kEnd, 12, number(1048577, 4)),
                "its list of arrays takes 1048577 bytes; at most 1048576"},
        BadFile{"OfAllowedLengthButUntrue", with_field(two_arrays(), kEnd, 12, number(1048576, 4)),
                "cannot be read"},
        BadFile{"FarTooLong", with_long_list(std::uint64_t{1} << 60),
                "its list of arrays takes 1152921504606846976 bytes"},
        BadFile{"BeyondTheFile", with_field(two_arrays(), kEnd, 16, number(1 << 30, 4)),
                "cannot be read"},
        BadFile{"FewerThanSaid", with_field(two_arrays(), kEnd, 8, number(0x0003'0003, 4)),
                "cannot be read"},
        BadFile{"MoreThanSaid", with_field(two_arrays(), kEnd, 8, number(0x0001'0001, 4)),
                "cannot be read"},
        BadFile{"OnAnotherDisk", with_field(two_arrays(), kEnd, 4, number(1, 2)), "cannot be read"},
        BadFile{"CommentCutOff", with_field(two_arrays(), kEnd, 20, number(9, 2)),
                "cannot be read"},
        BadFile{"NameDiffers", with_field(two_arrays(), kLocal, 30, "x"), "cannot be read"},
        BadFile{"SizeDiffers", with_field(two_arrays(), kLocal, 22, number(1, 4)),
                "cannot be read"},
        BadFile{"OffsetDiffers", with_field(two_arrays(), kCentral, 42, number(1, 4)),
                "cannot be read"},
        BadFile{"OffsetBeyondTheFile", with_field(two_arrays(), kCentral, 42, number(1 << 30, 4)),
                "cannot be read"},
        BadFile{"CheckSum",
                with_field(with_field(two_arrays(), kCentral, 16, "1234"), kLocal, 14, "1234"),
                "array \"a\": damaged: CRC error"},
        BadFile{"Deflate", with_field(deflated(), "a.npy", 5, "\xFF\xFF\xFF\xFF"),
                "array \"a\": damaged: Zlib error"},
        BadFile{"Deflate64",
                with_field(with_field(two_arrays(), kCentral, 10, number(9, 2)), kLocal, 8,
                           number(9, 2)),
                "array \"a\" is compressed with method 9"}),
    case_name<BadFile>);

INSTANTIATE_TEST_SUITE_P(
    Arrays, BadNpz,
    ::testing::Values(
        BadFile{"Version9", inside("NUMPY\x01", "NUMPY\x09"), "array \"a\": version 9.0"},
        BadFile{"HugeNpyHeader",
                inside("NUMPY\x01"s + '\0' + "v\0"s, "NUMPY\x01"s + '\0' + "\xFF\xFF"s),
                "header length 65535; at most 10000"},
        BadFile{"Complex", inside("'<f4'", "'<c8'"), "dtype \"<c8\" is not supported"},
        BadFile{"Overflow", inside("(2,), }           ", "(2147483648,16), }"), "is too large"},
        BadFile{"Negative", inside("(2,), } ", "(-2,), }"), "not a whole number"},
        BadFile{"MetadataTooDeep", metadata(R"({"a":)" + std::string(200, '[')),
                "array \"__metadata__\": nested deeper than 64 levels"},
        BadFile{"MetadataTwice", metadata(R"({"a":"1","a":"2"})"), "\"a\" is there twice"},
        BadFile{"MetadataIsNoText", metadata(R"({"scale":true})"), "\"scale\" is true"},
        BadFile{"MetadataWithNul", metadata("{}\0"s), "a NUL byte at byte 2"},
        BadFile{"MetadataIsNegative", make_zip({{"__metadata__.npy", array({-1})}}),
                "array of bytes (uint8)"},
        BadFile{"MetadataIsNan", make_zip({{"__metadata__.npy", array({std::nanf("")})}}),
                "array of bytes (uint8)"}),
    case_name<BadFile>);

INSTANTIATE_TEST_SUITE_P(
    Files, BadNpz,
    ::testing::Values(
        BadFile{"Empty", "", "the file is empty"}, BadFile{"NoArchive", "hello", "cannot be read"},
        BadFile{"CutOff", two_arrays().substr(0, 300), "cut off or damaged"},
        BadFile{"NoList", patched(two_arrays(), kCentral, "PK\x01\x09"), "cannot be read"},
        BadFile{"NoEnd", patched(two_arrays(), kEnd, "PK\x05\x09"), "cannot be read"},
        BadFile{"Pickle", make_zip({{"archive/data.pkl", "\x80\x02."}}), "a PyTorch file"},
        BadFile{"NotAnArray", make_zip({{"notes.txt", "hello"}}),
                "\"notes.txt\", which is not a .npy array"},
        BadFile{"Folder", make_zip({{"folder/", ""}}), "which is not a .npy array"},
        BadFile{"Objects", make_zip({{"a.npy", patched(array({1}), "'<f4'", "'|O' ")}}),
                "array \"a\": an array of Python objects"},
        BadFile{"NoNpyInside", make_zip({{"a.npy", "hello"}}), "array \"a\": does not begin"},
        BadFile{"CutOffInside", make_zip({{"a.npy", array({1, 2}).substr(0, 130)}}),
                "2 bytes of numbers"},
        BadFile{"Twice", patched(two_arrays(), "b.npy", "a.npy"), "cannot be read"},
        BadFile{"TooMany", many_arrays(1025), "1025 arrays; at most 1024"},
        BadFile{"Damaged", patched(two_arrays(), "'shape'", "'shap3'"), "array \"a\": damaged"},
        BadFile{"UnknownMethod",
                with_field(with_field(two_arrays(), kCentral, 10, "\x5D"), kLocal, 8, "\x5D"),
                "compressed with method 93"},
        BadFile{"Encrypted",
                with_field(with_field(deflated(), kCentral, 8, "\x01"), kLocal, 6, "\x01"),
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

// Five arrays that could each be as large as they claim, the last one of `last` bytes, but are not.
std::string bomb(std::uint64_t last) {
  HardNumbers random(29);
  const std::string noise = write_npy(random.tensor("", {100'000}));
  std::vector<ZipEntry> entries;
  for (const char* name : {"a.npy", "b.npy", "c.npy", "d.npy", "e.npy"})
    entries.push_back({name, noise, ZIP_CM_DEFLATE});
  std::string bytes = make_zip(entries);
  for (const auto& [signature, offset] : {std::pair(kLocal, 22), std::pair(kCentral, 24)}) {
    int count = 0;
    for (std::size_t at = 0; (at = bytes.find(signature, at)) != bytes.npos; at += offset)
      bytes.replace(at + offset, 4, number(++count == 5 ? last : 0x0E00'0000, 4));
  }
  return bytes;
}

TEST(Npz, ABombIsRefusedBeforeItIsInflated) {
  const auto within = read_npz(bomb(0x0800'0000));  // a gigabyte in all
  ASSERT_FALSE(within);
  EXPECT_THAT(within.error().message, HasSubstr("its size is not what the archive says"));
  const auto beyond = read_npz(bomb(0x0800'0001));
  ASSERT_FALSE(beyond);
  EXPECT_THAT(beyond.error().message, HasSubstr("more than 1073741824 bytes"));
}

}  // namespace
}  // namespace lab
