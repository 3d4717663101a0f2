# Builds and runs the project in consumer/: cmake -D WAY=source|installed -D SOURCE_DIR=core/tests
# -D BUILD_DIR=(main build) -D WORK_DIR=(scratch) -D FLAGS=(of the main build) -D LAUNCHER=(of its compiler, or empty)
# -P consumer_test.cmake
file(REMOVE_RECURSE ${WORK_DIR})
set(arguments -S ${SOURCE_DIR}/consumer -B ${WORK_DIR}/build -G Ninja)
set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} "${LAUNCHER}")

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}: ${result}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

if(WAY STREQUAL source)
  # Only in the portable build, which chooses its instruction set at run time.
  list(APPEND arguments -DCORE_DIR=${SOURCE_DIR}/.. -DATTENTION_NATIVE=OFF -DCMAKE_UNITY_BUILD=ON
    -DCMAKE_UNITY_BUILD_BATCH_SIZE=0)
else()
  run(${CMAKE_COMMAND} --install ${BUILD_DIR} --component attention --prefix ${WORK_DIR}/prefix)
  list(APPEND arguments -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix "-DCMAKE_CXX_FLAGS=${FLAGS}")
endif()
run(${CMAKE_COMMAND} ${arguments})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/consumer)

# softmax of (1, 0, 0) / √8
if(NOT output MATCHES "0\\.4159[0-9]* 0\\.2920[0-9]* 0\\.2920[0-9]*")
  message(FATAL_ERROR "the weights are\n${output}")
endif()

# Weights of three tokens, the first of which sees itself alone.
run(${WORK_DIR}/build/consumer_network)
if(NOT output MATCHES "^ *1 +0 +0\n")
  message(FATAL_ERROR "the weights of the network are\n${output}")
endif()

# Code compiled for one instruction set must not be linked into code that runs everywhere, so these
# objects must share no functions with the rest.
find_program(NM nm)
if(WAY STREQUAL source AND NM)
  foreach(set avx2 avx512)
    file(GLOB_RECURSE object ${WORK_DIR}/build/*${set}.cpp.o)
    run(${NM} --demangle --defined-only ${object})
    string(REGEX MATCHALL "[0-9a-f]+ [WVu] [^\n]*" shared "${output}")
    list(FILTER shared EXCLUDE REGEX "EigenFor|DW.ref")
    if(shared)
      message(FATAL_ERROR "${set} shares: ${shared}")
    endif()
  endforeach()
endif()
