#include "app/lessons/reading/lesson_lines.h"

#include <array>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/strings.h"
#include "app/document/model/layer_name.h"

namespace lab::lessons {
namespace {

using Action = decltype(Directive::action);

Action read_open(std::string_view text) { return directive::Open{lesson_source(text)}; }

Action read_apply(std::string_view text) {
  return directive::Apply{value_or_bad_input(read_edit(text))};
}

Action read_select(std::string_view text) {
  return directive::Select{value_or_bad_input(Expression::parse(text))};
}

Action read_pin(std::string_view text) {
  return directive::Pin{value_or_bad_input(Expression::parse(text))};
}

Action read_sensitivity(std::string_view text) {
  return directive::Sensitivity{value_or_bad_input(Expression::parse(text))};
}

Action read_head(std::string_view text) {
  if (const auto of_model = model_head_from_name(text))
    return directive::Head{static_cast<int>(of_model->head), of_model->at};
  const auto head = parse_number<int>(text);
  if (!head || *head < 1)
    throw BadInput(
        in_quotes(text) +
        " is not a head; heads are numbered from 1, and those of a model are named L0H0");
  return directive::Head{*head - 1};
}

Action read_large(std::string_view text) {
  const auto stage = attention::stage_from_name(text);
  if (!stage) throw BadInput("there is no stage " + in_quotes(text));
  return directive::Large{*stage};
}

Action read_highlight(std::string_view text) { return directive::Highlight{std::string(text)}; }

// Splits a list at commas and spaces.
std::vector<std::string_view> names_in(std::string_view text) {
  std::vector<std::string_view> names;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(", \t"), text.size());
    if (end > 0) names.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

Action read_range(std::string_view text) {
  const std::vector<std::string_view> names = names_in(text);
  const auto stage = attention::stage_from_name(names.front());
  if (!stage) throw BadInput("there is no stage " + in_quotes(names.front()));
  const auto lo = names.size() == 3 ? parse_number<float>(names[1]) : std::nullopt;
  const auto hi = names.size() == 3 ? parse_number<float>(names[2]) : std::nullopt;
  if (!lo || !hi || !std::isfinite(*lo) || !std::isfinite(*hi) || *lo >= *hi)
    throw BadInput(
        "after \"range\" and a stage come two numbers, the smaller first, such as "
        "\"range weights 0 1\"");
  return directive::Range{*stage, {*lo, *hi}};
}

Action read_hide(std::string_view text) {
  directive::Hide hide;
  for (const std::string_view name : names_in(text)) {
    if (std::ranges::find(hideable_panels(), name) == hideable_panels().end())
      throw BadInput("there is no part " + in_quotes(name) + " to hide; the parts are " +
                     panel_names());
    hide.panels.emplace(name);
  }
  return hide;
}

Action read_lock(std::string_view text) {
  directive::Lock lock;
  for (const std::string_view name : names_in(text)) {
    const auto control = control_from_name(name);
    if (name == "all") {
      for (int id = 0; id <= static_cast<int>(Control::kTraining); ++id)
        lock.controls.insert(static_cast<Control>(id));
    } else if (control) {
      lock.controls.insert(*control);
    } else {
      throw BadInput("there is nothing called " + in_quotes(name) + " to lock; use all, " +
                     control_names());
    }
  }
  return lock;
}

Action read_mute(std::string_view text) { return read_apply("mute " + std::string(text)); }
Action read_gain(std::string_view text) { return read_apply("gain " + std::string(text)); }
Action read_text(std::string_view text) { return read_apply("text " + std::string(text)); }

Action read_tiles(std::string_view text) {
  const auto view = std::ranges::find(tile_views(), text);
  if (view != tile_views().end())
    return directive::Tiles{static_cast<std::size_t>(view - tile_views().begin())};
  std::string known;
  for (const std::string_view one : tile_views())
    known += (known.empty() ? "" : ", ") + std::string(one);
  throw BadInput("tiles cannot show " + in_quotes(text) + "; they show " + known);
}

Action read_answer(std::string_view text) { return directive::Answer{std::string(text)}; }

struct Keyword {
  std::string_view name;
  Action (*read)(std::string_view text);
  std::string_view expected;  // what must follow
};
constexpr std::array kKeywords = {
    Keyword{"open", read_open, "an example or a session, such as \"open refer\""},
    Keyword{"apply", read_apply, "an edit, such as \"apply {\"do\":\"set_temperature\",…}\""},
    Keyword{"select", read_select, "a cell, such as \"select weights[1, it, animal]\""},
    Keyword{"pin", read_pin, "a cell, such as \"pin weights[1, it, animal]\""},
    Keyword{"moves", read_sensitivity, "a cell, such as \"moves weights[1, it, animal]\""},
    Keyword{"head", read_head, "a number from 1, such as \"head 2\""},
    Keyword{"large", read_large, "a stage, such as \"large weights\""},
    Keyword{"range", read_range, "a stage and two numbers, such as \"range weights 0 1\""},
    Keyword{"highlight", read_highlight, "the name of a widget, such as \"highlight matrix/W_Q\""},
    Keyword{"hide", read_hide, "parts of the window, such as \"hide edit, model\""},
    Keyword{"lock", read_lock, "what to lock, such as \"lock weights, sentence\""},
    Keyword{"mute", read_mute, "a head of a trained model, such as \"mute L0H0\""},
    Keyword{"gain", read_gain, "a head and its gain, such as \"gain L0H0 0.5\""},
    Keyword{"text", read_text, "what the model reads, such as \"text The cat sat on the\""},
    Keyword{"tiles", read_tiles, "what they show, such as \"tiles effect\""},
    Keyword{"answer", read_answer, "a token or two, such as \"answer mat - floor\""},
};

Action read_directive(std::string_view line) {
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view name = line.substr(0, end), rest = trimmed(line.substr(end));
  const auto keyword = std::ranges::find(kKeywords, name, &Keyword::name);
  if (keyword == kKeywords.end()) {
    std::string known;
    for (const Keyword& one : kKeywords)
      known += (known.empty() ? "" : ", ") + std::string(one.name);
    throw BadInput("there is no directive " + in_quotes(name) + "; the directives are " + known);
  }
  if (rest.empty())
    throw BadInput(in_quotes(name) + " must be followed by " + std::string(keyword->expected));
  return keyword->read(rest);
}

}  // namespace

void read_directives(const LessonSection& fence, Step& step, std::vector<LessonProblem>& problems) {
  for (const LessonLine& line : fence.lines) {
    const std::string_view text = trimmed(line.text);
    if (text.empty() || text.starts_with('#')) continue;
    auto action = guarded([&] { return read_directive(text); });
    if (action) {
      step.directives.push_back({line.number, std::move(*action)});
      continue;
    }
    problems.push_back({line.number, action.error().message});
    step.unread.emplace_back(text);
  }
}

}  // namespace lab::lessons
