#include "app/files/session.h"
