# Compiles for WebAssembly with the Clang, libc++ and wasi-libc of the distribution, for a page in a browser and for Node.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# A program needs the runtime of app/web/libc++, which is not built when CMake tries the compiler.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)

# Exceptions and vectors of WebAssembly, as every browser has had them since 2022. Threads are those of app/web/libc++.
set(web_libraries ${CMAKE_CURRENT_LIST_DIR}/libc++)
set(CMAKE_CXX_FLAGS_INIT "-fwasm-exceptions -msimd128 -fno-threadsafe-statics -D_WASI_EMULATED_SIGNAL -nostdinc++ \
-isystem ${web_libraries} -isystem /usr/lib/llvm-19/include/wasm32-wasi/c++/v1 -fexperimental-library")
# RapidJSON 1.1 has a template that newer compilers refuse unused.
string(APPEND CMAKE_CXX_FLAGS_INIT " -fdelayed-template-parsing")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=/usr/bin/wasm-ld-19 -nostdlib++ -Wl,-z,stack-size=4194304")
set(CMAKE_CXX_STANDARD_LIBRARIES "-lc++ -lwasi-emulated-signal -lm")
