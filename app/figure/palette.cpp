#include "app/figure/palette.h"
