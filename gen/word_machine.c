/* Asking the processor. */
#include "word_machine.h"

#include <stdlib.h>

bool word_machine_is_wide(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && !getenv("DAMABASE_PLAIN");
#else
    return false;
#endif
}
