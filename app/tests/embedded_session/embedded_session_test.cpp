#include "app/embedded_session/embedded_session.h"

#include <qpdf/Buffer.hh>
#include <qpdf/Pl_Flate.hh>
#include <qpdf/Pl_String.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFEFStreamObjectHelper.hh>
#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>
#include <qpdf/QPDFFileSpecObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include "app/embedded_session/session_formats.h"
#include "app/figure/animation/frame_encoder.h"
#include "app/figure/figure_writers.h"
#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

// Pictures give back the session that they embed, bit for bit, or nothing.

namespace lab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const char* const kEndings[] = {".png", ".pdf", ".webp"};

/// A WebP picture of one frame that embeds `session`, if any.
std::string webp_picture(const std::string& session) {
  const auto encoder = webp_encoder(1, 1);
  encoder->add({1, 1, {10, 120, 200, 255}}, 40);
  std::string bytes = encoder->finish();
  if (!session.empty()) add_webp_session(bytes, session);
  return bytes;
}

/// A picture of little that embeds `session`.
std::string picture(const char* ending, const std::string& session) {
  Figure figure;
  figure.width = figure.height = 10;
  figure.shapes.push_back(shape::Fill{2, 2, 5, 5, {10, 120, 200}});
  WriteOptions options;
  options.dpi = 72, options.session = session;
  if (std::string_view(ending) == ".webp") return webp_picture(session);
  return value_of(figure_format(ending)->write(figure, options));
}

/// What a person is told who opens these bytes.
std::string complaint_about(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto document = open_document(folder.write("file", bytes));
  if (document) return "no complaint";
  EXPECT_EQ(document.error().type, ErrorType::kBadInput);
  return document.error().message;
}

TEST(EmbeddedSession, ComesBackBitForBit) {
  const TemporaryFolder folder;
  for (const char* ending : kEndings)
    for (unsigned seed = 0; seed < 12; ++seed) {
      const Document document = random_document(seed);
      const std::string session = write_session(document);
      const std::string bytes = picture(ending, session);
      EXPECT_EQ(session_of_figure(bytes), session);
      // The kind is told by content.
      expect_same(value_of(open_document(folder.write("picture", bytes))), document);
    }
}

TEST(EmbeddedSession, OfMegabytesComesBack) {
  HardNumbers random(5);
  std::string session;
  while (session.size() < 12'000'000) session += static_cast<char>(' ' + random.below(64));
  for (const char* ending : kEndings)
    EXPECT_EQ(session_of_figure(picture(ending, session)), session);
}

TEST(EmbeddedSession, APictureWithoutOneIsNamed) {
  EXPECT_THAT(complaint_about(picture(".png", "")), HasSubstr("a PNG picture without a session"));
  EXPECT_THAT(complaint_about(picture(".pdf", "")), HasSubstr("a PDF file without a session"));
  EXPECT_THAT(complaint_about(picture(".webp", "")), HasSubstr("a WebP picture without a session"));
  EXPECT_EQ(session_of_figure("hello"), std::nullopt);
  EXPECT_EQ(session_of_figure(""), std::nullopt);
}

/// What stands in front of the session.
const char* session_mark(std::string_view ending) {
  if (ending == ".webp") return "ALab";
  return ending == ".png" ? "iTXt" : "/EmbeddedFile";
}

TEST(EmbeddedSession, ADamagedOneIsNamed) {
  for (const char* ending : kEndings) {
    std::string bytes = picture(ending, small_session());
    const std::size_t session = bytes.find(session_mark(ending));
    bytes[bytes.find("x", session) + 60] ^= 1;
    EXPECT_EQ(session_of_figure(bytes), std::nullopt);
    EXPECT_THAT(complaint_about(bytes), HasSubstr("the session in this figure is damaged"));
  }
}

TEST(EmbeddedSession, WhatIsNoSessionIsNamed) {
  EXPECT_THAT(complaint_about(picture(".png", "{\"type\": \"other\"}")),
              AllOf(HasSubstr("/file\": "), HasSubstr("type: \"other\", should be")));
}

/// Nothing, or the session as it was.
void expect_exact(std::string_view damaged, const std::string& session) {
  const auto found = session_of_figure(damaged);
  EXPECT_TRUE(!found || *found == session);
}

TEST(DamagedFiles, PngWithSession) {
  const std::string session = small_session();
  damage(picture(".png", session), [&](std::string_view bytes) { expect_exact(bytes, session); });
}

