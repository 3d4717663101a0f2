#include "app/files/tensors/npy.h"

#include "app/files/io/little_endian.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using namespace std::string_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string npy(const std::string& header, const std::string& data = {}, char version = 1) {
  std::string bytes = std::string(kNpyMagic) + version + '\0';
  append_little_endian(bytes, header.size(), version == 1 ? 2 : 4);
  return bytes + header + data;
}

std::string dict(const std::string& descr, const std::string& shape,
                 const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape +
         ", }   \n";
}

TEST(Npy, AnyTensorReadsBackBitForBit) {
  HardNumbers random(11);
  for (const std::vector<std::int64_t>& shape : std::vector<std::vector<std::int64_t>>{
           {}, {1}, {5}, {0}, {3, 4}, {2, 0, 3}, {2, 3, 4, 5}, {1, 1, 1, 1, 1, 1, 1, 2}}) {
    const Tensor tensor = random.tensor("", shape);
    const std::string bytes = write_npy(tensor);
    expect_same({{value_of(read_npy(bytes))}, {}}, {{tensor}, {}});
    EXPECT_EQ((bytes.size() - tensor.values.size() * 4) % 64, 0u) << "numbers are aligned";
  }
}

TEST(Npy, TheHeaderIsNumpys) {
  EXPECT_THAT(write_npy({"", {3}, {1, 2, 3}}),
              HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }  "));
  EXPECT_THAT(write_npy({"", {1, 2}, {1, 2}}), HasSubstr("'shape': (1, 2), }"));
  EXPECT_THAT(write_npy({"", {}, {1}}), HasSubstr("'shape': (), }"));
}

TEST(Npy, EveryVersionIsRead) {
  for (const char version : {'\1', '\2', '\3'}) {
    const Tensor tensor = value_of(read_npy(npy(dict("|u1", "(2,)"), "\x07\x09", version)));
    EXPECT_THAT(tensor.values, ::testing::ElementsAre(7, 9));
  }
}

TEST(Npy, BothByteOrdersAreRead) {
  const Tensor little = value_of(read_npy(npy(dict("<i2", "(2,)"), "\x01\x02\xFF\xFF")));
  const Tensor big = value_of(read_npy(npy(dict(">i2", "(2,)"), "\x02\x01\xFF\xFF")));
  EXPECT_THAT(little.values, ::testing::ElementsAre(513, -1));
  EXPECT_THAT(big.values, ::testing::ElementsAre(513, -1));
}

