/* Which weir this is. Usable from C and C++. */
#ifndef WEIR_VERSION_H
#define WEIR_VERSION_H

#define WEIR_VERSION_MAJOR 0
#define WEIR_VERSION_MINOR 1
#define WEIR_VERSION_PATCH 0
#define WEIR_VERSION "0.1.0"

#endif
