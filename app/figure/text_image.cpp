#include "app/figure/text_image.h"
