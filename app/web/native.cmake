# The engine as a library of this machine, for the analysis of its source, and in a program that answers the same requests
# as the one in a page: app/web/tests compares both.
file(GLOB engine_sources CONFIGURE_DEPENDS web/engine/*.cpp)
list(FILTER engine_sources EXCLUDE REGEX "/exports[.]cpp$")
add_library(lab_web_engine STATIC EXCLUDE_FROM_ALL ${engine_sources})
unite_sources(lab_web_engine 24)
target_include_directories(lab_web_engine PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(lab_web_engine PUBLIC lab_lessons lab_files lab_explain lab_figure third_party::json)
target_precompile_headers(lab_web_engine REUSE_FROM lab_base)
if(BUILD_TESTING)
  add_executable(web_peer web/tests/peer.cpp)
  target_link_libraries(web_peer PRIVATE lab_web_engine)
endif()
