#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/chat/template.h"

namespace lab::chat {
namespace {

using testing::HasSubstr;

// What a template prints of a short conversation, or its error.
std::string printed(const std::string& source) {
  const auto read = Template::parse(source, {{"bos_token", "<s>"}});
  if (!read) return "error: " + read.error().message;
  const Conversation conversation{{{"user", " hé? "}, {"assistant", "ok"}}, true};
  const auto rendered = read->render(conversation, std::tm{});
  return rendered ? rendered->text : "error: " + rendered.error().message;
}

// The answers were asked of Jinja 3.1.6 with the settings of transformers.
TEST(ChatTemplate, ComputesAsPython) {
  EXPECT_EQ(printed("{{ 7//2 }} {{ -7//2 }} {{ -7 % 3 }} {{ 7/2 }} {{ 2**-1 }} {{ -2 ** 2 }}"),
            "3 -4 2 3.5 0.5 4");
  EXPECT_EQ(printed("{{ 1e16 }} {{ 1e15 }} {{ 0.0001 }} {{ 0.00001 }} {{ 1.0 }}"),
            "1e+16 1000000000000000.0 0.0001 1e-05 1.0");
  EXPECT_EQ(printed("{{ 'héllo'[1:4] }} {{ 'abc'[::-1] }} {{ [1,2,3][-10:2] }} {{ 'abc'[7] }}|"),
            "éll cba [1, 2] |");
  EXPECT_EQ(printed("{{ 'ΟΔΥΣΣΕΥΣ'.lower() }} {{ 'straße'.upper() }} {{ \"they're\".title() }}"),
            "οδυσσευς STRASSE They'Re");
  EXPECT_EQ(printed("{{ ' a  b c '.split(None, 1) }} {{ ' a  b c '.rsplit(maxsplit=1) }}"),
            "['a', 'b c '] [' a  b', 'c']");
  EXPECT_EQ(printed("{{ '<'|safe + '<' }} {{ 'a<' ~ 'b'|safe }}"), "<&lt; a<b");
}

TEST(ChatTemplate, KeepsNamesWhereJinjaDoes) {
  EXPECT_EQ(printed("{% set x = 5 %}{% for i in [1,2] %}{{ x }}{% set x = i %}{{ x }}{% endfor %}"
                    "{{ x }}"),
            "51525");
  EXPECT_EQ(printed("{% set n = namespace(a=0) %}{% for i in range(4) %}{% set n.a = n.a + i %}"
                    "{% endfor %}{{ n.a }}"),
            "6");
  EXPECT_EQ(printed("{% generation %}{% set g = 1 %}{{ g }}{% endgeneration %}{{ g }}"), "1");
  EXPECT_EQ(printed("{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(b=1) }}"),
            "121");
}

// What a filter goes through is true, though nothing may come.
TEST(ChatTemplate, TakesIteratorsForTrue) {
  EXPECT_EQ(printed("{% if [1]|select('even') %}yes{% endif %}"), "yes");
  EXPECT_EQ(printed("{% if [1]|select('even')|list %}yes{% endif %}"), "");
  EXPECT_EQ(printed("{% set s = [1]|select('odd') %}{{ s|list }}{{ s|list }}"), "[1][]");
}

TEST(ChatTemplate, TakesBlanksAroundBlocks) {
  EXPECT_EQ(printed("a\n  {% if 1 %}\n  b\n  {% endif %}\nc\n"), "a\n  b\nc");
  EXPECT_EQ(printed("  {%+ if 1 %}x{% endif +%}\ny"), "  x\ny");
  EXPECT_EQ(printed("  {{ 1 -}}  \n x\n\n"), "  1x\n");
  EXPECT_EQ(printed("a\r\nb"), "a\nb");
}

TEST(ChatTemplate, NamesTheLineOfAMistake) {
  EXPECT_EQ(printed("a\n{{ x"), "error: chat template: line 2: an output has no end: }}");
  EXPECT_EQ(printed("\n\n{% include 'a' %}"),
            "error: chat template: line 3: the block \"include\" is not supported here");
  EXPECT_EQ(printed("{{ 1 }}\n{{ 'a'|wordwrap }}"),
            "error: chat template: line 2: the filter \"wordwrap\" is not supported");
  EXPECT_EQ(printed("{{ messages.nothing.more }}"),
            "error: chat template: line 1: a list has no attribute \"nothing\"");
  EXPECT_EQ(printed("{% for x in y\n%}{{ raise_exception('No ' ~ bos_token) }}{% endfor %}"), "");
  EXPECT_EQ(printed("\n{{ raise_exception('No ' ~ bos_token) }}"),
            "error: chat template: line 2: the template refuses this conversation: \"No <s>\"");
  for (const char* wrong :
       {"{% if 1 %}", "{% endfor %}", "{% for %}{% endfor %}", "{{ (1 }}", "{{ 1 + }}", "{{ 'a }}",
        "{# a", "{% raw %}", "{{ a b }}", "{% set 1 = 2 %}", "{% break %}", "{% macro %}",
        "{{ '\\ud800' }}", "{% call 1 %}{% endcall %}", "{{ 99999999999999999999 }}", "\xFF"})
    EXPECT_THAT(printed(wrong), testing::StartsWith("error: chat template: ")) << wrong;
}

TEST(ChatTemplate, ChangesNothing) {
  EXPECT_THAT(printed("{{ messages.append(1) }}"), HasSubstr("cannot change a list"));
  EXPECT_THAT(printed("{{ messages[0].update({}) }}"), HasSubstr("cannot change"));
  EXPECT_THAT(printed("{{ ''.__class__.__mro__ }}"), HasSubstr("no attribute \"__class__\""));
}

// A template is a stranger's program: whatever it says, it stops.
TEST(ChatTemplate, Stops) {
  const std::string many = "{% for a in range(90000) %}";
  EXPECT_THAT(printed(many + many + "{% endfor %}{% endfor %}"), HasSubstr("too long"));
  EXPECT_THAT(printed(many + "{{ 'xxxxxxxxxx' * 1000 }}{% endfor %}"), HasSubstr("too much text"));
  EXPECT_THAT(printed("{{ 'x' * 999999999999 }}"), HasSubstr("too much text"));
  EXPECT_THAT(
      printed("{% set n = namespace(x='xx') %}" + many + "{% set n.x = n.x ~ n.x %}{% endfor %}"),
      HasSubstr("too much text"));
  EXPECT_THAT(printed("{% set n = namespace(x=[]) %}" + many + "{% set n.x = [n.x] %}{% endfor %}"),
              HasSubstr("nested too deep"));
  EXPECT_THAT(printed("{% set n = namespace(x=[1]) %}{% for a in range(90) %}"
                      "{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x }}"),
              HasSubstr("too long"));
  EXPECT_THAT(printed("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"),
              HasSubstr("nested too deep"));
  EXPECT_THAT(printed("{{ range(10000000000) }}"), HasSubstr("more than 100000"));
  EXPECT_THAT(printed("{{ 2 ** 99999999999 }}"), HasSubstr("too large"));
  EXPECT_THAT(printed("{{ " + std::string(10000, '(') + "1" + std::string(10000, ')') + " }}"),
              HasSubstr("nested too deep"));
  EXPECT_THAT(printed("{{ " + std::string(10000, '-') + "1 }}"), HasSubstr("nested too deep"));
  std::string sum = "{{ 1";
  for (int i = 0; i < 10000; ++i) sum += " + 1";
  EXPECT_THAT(printed(sum + " }}"), HasSubstr("too long"));
  std::string ifs;
  for (int i = 0; i < 10000; ++i) ifs += "{% if 1 %}";
  EXPECT_THAT(printed(ifs), HasSubstr("nested too deep"));
  EXPECT_THAT(printed(std::string(kLongestTemplate + 1, ' ')), HasSubstr("longer than"));
}

TEST(ChatTemplate, FollowsContentThroughItsMethods) {
  const auto read = Template::parse(
      "{% for m in messages %}[{{ (m.content.upper() ~ '!')|trim|replace('É', 'e') }}]{% endfor "
      "%}");
  ASSERT_TRUE(read);
  const auto rendered = read->render({{{"user", " hé? "}, {"assistant", "ok"}}, true}, std::tm{});
  ASSERT_TRUE(rendered);
  EXPECT_EQ(rendered->text, "[He? !][OK!]");
  ASSERT_EQ(rendered->parts.size(), 7U);
  EXPECT_EQ(rendered->parts[0], (RenderedPart{0, 1, std::nullopt}));
  EXPECT_EQ(rendered->parts[1], (RenderedPart{1, 2, 0}));
  EXPECT_EQ(rendered->parts[2], (RenderedPart{2, 3, std::nullopt}));
  EXPECT_EQ(rendered->parts[3], (RenderedPart{3, 5, 0}));
  EXPECT_EQ(rendered->parts[5].turn, 1U);
}

}  // namespace
}  // namespace lab::chat
