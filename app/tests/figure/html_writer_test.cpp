#include "app/embedded_session/session_formats.h"
#include "app/figure/figure_writers.h"

#include <glib.h>
#include <gmock/gmock.h>

#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>

#include "app/base/unicode_text.h"
#include "app/explain/stage_text.h"
#include "app/figure/compose/range.h"
#include "app/figure/html/html_parts.h"
#include "app/files/open.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"
#include "app/translation/words.h"

namespace lab {
namespace {

using attention::Index;
using attention::Stage;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Expected<std::string> try_page(const Sample& sample, const FigureOptions& options = {},
                               const std::string& session = {}, const Snapshot* kept = nullptr) {
  WriteOptions writing;
  writing.session = session;
  return write_html({sample.document, sample.trace, options, kept}, writing);
}

std::string page_of(const Sample& sample, const FigureOptions& options = {},
                    const std::string& session = {}) {
  return try_page(sample, options, session).value();
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size())
    ++count;
  return count;
}

/// What stands in the element that begins with `open`.
std::string content_of(const std::string& page, const std::string& open, const std::string& close) {
  const std::size_t from = page.find(open);
  if (from == std::string::npos) return {};
  const std::size_t begin = from + open.size();
  return page.substr(begin, page.find(close, begin) - begin);
}

json data_of(const std::string& page, const std::string& id = "attention-lab-data") {
  const std::string open = R"(<script type="application/json" id=")" + id + R"(">)";
  return json::parse(content_of(page, open, "</script>"));
}

std::string decoded_bytes(const std::string& text) {
  gsize length = 0;
  const std::unique_ptr<guchar, decltype(&g_free)> bytes(g_base64_decode(text.c_str(), &length),
                                                         g_free);
  return {reinterpret_cast<const char*>(bytes.get()), length};
}

/// The document with that title and these tokens, in place of its own.
Sample renamed(const std::string& title, const std::vector<std::string>& tokens) {
  Sample s = sample("", "one two three four");
  s.document.title = title;
  for (std::size_t i = 0; i < tokens.size(); ++i) s.document.tokens[i] = {tokens[i], "key"};
  return s;
}

TEST(HtmlWriter, HoldsEveryStageOfEveryHeadBitForBit) {
  for (const Sample& s : samples()) {
    const std::string page = page_of(s);
    const json data = data_of(page), numbers = data_of(page, "attention-lab-numbers");
    const std::vector<Stage> stages = pipeline_stages(s.document.problem);
    ASSERT_EQ(data["stages"].size(), stages.size()) << s.name;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const json& stage = data["stages"][i];
      EXPECT_EQ(stage["name"], stage_name(stages[i]));
      const Index heads = attention::is_per_head(stages[i]) ? std::ssize(s.trace.heads) : 1;
      ASSERT_EQ(std::ssize(stage["own"]["maps"]), heads) << s.name;
      for (Index head = 0; head < heads; ++head) {
        const attention::Matrix& values =
            *attention::stage_matrix(s.document.problem, s.trace, stages[i], head);
        const json& map = numbers[stage["own"]["maps"][head].get<std::size_t>()];
        const std::string bytes = decoded_bytes(map["values"]);
        ASSERT_EQ(bytes.size(), static_cast<std::size_t>(values.size()) * 4);
        EXPECT_EQ(std::memcmp(bytes.data(), values.data(), bytes.size()), 0)
            << s.name << " " << stage["name"];
        const Range range = automatic_range(stages[i], values);
        EXPECT_EQ(map["range"], (json{range.lo, range.hi}));
        EXPECT_EQ(stage["shape"], (json{values.rows(), values.cols()}));
      }
    }
  }
}

TEST(HtmlWriter, WritesMatricesThatHeadsOrStagesShareOnce) {
  Sample s = sample("", "equal keys for all", 4);
  const std::size_t before = data_of(page_of(s), "attention-lab-numbers").size();
  for (auto& head : s.trace.heads) head.K = s.trace.heads.front().K;
  EXPECT_EQ(data_of(page_of(s), "attention-lab-numbers").size(), before - 3);
}