TEST(Npy, FortranOrderIsTurnedIntoRows) {
  // [[1 2 3] [4 5 6]] with the first index running fastest
  const auto tensor = value_of(read_npy(npy(dict("|u1", "(2, 3)", "True"), "\1\4\2\5\3\6")));
  EXPECT_THAT(tensor.values, ::testing::ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Npy, AnotherLayoutOfTheDictionaryIsTheSame) {
  const auto tensor =
      value_of(read_npy(npy("{ \"shape\":(2,),'fortran_order':False,'descr':\"|b1\"}\n", "\0\2"s)));
  EXPECT_THAT(tensor.values, ::testing::ElementsAre(0, 1));
}

class BadNpy : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadNpy, IsRefusedWithItsReason) {
  const auto result = read_npy(GetParam().bytes);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().type, ErrorType::kBadInput);
  EXPECT_THAT(result.error().message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadNpy,
    ::testing::Values(
        BadFile{"Empty", "", "does not begin like a .npy file"},
        BadFile{"OtherMagic", "NUMPY, or not", "does not begin like a .npy file"},
        BadFile{"OnlyMagic", std::string(kNpyMagic), "cut off in its header"},
        BadFile{"NoLength", std::string(kNpyMagic) + "\1\0"s, "cut off in its header"},
        BadFile{"Version4", npy(dict("<f4", "()"), "1234", 4), "version 4.0"},
        BadFile{"HeaderBeyondTheFile", npy(dict("<f4", "()")).substr(0, 40),
                "cut off in its header"},
        BadFile{"HugeHeader", std::string(kNpyMagic) + "\2\0\xFF\xFF\xFF\xFF"s,
                "header length 4294967295; at most 10000"},
        BadFile{"NoDictionary", npy("print('hello')\n"), "lacks a {"},
        BadFile{"OpenDictionary", npy("{'descr': '<f4', "), "a string is missing"},
        BadFile{"OpenString", npy("{'descr"), "does not end"},
        BadFile{"UnknownMember", npy("{'dtype': '<f4'}"), "\"dtype\" is unknown or there twice"},
        BadFile{"MemberTwice", npy("{'shape': (), 'shape': ()}"), "unknown or there twice"},
        BadFile{"MissingMember", npy("{'descr': '<f4', 'shape': ()}"), "lacks one of descr"},
        BadFile{"Call", npy("{'descr': '<f4', 'fortran_order': exit(), 'shape': ()}"),
                "should be True or False"},
        BadFile{"BehindTheDictionary", npy(dict("<f4", "()") + "x", "1234"), "continues after"},
        BadFile{"ShapeIsNoTuple", npy(dict("<f4", "(1)"), "1234"), "not a tuple"},
        BadFile{"NegativeSize", npy(dict("<f4", "(-1,)"), "1234"), "not a whole number"},
        BadFile{"SizeBeyondInteger", npy(dict("<f4", "(99999999999999999999,)")),
                "or is too large"},
        BadFile{"Overflow", npy(dict("<f4", "(4294967296, 4294967296, 4294967296)")),
                "is too large"},
        BadFile{"OverflowTimesZero", npy(dict("<f4", "(0, 9223372036854775807, 9)")),
                "is too large"},
        BadFile{
            "TooManyDimensions",
            npy(dict("<f4", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,)"),
                "1234"),
            "33 dimensions"},
        BadFile{"Objects", npy(dict("|O", "(1,)"), "pickled"), "could run any program"},
        BadFile{"Records", npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"),
                "structured array"},
        BadFile{"Complex", npy(dict("<c8", "(1,)"), "12345678"), "dtype \"<c8\" is not supported"},
        BadFile{"Text", npy(dict("<U4", "(1,)"), "1234123412341234"), "is not supported"},
        BadFile{"NoByteOrder", npy(dict("f4", "(1,)"), "1234"), "is not supported"},
        BadFile{"EmptyType", npy(dict("", "(1,)"), "1234"), "dtype \"\" is not supported"},
        BadFile{"TooFewNumbers", npy(dict("<f4", "(2,)"), "1234"),
                "4 bytes of numbers, but its shape (2) takes 8"},
        BadFile{"TooManyNumbers", npy(dict("<f4", "()"), "12345"),
                "5 bytes of numbers, but its shape (a scalar) takes 4"}),
    case_name<BadFile>);

INSTANTIATE_TEST_SUITE_P(
    Headers, BadNpy,
    ::testing::Values(
        BadFile{"Version0", npy(dict("<f4", "()"), "1234", 0), "version 0.0"},
        BadFile{"HalfALength", std::string(kNpyMagic) + "\1\0\x10"s, "cut off in its header"},
        BadFile{"NoHeader", std::string(kNpyMagic) + "\1\0\0\0"s, "lacks a {"},
        BadFile{"EmptyDictionary", npy("{}"), "lacks one of descr"},
        BadFile{"List", npy("['<f4', False, ()]"), "lacks a {"},
        BadFile{"NameIsNoString", npy("{descr: '<f4'}"), "a string is missing"},
        BadFile{"NoColon", npy("{'descr' '<f4'}"), "lacks a :"},
        BadFile{"NoComma", npy("{'descr': '<f4' 'shape': ()}"), "lacks a }"},
        BadFile{"TypeIsANumber", npy("{'descr': 4, 'shape': ()}"), "a string is missing"},
        BadFile{"OrderIsANumber", npy("{'fortran_order': 1}"), "should be True or False"},
        BadFile{"ShapeIsAList", npy(dict("<f4", "[1]"), "1234"), "lacks a ("},
        BadFile{"ShapeOfFractions", npy(dict("<f4", "(1.5,)"), "1234"), "is not a tuple"},
        BadFile{"ShapeOfNames", npy(dict("<f4", "(n,)"), "1234"), "not a whole number"},
        BadFile{"OpenShape", npy("{'shape': (1, "), "not a whole number"},
        BadFile{"Dates", npy(dict("<M8[s]", "(1,)"), "12345678"), "is not supported"},
        BadFile{"LongDouble", npy(dict("<f16", "(1,)"), std::string(16, '1')), "is not supported"},
        BadFile{"NoNumbers", npy(dict("<f4", "(3, 4)")),
                "0 bytes of numbers, but its shape (3 × 4)"},
        BadFile{"NumbersOfAnEmptyArray", npy(dict("<f4", "(0,)"), "1234"), "takes 0"}),
    case_name<BadFile>);

}  // namespace
}  // namespace lab
