#include "app/view/labels.h"
