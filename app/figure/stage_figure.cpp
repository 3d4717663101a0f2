#include "app/figure/stage_figure.h"