TEST(HtmlWriter, LabelsRowsAndColumnsAsTheProgramDoes) {
  for (const Sample& s : samples()) {
    const json labels = data_of(page_of(s))["labels"];
    for (Index i = 0; i < s.document.problem.seq_len(); ++i)
      EXPECT_EQ(labels["queries"][i], row_label(s.document, i)) << s.name;
    for (Index i = 0; i < s.document.problem.kv_len(); ++i)
      EXPECT_EQ(labels["keys"][i], key_label(s.document, i)) << s.name;
    EXPECT_EQ(labels.contains("dimensions"), !s.document.dimensions.empty()) << s.name;
  }
}

TEST(HtmlWriter, HoldsTheTablesOfThePalettes) {
  const json palettes = data_of(page_of(samples().front()))["palettes"];
  for (const Palette palette : all_palettes()) {
    const json& entry = palettes[std::string(palette_name(palette))];
    for (const bool dark : {false, true}) {
      const std::string hex = dark && entry.contains("dark") ? entry["dark"] : entry["light"];
      const PaletteTable& table = palette_table(palette, dark);
      ASSERT_EQ(hex.size(), table.size() * 6);
      for (std::size_t i = 0; i < table.size(); ++i) {
        const int rgb = std::stoi(hex.substr(6 * i, 6), nullptr, 16);
        EXPECT_EQ(rgb, table[i].r << 16 | table[i].g << 8 | table[i].b);
      }
    }
    EXPECT_EQ(entry["diverging"], is_diverging(palette));
  }
}

TEST(HtmlWriter, OpensWithWhatIsAskedFor) {
  const Sample s = sample("", "The cat sat", 3, true);
  FigureOptions options;
  options.stage = Stage::kMaskedScores, options.head = 2, options.palette = Palette::kMagma;
  options.range_rule = RangeRule::kFixed, options.range = {-2, 3};
  options.spread = Spread::kLogarithmic;
  options.annotate = true, options.decimals = 3, options.significant = true;
  options.dark = true, options.title = "A title";
  const std::string page = page_of(s, options);
  const json data = data_of(page);
  EXPECT_EQ(data["stages"][data["first"]["stage"].get<std::size_t>()]["name"], "masked_scores");
  EXPECT_EQ(data["first"]["head"], 2);
  EXPECT_EQ(data["look"],
            json::parse(R"({"palette": "magma", "rule": "fixed", "range": [-2, 3], "centre": null,
      "values": true, "decimals": 3, "significant": true, "theme": "dark",
      "spread": "log", "exact": false, "comma": false})"));
  EXPECT_THAT(page, HasSubstr(R"(<html lang="en" data-theme="dark">)"));
  EXPECT_THAT(page, HasSubstr("<title>A title</title>"));
}

struct InGerman {
  InGerman() { set_language(Language::kGerman, assets_folder()); }
  ~InGerman() { set_language(Language::kEnglish, assets_folder()); }
};

TEST(HtmlWriter, EveryWordIsInTheLanguageOfTheProcess) {
  const Sample s = sample("", "The cat sat");
  const std::string english = page_of(s);
  EXPECT_EQ(data_of(english)["words"], json::object());
  EXPECT_THAT(english, HasSubstr(">Theme"));
  const InGerman german;
  const std::string page = page_of(s);
  EXPECT_THAT(page, HasSubstr("<html lang=\"de\""));
  for (const char* word : {">Theme", "Table of the numbers", "arrow keys", "Made with", "{{"})
    EXPECT_THAT(page, Not(HasSubstr(word)));
  const json words = data_of(page)["words"];
  const std::regex said(R"(\bsay(?:Count)?\((?:count === 1 \? )?'([^']+)'(?:, '([^']+)')?)");
  int found = 0;
  for (std::sregex_iterator at(page.begin(), page.end(), said), end; at != end; ++at)
    for (const std::string& key : {at->str(1), at->str(2)}) {
      if (key.empty()) continue;
      EXPECT_EQ(words.count(key), 1U) << key;
      ++found;
    }
  EXPECT_GT(found, 25);
  EXPECT_EQ(words["Nothing"], "Nichts");
}