TEST(DamagedFiles, WebpWithSession) {
  const std::string session = small_session();
  damage(picture(".webp", session), [&](std::string_view bytes) { expect_exact(bytes, session); });
}

TEST(DamagedFiles, PdfWithSession) {
  const std::string session = small_session(), pdf = picture(".pdf", session);
  testing::internal::CaptureStderr();
  {
    Damage damage([&](std::string_view bytes) { expect_exact(bytes, session); });
    for (std::size_t size = 0; size < pdf.size(); size += 3) damage.read(pdf.substr(0, size));
    for (std::size_t at = 0; at < pdf.size(); ++at) {
      std::string flipped = pdf;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at * 7 % 8)));
      damage.read(flipped);
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// Text that is carried as text has no check sum: what comes out may be another session.
void read_as_picture(std::string_view bytes) {
  if (const auto session = session_of_figure(bytes)) (void)read_session(*session);
}

TEST(DamagedFiles, SvgWithSession) { damage(picture(".svg", small_session()), read_as_picture); }

TEST(DamagedFiles, HtmlWithSession) {
  const std::string page =
      "<!DOCTYPE html><html><body>" + html_session(small_session()) + "</body></html>";
  EXPECT_EQ(session_of_figure(page), small_session());
  damage(page, read_as_picture);
}

std::string deflated(const std::string& text) {
  std::string result;
  Pl_String end("end", nullptr, result);
  Pl_Flate deflate("deflate", &end, Pl_Flate::a_deflate);
  deflate.writeString(text);
  deflate.finish();
  return result;
}

/// A PDF with an attachment, as a stranger may have made it.
class StrangePdf : public ::testing::Test {
 protected:
  QPDFObjectHandle attach(const std::string& text) {
    file_.processMemoryFile("figure", plain_.data(), plain_.size());
    auto stream = QPDFEFStreamObjectHelper::createEFStream(file_, text);
    stream.setSubtype("application/json");
    const std::string name(kPdfAttachment);
    QPDFEmbeddedFileDocumentHelper(file_).replaceEmbeddedFile(
        name, QPDFFileSpecObjectHelper::createFileSpec(file_, name, stream));
    return stream.getObjectHandle();
  }
  std::string bytes(const std::function<void(QPDFWriter&)>& change = [](QPDFWriter&) {}) {
    QPDFWriter writer(file_);
    writer.setOutputMemory();
    writer.setObjectStreamMode(qpdf_o_disable);
    change(writer);
    writer.write();
    const auto buffer = writer.getBufferSharedPointer();
    return {reinterpret_cast<const char*>(buffer->getBuffer()), buffer->getSize()};
  }
  std::string plain_ = picture(".pdf", "");
  QPDF file_;
};

TEST_F(StrangePdf, IsReadWhereNothingIsWrong) {
  attach("the session");
  EXPECT_EQ(session_in_pdf(bytes()), "the session");
  EXPECT_EQ(session_in_pdf(bytes([](QPDFWriter& w) { w.setLinearization(true); })), "the session");
  EXPECT_EQ(session_in_pdf(bytes([](QPDFWriter& w) { w.setQDFMode(true); })), "the session");
}

