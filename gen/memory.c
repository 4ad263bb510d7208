/* Sizes of memory: texts, and what the node has. */
#include "memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool memory_read(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno != 0)
        return false;
    uint64_t factor = 1;
    if (*end) {
        const char *unit = strchr(units, *end >= 'a' ? *end - 'a' + 'A' : *end);
        if (!unit || !*unit)
            return false;
        factor = UINT64_C(1) << (10 * (unit - units + 1));
        end++;
        if (strcmp(end, "iB") == 0)
            end += 2;
        else if (strcmp(end, "B") == 0)
            end++;
    }
    return *end == '\0' && !__builtin_mul_overflow((uint64_t)number, factor, bytes) && *bytes > 0;
}

void memory_write(uint64_t bytes, char text[MEMORY_TEXT_SIZE])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double number = (double)bytes;
    size_t unit = 0;
    while (number >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        number /= 1024;
        unit++;
    }
    snprintf(text, MEMORY_TEXT_SIZE, unit == 0 ? "%.0f %s" : "%.1f %s", number, units[unit]);
}

static uint64_t first_number(const char *path, const char *form)
{
    char line[256];
    uint64_t number = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file) && sscanf(line, form, &number) != 1)
        ;
    fclose(file);
    return number;
}

/* What a control group still allows, or `available` if that is less or it sets no limit. */
static uint64_t least_of_group(const char *group, uint64_t available)
{
    char path[4200];
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", group);
    uint64_t limit = first_number(path, "%" SCNu64);
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.current", group);
    uint64_t used = first_number(path, "%" SCNu64);
    if (limit == 0)
        return available;
    uint64_t left = limit > used ? limit - used : 0;
    return available == 0 || left < available ? left : available;
}

/* A batch system limits the job in a group some levels above this process's own: all of them count. */
static uint64_t least_of_groups(uint64_t available)
{
    char line[4096] = "";
    FILE *file = fopen("/proc/self/cgroup", "r");
    bool read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    if (!read || strncmp(line, "0::/", 4) != 0)
        return least_of_group("", available);
    char *group = line + 3;
    group[strcspn(group, "\n")] = '\0';
    for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
        *end = '\0';
        available = least_of_group(group, available);
    }
    return available;
}

uint64_t memory_available(void)
{
    uint64_t kernel = first_number("/proc/meminfo", "MemAvailable: %" SCNu64) * 1024;
    return least_of_groups(kernel);
}
