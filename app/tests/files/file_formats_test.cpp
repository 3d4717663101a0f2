#include "app/files/file_formats.h"

#include "app/files/import/csv.h"
#include "app/tests/files/support.h"
#include "app/tests/files/zip_support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

struct KindCase {
  const char* name;
  std::string bytes;
  FileType type;
};
void PrintTo(const KindCase& c, std::ostream* out) { *out << c.name; }

class KindOfFile : public ::testing::TestWithParam<KindCase> {};

TEST_P(KindOfFile, IsToldByContent) { EXPECT_EQ(file_type(GetParam().bytes), GetParam().type); }

const std::string kGloVe =
    "the 0.418 0.24968 -0.41242\n, 0.013441 0.23682 -0.16899\n. . . 0.1 0.2 0.3\n1990 0.1 0.2 "
    "1e-05\n";

INSTANTIATE_TEST_SUITE_P(
    Binary, KindOfFile,
    ::testing::Values(
        KindCase{"Empty", "", FileType::kEmpty},
        KindCase{"Safetensors", write_safetensors(small_problem()), FileType::kSafetensors},
        KindCase{"Npz", value_of(write_npz(small_problem())), FileType::kNpz},
        KindCase{"Npy", write_npy({"", {1}, {2}}), FileType::kNpy},
        KindCase{"Pickle", "\x80\x04\x95", FileType::kPickle},
        KindCase{"Torch", make_zip({{"model/data.pkl", "\x80\x02."}}), FileType::kTorchZip},
        KindCase{"Hdf5", "\x89HDF\r\n\x1A\n", FileType::kHdf5},
        KindCase{"Gzip", "\x1F\x8B\x08", FileType::kGzip},
        KindCase{"Gguf", "GGUF\x03\0\0\0"s, FileType::kGguf},
        KindCase{"Word2VecBinary", "3 2\nthe \x01\x02\0\x3F\x04\x05\x06\x3F\n"s,
                 FileType::kWord2VecBinary},
        KindCase{"Png", "\x89PNG\r\n\x1A\n", FileType::kFigure},
        KindCase{"Noise", "\x01\x02\x03\x04", FileType::kUnknown}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Text, KindOfFile,
    ::testing::Values(
        KindCase{"Tokenizer",
                 "{\n \"version\": \"1.0\", \"truncation\": null, \"added_tokens\": []",
                 FileType::kTokenizer},
        KindCase{"Session", "\xEF\xBB\xBF \n" + small_session(), FileType::kSession},
        KindCase{"ModelSession", "{\n  \"type\": \"attention-lab model session\",\n",
                 FileType::kModelSession},
        KindCase{"ModelSessionWhoseTypeIsNotFirst",
                 R"({"layer":"3","type" : "attention-lab model session"})",
                 FileType::kModelSession},
        KindCase{"SessionThatSpeaksOfOne",
                 R"({"type": "attention-lab session", "title": "attention-lab model session"})",
                 FileType::kSession},
        KindCase{"OwnCsv", write_csv(attention::Matrix::Ones(2, 2), {"a", "b"}, {"0", "1"}),
                 FileType::kTable},
        KindCase{"Comma", "1,2\n3,4\n", FileType::kTable},
        KindCase{"CommaAndBlank", "1, 2\n3, 4\n", FileType::kTable},
        KindCase{"DecimalComma", "1,5;2,5\r\n3;4,5", FileType::kTable},
        KindCase{"Tab", "x\ty\n1\t2\n", FileType::kTable},
        KindCase{"SaveTxt", "# made by hand\n1.0e+00 2.0e+00\n", FileType::kTable},
        KindCase{"OneColumn", "1\n2\n", FileType::kTable},
        KindCase{"OneNumber", "7", FileType::kTable},
        KindCase{"LabelsAndTabs", "the\t1\t2\ncat\t3\t4\n", FileType::kTable},
        KindCase{"GloVe", kGloVe, FileType::kVectors},
        KindCase{"Word2Vec", "1 3\nthe 1 2 3\n", FileType::kVectors},
        KindCase{"Word2VecOfNumbers", "1 3\n1990 1 2 3\n", FileType::kVectors},
        KindCase{"Prose", "Hello world, this is\na text with 2 numbers, 3 commas.",
                 FileType::kUnknown},
        KindCase{"Holes", "1,,3\n4,NA,6\n", FileType::kTable},
        KindCase{"Utf16", "\xFF\xFE\x31\0\t\0"s, FileType::kUtf16},
        KindCase{"VectorsThatBeginWithABracket", "[ 0.1 0.2\n] 0.3 0.4\n", FileType::kVectors},
        KindCase{"NumPyPrint", "[[1. 2.]\n [3. 4.]]\n", FileType::kBrackets},
        KindCase{"JsonList", "[1, 2]", FileType::kBrackets}),
    [](const auto& test) { return test.param.name; });

TEST(FileType, TheFirstBytesDecide) {
  std::string text;
  while (text.size() < 3 * kTypeBytes) text += "1.5,2.5\n";
  EXPECT_EQ(file_type(text), FileType::kTable);
  text += '\0';
  EXPECT_EQ(file_type(text), FileType::kTable);
  EXPECT_EQ(file_type(std::string_view(text).substr(0, kTypeBytes)), FileType::kTable);
}

TEST(FileType, LongVectorsAreToldByTheirFirstLine) {
  std::string text = "the";
  while (text.size() < 2 * kTypeBytes) text += " 0.12345";
  EXPECT_EQ(file_type(text), FileType::kVectors);
}

TEST(FileType, RefusalsSayWhatToDo) {
  EXPECT_THAT(refusal(FileType::kWord2VecBinary).message, HasSubstr("binary=False"));
  EXPECT_THAT(refusal(FileType::kGzip).message, HasSubstr("gunzip"));
  EXPECT_THAT(refusal(FileType::kTorchZip).message, HasSubstr("safetensors.torch.save_file"));
  EXPECT_THAT(refusal(FileType::kTable).message, HasSubstr("attention-lab import"));
}

TEST(FileType, SeparatorsAreTold) {
  EXPECT_EQ(table_separator("a,b\n1,2\n"), Separator::kComma);
  EXPECT_EQ(table_separator("1,5;2\n"), Separator::kSemicolon);
  EXPECT_EQ(table_separator("1,5\t2\n"), Separator::kTab);
  EXPECT_EQ(table_separator("1 2\n"), Separator::kBlanks);
  EXPECT_EQ(table_separator("words alone\n"), std::nullopt);
}

struct NumberCase {
  const char* text;
  float value;
};

TEST(NumberField, ReadsWhatProgramsWrite) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const auto& [text, value] :
       std::initializer_list<NumberCase>{{"1", 1},
                                         {" -2.5 ", -2.5f},
                                         {"+3", 3},
                                         {"1e3", 1000},
                                         {".5", .5f},
                                         {"5.", 5},
                                         {"\u22121.5", -1.5f},
                                         {"inf", kInfinity},
                                         {"-Infinity", -kInfinity},
                                         {"\u221E", kInfinity},
                                         {"+INF", kInfinity},
                                         {"1e-60", 0},
                                         {"1e-600", 0},
                                         {"3.4028235e38", 3.4028235e38f}}) {
    const NumberField field = read_number(text);
    EXPECT_EQ(field.status, NumberStatus::kNumber) << text;
    EXPECT_EQ(field.value, value) << text;
  }
  EXPECT_TRUE(std::isnan(read_number("NaN").value));
  EXPECT_TRUE(std::signbit(read_number("-0.0").value));
  EXPECT_EQ(read_number("1,5", true).value, 1.5f);
}

TEST(NumberField, RefusesWhatIsNone) {
  for (const char* text : {"", " ", "-", "--1", "+-1", "1.2.3", "1,5", "0x10", "1e", "one", "1 2",
                           "nan(1)", "\u2212\u22121"})
    EXPECT_EQ(read_number(text).status, NumberStatus::kNone) << text;
  EXPECT_EQ(read_number("1.234,5", true).status, NumberStatus::kNone);
  EXPECT_EQ(read_number("1e39").status, NumberStatus::kTooLarge);
  EXPECT_EQ(read_number("-1e999").status, NumberStatus::kTooLarge);
}

}  // namespace
}  // namespace lab