TEST_F(StrangePdf, LargerThanTheLimitIsNotInflated) {
  attach(std::string(65'000'000, ' '));
  const std::string pdf = bytes();
  EXPECT_LT(pdf.size(), 200'000u);
  EXPECT_EQ(session_in_pdf(pdf), std::nullopt);
}

TEST_F(StrangePdf, CompressedTwiceIsRefused) {
  const auto as_it_is = [](QPDFWriter& writer) { writer.setStreamDataMode(qpdf_s_preserve); };
  QPDFObjectHandle stream = attach("the session");
  stream.replaceStreamData(deflated("the session"), QPDFObjectHandle::newName("/FlateDecode"), {});
  EXPECT_EQ(session_in_pdf(bytes(as_it_is)), "the session");
  stream.replaceStreamData(deflated(deflated("the session")),
                           QPDFObjectHandle::parse("[/FlateDecode /FlateDecode]"), {});
  EXPECT_EQ(session_in_pdf(bytes(as_it_is)), std::nullopt);
}

TEST_F(StrangePdf, EncryptedIsRefused) {
  attach("the session");
  const auto encrypt = [](QPDFWriter& writer) {
    writer.setR6EncryptionParameters("", "owner", true, true, true, true, true, true, qpdf_r3p_full,
                                     true);
  };
  EXPECT_EQ(session_in_pdf(bytes(encrypt) + "%" + std::string(kSessionMark)), std::nullopt);
}

TEST_F(StrangePdf, WithoutACheckSumIsRefused) {
  attach("the session").getDict().removeKey("/Params");
  EXPECT_EQ(session_in_pdf(bytes()), std::nullopt);
}

void compress_objects(QPDFWriter& writer) { writer.setObjectStreamMode(qpdf_o_generate); }

TEST_F(StrangePdf, WithCompressedObjectsIsRead) {
  attach("the session");
  const std::string pdf = bytes(compress_objects);
  EXPECT_THAT(pdf, ::testing::Not(HasSubstr(kSessionMark)));
  EXPECT_EQ(session_in_pdf(pdf), "the session");
  EXPECT_EQ(session_in_pdf(bytes([](QPDFWriter& writer) {
              compress_objects(writer);
              writer.setLinearization(true);
            })),
            "the session");
}

TEST_F(StrangePdf, WithCompressedObjectsIsReadOrRefusedWhereverItIsDamaged) {
  attach("the session");
  const std::string pdf = bytes(compress_objects);
  for (std::size_t size = 0; size < pdf.size(); ++size)
    expect_exact(std::string_view(pdf).substr(0, size), "the session");
  for (std::size_t at = 0; at < pdf.size(); ++at) {
    std::string flipped = pdf;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at * 7 % 8)));
    expect_exact(flipped, "the session");
  }
}

TEST_F(StrangePdf, WithCompressedObjectsHasTheSameLimits) {
  const auto encrypt = [](QPDFWriter& writer) {
    compress_objects(writer);
    writer.setR6EncryptionParameters("", "owner", true, true, true, true, true, true, qpdf_r3p_full,
                                     true);
  };
  QPDFObjectHandle stream = attach("the session");
  EXPECT_EQ(session_in_pdf(bytes(encrypt)), std::nullopt);
  stream.getDict().removeKey("/Params");
  EXPECT_EQ(session_in_pdf(bytes(compress_objects)), std::nullopt);
  attach(std::string(65'000'000, ' '));
  EXPECT_EQ(session_in_pdf(bytes(compress_objects)), std::nullopt);
}

/// Objects that each say that they are a file, which inflates to 60 MB, and are not.
TEST_F(StrangePdf, WithManyFilesThatAreNoneEnds) {
  const std::string bomb = deflated(std::string(60'000'000, ' '));
  std::string pdf = "%PDF-1.7 /ObjStm";
  for (int i = 0; i < 500; ++i)
    pdf += "\n" + std::to_string(i + 1) + " 0 obj << /Type /EmbeddedFile /Subtype " +
           "/application#2fjson /Params << /CheckSum (none) >> /Filter /FlateDecode /Length " +
           std::to_string(bomb.size()) + " >> stream\n" + bomb + "\nendstream endobj";
  EXPECT_EQ(session_in_pdf(pdf), std::nullopt);
  EXPECT_EQ(
      session_in_pdf("%PDF-1.7 /ObjStm obj" + std::string(1900, '[') + "/EmbeddedFile stream"),
      std::nullopt);
}

TEST_F(StrangePdf, WhoseTreeOfNamesGoesInCirclesEnds) {
  attach("the session");
  QPDFObjectHandle tree = file_.getRoot().getKey("/Names").getKey("/EmbeddedFiles");
  QPDFObjectHandle circle = file_.makeIndirectObject(tree);
  circle.removeKey("/Names");
  circle.replaceKey("/Kids", QPDFObjectHandle::newArray({circle}));
  circle.replaceKey("/Limits", QPDFObjectHandle::parse("[(a) (z)]"));
  file_.getRoot().getKey("/Names").replaceKey("/EmbeddedFiles", circle);
  EXPECT_EQ(session_in_pdf(bytes()), std::nullopt);
}

TEST_F(StrangePdf, NestedDeeplyEnds) {
  std::string pdf = picture(".pdf", "the session");
  const std::string root = "/Names";
  pdf.insert(pdf.find(root), "/Deep " + std::string(200'000, '['));
  EXPECT_EQ(session_in_pdf(pdf), std::nullopt);
}

}  // namespace
}  // namespace lab