TEST(HtmlWriter, AStageThatIsNotThereGivesWayToTheOneBefore) {
  const Sample s = sample("", "no mask here");
  FigureOptions options;
  options.stage = Stage::kMaskedScores;
  const json data = data_of(page_of(s, options));
  EXPECT_EQ(data["stages"][data["first"]["stage"].get<std::size_t>()]["name"], "scaled_scores");
}

TEST(HtmlWriter, ThrowsForAHeadThatIsNotThere) {
  const Sample s = sample("", "two heads", 2);
  FigureOptions options;
  for (const Index head : {-1, 2}) {
    options.head = head;
    EXPECT_THROW(static_cast<void>(try_page(s, options)), std::out_of_range);
  }
}

TEST(HtmlWriter, AllowsNothingButItsOwnStyleAndScript) {
  const std::string page = page_of(samples().front());
  const std::string policy = content_of(page, R"(Content-Security-Policy" content=")", "\"");
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_THAT(policy, Not(HasSubstr("http")));
  const std::string style = content_of(page, "<style>", "</style>");
  const std::string script = content_of(page, R"(<script type="module">)", "</script>");
  EXPECT_THAT(policy, HasSubstr("style-src '" + policy_hash(style) + "'"));
  EXPECT_THAT(policy, HasSubstr("script-src '" + policy_hash(script) + "'"));
  EXPECT_GT(script.size(), 10000u);
  EXPECT_THAT(page.substr(page.find("<body>")), Not(HasSubstr("style=\"")));
}

