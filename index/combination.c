/* Binomial coefficients as constants, and the ways back from numbers to subsets. */
#include "combination.h"

#define N(n) UINT64_C(n)
#define FALLING_2(n) (N(n) * (N(n) - 1))
#define FALLING_3(n) (FALLING_2(n) * (N(n) - 2))
#define FALLING_4(n) (FALLING_3(n) * (N(n) - 3))
#define FALLING_5(n) (FALLING_4(n) * (N(n) - 4))
#define FALLING_6(n) (FALLING_5(n) * (N(n) - 5))
#define FALLING_7(n) (FALLING_6(n) * (N(n) - 6))
#define FALLING_8(n) (FALLING_7(n) * (N(n) - 7))
#define FALLING_9(n) (FALLING_8(n) * (N(n) - 8))
#define UNLESS_FEWER(n, k, value) ((n) < (k) ? 0 : (value))
#define ROW(n)                                                                                               \
    {1,                                                                                                      \
     n,                                                                                                      \
     UNLESS_FEWER(n, 2, FALLING_2(n) / 2),                                                                   \
     UNLESS_FEWER(n, 3, FALLING_3(n) / 6),                                                                   \
     UNLESS_FEWER(n, 4, FALLING_4(n) / 24),                                                                  \
     UNLESS_FEWER(n, 5, FALLING_5(n) / 120),                                                                 \
     UNLESS_FEWER(n, 6, FALLING_6(n) / 720),                                                                 \
     UNLESS_FEWER(n, 7, FALLING_7(n) / 5040),                                                                \
     UNLESS_FEWER(n, 8, FALLING_8(n) / 40320),                                                               \
     UNLESS_FEWER(n, 9, FALLING_9(n) / 362880)},

const uint64_t choose[65][MAX_CHOSEN + 1] = {
    ROW(0) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9) ROW(10) ROW(11) ROW(12) ROW(13)
        ROW(14) ROW(15) ROW(16) ROW(17) ROW(18) ROW(19) ROW(20) ROW(21) ROW(22) ROW(23) ROW(24) ROW(25)
            ROW(26) ROW(27) ROW(28) ROW(29) ROW(30) ROW(31) ROW(32) ROW(33) ROW(34) ROW(35) ROW(36) ROW(37)
                ROW(38) ROW(39) ROW(40) ROW(41) ROW(42) ROW(43) ROW(44) ROW(45) ROW(46) ROW(47) ROW(48)
                    ROW(49) ROW(50) ROW(51) ROW(52) ROW(53) ROW(54) ROW(55) ROW(56) ROW(57) ROW(58) ROW(59)
                        ROW(60) ROW(61) ROW(62) ROW(63) ROW(64)};

uint64_t combination_at(uint64_t free, int count, uint64_t number)
{
    uint64_t set = 0;
    int place = bits_count(free);
    for (uint64_t rest = free; count > 0; rest ^= bit_of(bits_highest(rest))) {
        place--;
        if (choose[place][count] <= number) {
            number -= choose[place][count];
            set |= bit_of(bits_highest(rest));
            count--;
        }
    }
    return set;
}

void combination_begin_at(struct combination *combination, uint64_t free, int count, uint64_t number)
{
    combination_begin(combination, free, count);
    combination->set = combination_at(free, count, number);
}
