/* Which machine instructions the code for words may use here. */
#ifndef GEN_WORD_MACHINE_H
#define GEN_WORD_MACHINE_H

#include <stdbool.h>

/* True if the wide code is built and this machine can run it. DAMABASE_PLAIN in the environment hides that,
 * so that tests can compare. */
bool word_machine_is_wide(void);

/* The code of a board for this machine; only x86-64 has a wide one. */
#ifdef __x86_64__
#define WORD_CODE(name, squares)                                                                             \
    ((squares) == 32 ? (word_machine_is_wide() ? &name##_32_wide : &name##_32_plain)                         \
                     : (word_machine_is_wide() ? &name##_50_wide : &name##_50_plain))
#else
#define WORD_CODE(name, squares) ((squares) == 32 ? &name##_32_plain : &name##_50_plain)
#endif

#endif