TEST(HtmlWriter, HashesAreThoseOfThePolicysSpecification) {
  // The example of the Content-Security-Policy specification, and the digest of nothing.
  EXPECT_EQ(policy_hash("alert('Hello, world.');"),
            "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
  EXPECT_EQ(policy_hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

TEST(HtmlWriter, TextNeverBecomesMarkup) {
  const std::string plain = page_of(sample("", "one two three four"));
  const Sample s = renamed("</title><script>hacked()</script>{{script}}",
                           {"</script><img src=x onerror=hacked()>", "<!--<script>", "a\"b'c&amp;",
                            std::string("\xff\xfe\0\x1b\xe2\x80\xa8", 7)});
  const std::string page = page_of(s, {}, R"({"text": "</script><script>hacked()</script><!--"})");
  for (const char* mark : {"<script", "</script", "<img", "<!--", "</title", "hacked()</script"}) {
    const std::size_t own = mark == std::string("<script") || mark == std::string("</script");
    EXPECT_EQ(count_of(page, mark), count_of(plain, mark) + own) << mark;
  }
  EXPECT_TRUE(is_utf8(page));
  EXPECT_EQ(page.find('\0'), std::string::npos);
  EXPECT_EQ(count_of(page, "\xe2\x80\xa8"), 0u);
  const json labels = data_of(page)["labels"]["queries"];
  EXPECT_EQ(labels[0], "</script><img src=x onerror=hacked()>");
  EXPECT_EQ(labels[1], "<!--<script>");
  EXPECT_EQ(labels[3], "⟨FF⟩⟨FE⟩␀␛⟨U+2028⟩");
  EXPECT_THAT(page, HasSubstr("<h1 id=\"title\">&lt;/title&gt;&lt;script&gt;hacked()&lt;/script&gt;"
                              "{{script}}</h1>"));
}

TEST(HtmlWriter, IsTheSameBytesEveryTime) {
  for (const Sample& s : samples()) EXPECT_EQ(page_of(s), page_of(s)) << s.name;
  // Versions of matrices are not the same in a second evaluation; the page must not tell.
  EXPECT_EQ(page_of(sample("", "The cat sat", 3, true)),
            page_of(sample("", "The cat sat", 3, true)));
}

TEST(HtmlWriter, RefusesPagesBeyondTheLimit) {
  Sample s = sample("", "too much", 1);
  const auto session = try_page(s, {}, std::string(kLongestPage, ' '));
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().type, ErrorType::kBadInput);
  EXPECT_THAT(session.error().message, HasSubstr("64 MB are the session; at most 64 MB"));
  EXPECT_FALSE(try_page(s, {}, std::string(kLongestPage / 6, '<')));  // each takes six bytes

  s.trace.heads.front().Q = attention::SharedMatrix(attention::Matrix::Zero(3000, 4000));
  const auto numbers = try_page(s);
  ASSERT_FALSE(numbers);
  EXPECT_THAT(numbers.error().message, HasSubstr("The page would be 65 MB long"));
}

/// The stage of that name in a page's data.
json stage_of(const json& data, std::string_view name) {
  for (const json& stage : data["stages"])
    if (stage["name"] == name) return stage;
  return {};
}

TEST(HtmlWriter, HoldsBothStatesThatAreCompared) {
  const Sample b = sample("", "The cat sat", 3, true), a = sample("", "The cat sat", 2);
  const Snapshot kept{a.document, a.trace};
  FigureOptions options;
  const json alone = data_of(try_page(b, options, {}, &kept).value());
  EXPECT_EQ(stage_of(alone, "weights")["kept"]["maps"], json::array());
  EXPECT_FALSE(alone.contains("keptLabels"));

  options.type = FigureType::kTwoStates;
  const std::string page = try_page(b, options, {}, &kept).value();
  const json data = data_of(page), numbers = data_of(page, "attention-lab-numbers");
  EXPECT_EQ(data["first"]["against"], "A");
  EXPECT_EQ(data["keptLabels"]["queries"], (json{"The", "cat", "sat"}));
  const json maps = stage_of(data, "weights")["kept"]["maps"];
  ASSERT_EQ(maps.size(), 2u);
  const attention::Matrix& weights = *a.trace.heads[1].weights;
  const std::string bytes = decoded_bytes(numbers[maps[1].get<std::size_t>()]["values"]);
  EXPECT_EQ(bytes.size(), static_cast<std::size_t>(weights.size()) * 4);
  EXPECT_EQ(std::memcmp(bytes.data(), weights.data(), bytes.size()), 0);
  // Without a mask, scores stay what they are; a concat of another width compares with none.
  EXPECT_EQ(stage_of(data, "masked_scores")["kept"]["maps"],
            stage_of(data, "scaled_scores")["kept"]["maps"]);
  EXPECT_EQ(stage_of(data, "concat")["kept"]["maps"], json::array());
}

TEST(HtmlWriter, ThrowsWhereThereIsNothingToCompare) {
  const Sample b = sample("", "The cat sat", 3), other = sample("", "two words", 3);
  FigureOptions options;
  options.type = FigureType::kTwoStates;
  const Snapshot kept{other.document, other.trace};
  EXPECT_THROW(static_cast<void>(try_page(b, options)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(try_page(b, options, {}, &kept)), std::out_of_range);
  options.type = FigureType::kTwoHeads, options.second_head = 3;
  EXPECT_THROW(static_cast<void>(try_page(b, options)), std::out_of_range);
}

TEST(HtmlWriter, RefusesTwoSentences) {
  const Sample b = sample("", "The cat sat"), a = sample("", "A dog ran");
  const Snapshot kept{a.document, a.trace};
  FigureOptions options;
  options.type = FigureType::kTwoStates;
  EXPECT_THROW(static_cast<void>(try_page(b, options, {}, &kept)), std::out_of_range);
}

TEST(HtmlWriter, HoldsTheMarksThatAreWanted) {
  Sample s = sample("", "The cat sat", 3);
  s.document.problem.overrides.push_back({Stage::kScores, 1, 2, 0, 5.0f});
  FigureOptions options;
  options.marks.pins.push_back({"weights", 2, 0, 1});
  options.marks.selected = attention::CellRef{"scores", 1, 2, 0};
  options.marks.overrides = false;
  EXPECT_EQ(stage_of(data_of(page_of(s, options)), "scores")["own"]["marks"],
            json::parse(R"([[], [{"kind": "selected", "row": 2, "col": 0}], []])"));
  options.marks.overrides = true;
  const json data = data_of(page_of(s, options));
  EXPECT_EQ(stage_of(data, "scores")["own"]["marks"], json::parse(R"([[],
      [{"kind": "override", "row": 2, "col": 0}, {"kind": "selected", "row": 2, "col": 0}], []])"));
  EXPECT_EQ(stage_of(data, "weights")["own"]["marks"],
            json::parse(R"([[], [], [{"kind": "pin", "row": 0, "col": 1}]])"));
}

TEST(HtmlWriter, ShowsLinesAndArithmeticAsFiguresOfBothThemes) {
  const Sample s = renamed("", {"<it>", "\"two\"", "three", "four"});
  FigureOptions options;
  EXPECT_THAT(page_of(s, options), Not(HasSubstr("data:image/svg+xml;base64")));
  options.type = FigureType::kArithmetic, options.row = 0, options.column = 1;
  const std::string page = page_of(s, options);
  EXPECT_EQ(data_of(page)["first"]["cell"], json::parse(R"({"row": 0, "col": 1})"));
  for (const std::string theme : {"light", "dark"}) {
    const std::string image = content_of(page, "<img id=\"figure-" + theme + "\"", ">");
    EXPECT_THAT(image, HasSubstr("alt=\"weights[&lt;it&gt;, &quot;two&quot;]")) << image;
    EXPECT_THAT(decoded_bytes(content_of(image, "base64,", "\"")), HasSubstr("<svg")) << image;
  }
  options.type = FigureType::kLines;
  EXPECT_THAT(page_of(s, options), HasSubstr("<img id=\"figure-dark\""));
}

TEST(HtmlSession, ComesBackAsItWas) {
  const Sample s = samples().front();
  for (const std::string session :
       {R"({"a": 1})", "{\"a\": \"</script><script>\"}\n", R"({"a": "\\u003c < \\\\ \" \u00e9 ü"})",
        R"("\\")", "\"ไทย 😀\""}) {
    EXPECT_EQ(session_in_html(page_of(s, {}, session)), session);
    EXPECT_EQ(session_in_html(html_session(session)), session);
  }
}

TEST(HtmlSession, IsNothingWhereThereIsNone) {
  EXPECT_EQ(session_in_html(page_of(samples().front())), std::nullopt);
  EXPECT_EQ(session_in_html(""), std::nullopt);
  EXPECT_EQ(session_in_html("<!DOCTYPE html><p>attention-lab-session</p>"), std::nullopt);
  const std::string empty =
      R"(<script type="application/json" id="attention-lab-session"></script>)";
  EXPECT_EQ(session_in_html(empty), std::nullopt);
}

TEST(HtmlSession, SurvivesNoCutThroughIt) {
  const std::string session = R"({"type": "attention-lab session", "text": "a < b"})";
  const std::string page = "<p>before</p>" + html_session(session) + "<p>after</p>";
  const std::size_t end = page.find("</script>") + 9;
  for (std::size_t length = 0; length < end; ++length)
    EXPECT_EQ(session_in_html(page.substr(0, length)), std::nullopt) << length;
  EXPECT_EQ(session_in_html(page.substr(0, end)), session);
  std::string damaged = page;
  damaged[page.find("type\"") + 1] = '\xff';  // in the element's own text or the session's
  damaged[page.find("session\",") + 1] = '\xff';
  EXPECT_EQ(session_in_html(damaged), std::nullopt);
}

}  // namespace
}  // namespace lab
