#include "app/figure/latex/latex_parts.h"

namespace lab::figure {
namespace {

constexpr std::string_view kBeforeFont =
    R"(% A figure made by Attention Lab. Compile it with pdflatex, lualatex or xelatex: the page is the
% figure, to be included in a paper as a PDF.
%
% Letters: pdflatex has those of Latin scripts alone. lualatex and xelatex have those of the fonts
% that are named, here and in the lines \fontfor{script}{font} below: name those that you have.
% A letter that is missing is shown as its number in Unicode, in a small frame.
\newcommand*{\figurefont}{)";

constexpr std::string_view kAfterFont = R"(}
\RequirePackage{fix-cm}
\documentclass[border=0pt]{standalone}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \usepackage{textcomp}
  \usepackage{helvet}
  \renewcommand*{\ttdefault}{pcr}
\else
  \usepackage{fontspec}
  \ifLuaTeX\defaultfontfeatures{Renderer=HarfBuzz}\fi
  \newcommand*{\tryfont}[1]{\ifdefined\fontfound\else
    \IfFontExistsTF{#1}{\setsansfont[Ligatures=TeXOff]{#1}\newcommand*{\fontfound}{}}{}\fi}
  \IfFontExistsTF{DejaVu Sans Mono}{\setmonofont[Ligatures=TeXOff]{DejaVu Sans Mono}}{}
  \tryfont{\figurefont}
)";

constexpr std::string_view kAfterFonts = R"(  \tryfont{TeX Gyre Heros}
\fi
\usepackage{tikz}

% \lettercode: the two halves of a number, framed. \letter{number}{letter}{what stands for it}
% declares a letter that the font may not have, and \sign one that pdflatex takes from the fonts of
% formulas. \fitted{width}{text}: at most so wide.
\newcommand*{\lettercode}[2]{{\fboxsep.06em\fboxrule.04em\raisebox{-.08em}{\fbox{%
  \fontsize{.4em}{.4em}\selectfont\shortstack{\lefttoright{#1}\\\lefttoright{#2}}}}}}
\ifPDFTeX
  \newcommand*{\letter}[3]{\ifcsname u8:\detokenize{#2}\endcsname\else
    \DeclareUnicodeCharacter{#1}{#3}\fi}
  \newcommand*{\sign}[3]{\DeclareUnicodeCharacter{#1}{#3}}
\else
  \newcommand*{\letter}[3]{\catcode"#1=\active
    \begingroup\lccode`\~="#1 \lowercase{\endgroup\protected\def~}%
    {\iffontchar\font"#1 \char"#1 \else#3\fi}}
  \newcommand*{\sign}{\letter}
\fi
% \fontfor{script}{font} names the font in which \inscript{script}{text} is set.
\ifPDFTeX
  \newcommand*{\fontfor}[2]{}
  \newcommand*{\inscript}[2]{#2}
\else
  \newcommand*{\fontfor}[2]{\IfFontExistsTF{#2}%
    {\expandafter\newfontfamily\csname script#1\endcsname[Script=#1]{#2}}%
    {\expandafter\newcommand\csname script#1\endcsname{\addfontfeature{Script=#1}}}}
  \newcommand*{\inscript}[2]{{\csname script#1\endcsname#2}}
\fi
\ifLuaTeX
  \newcommand*{\righttoleft}[1]{\hbox{\textdir TRT#1}}
  \newcommand*{\lefttoright}[1]{\hbox{\textdir TLT#1}}
\else\ifXeTeX
  \TeXXeTstate=1
  \newcommand*{\righttoleft}[1]{\hbox{\beginR#1\endR}}
  \newcommand*{\lefttoright}[1]{\hbox{\beginL#1\endL}}
\else
  \newcommand*{\righttoleft}[1]{#1}
  \newcommand*{\lefttoright}[1]{#1}
\fi\fi
\newcommand*{\fitted}[2]{\setbox0\hbox{#2}\ifdim\wd0>#1\resizebox{#1}{!}{\box0}\else\box0\fi}
% \cells{colour}{\cell{left}{top}{right}{bottom} ...}: filled rectangles, faster than with \fill.
\newcommand*{\cell}[4]{\pgfpathrectanglecorners{\pgfqpoint{#1bp}{-#2bp}}{\pgfqpoint{#3bp}{-#4bp}}}
\newcommand{\cells}[2]{\pgfsetfillcolor{#1}#2\pgfusepathqfill}
\newcommand*{\size}[1]{\fontsize{#1bp}{#1bp}\selectfont}
\tikzset{every node/.style={inner sep=0pt,outer sep=0pt},
  l/.style={anchor=base west},m/.style={anchor=base},r/.style={anchor=base east}}
)";

/// The names separated by commas, each as an attempt, except the first.
std::string trials(std::string_view families) {
  std::string text;
  for (std::size_t comma = families.find(','); comma != std::string_view::npos;
       comma = families.find(',')) {
    families.remove_prefix(comma + 1);
    text += "  \\tryfont{" + latex_text(families.substr(0, families.find(','))) + "}\n";
  }
  return text;
}

}  // namespace

std::string latex_preamble(std::string_view families) {
  const std::string first = latex_text(families.substr(0, families.find(',')));
  return std::string(kBeforeFont) + first + std::string(kAfterFont) + trials(families) +
         std::string(kAfterFonts);
}

}  // namespace lab::figure
