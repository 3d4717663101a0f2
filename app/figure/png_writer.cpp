#include "app/figure/png_writer.h"
