# The core as three shared libraries: for every x86-64 machine, for those with AVX2 (x86-64-v3) and for those with
# AVX-512 (x86-64-v4). The loader of glibc looks for the best one in glibc-hwcaps below the library's folder.
set(ATTENTION_VARIANTS_FOLDER ${CMAKE_BINARY_DIR}/variants)

# attention_variant(TARGET FOLDER): a function that a header defines must not be taken from the program or another
# library, which may be compiled for other machines.
function(attention_variant target folder)
  target_compile_options(${target} PRIVATE -fvisibility-inlines-hidden -fno-semantic-interposition)
  target_link_options(${target} PRIVATE -Wl,-Bsymbolic)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME attention_core SOVERSION ${PROJECT_VERSION_MAJOR}
    LIBRARY_OUTPUT_DIRECTORY ${ATTENTION_VARIANTS_FOLDER}/${folder})
endfunction()

attention_variant(attention_core .)
get_target_property(variant_sources attention_core SOURCES)
foreach(level v3 v4)
  set(variant attention_core_${level})
  add_library(${variant} SHARED ${variant_sources})
  foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS LINK_LIBRARIES)
    set_property(TARGET ${variant} PROPERTY ${property} $<TARGET_PROPERTY:attention_core,${property}>)
  endforeach()
  target_compile_features(${variant} PRIVATE cxx_std_20)
  target_compile_options(${variant} PRIVATE -march=x86-64-${level})
  target_precompile_headers(${variant} PRIVATE <Eigen/Core>)
  if(ATTENTION_LAB_UNITY)
    set_target_properties(${variant} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 18)
  endif()
  attention_variant(${variant} glibc-hwcaps/x86-64-${level})
  # Built whenever the library is that the program is linked with.
  add_dependencies(attention_core ${variant})
endforeach()
