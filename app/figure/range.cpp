#include "app/figure/range.h"
