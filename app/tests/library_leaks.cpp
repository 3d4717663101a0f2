// Keeps LeakSanitizer to the product's own leaks. To be listed among the sources of test programs
// that draw text or open a window.

#if defined(__SANITIZE_ADDRESS__)

/// Libraries that keep memory until the end of the process.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig\n"
         "leak:libpango\n"
         "leak:libcairo\n"
         "leak:libglib\n"
         "leak:_dri.so\n"
         "leak:libgallium\n"
         "leak:libLLVM\n"
         "leak:libGLX\n"
         "leak:libX11\n"
         "leak:__argz_add_sep\n";  // glibc's newlocale, where LOCPATH is set
}

/// A program that leaks nothing of its own has nothing to say.
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }

/// Libraries stay loaded, so that what the OpenGL driver keeps is known to be the driver's.
extern "C" int dlclose(void*) { return 0; }

#endif
