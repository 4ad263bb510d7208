/* The manifest: what is written is read, whatever is damaged is noticed. */
#include "manifest.h"

#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char *folder;

static struct manifest_entry some_entry(const char *name, uint64_t size)
{
    struct manifest_entry entry = {.size = size, .members = 2};
    memcpy(entry.name, name, TABLE_NAME_SIZE);
    if (strcmp(name, "10v10.wdl") == 0)
        entry.members = 1;
    memset(entry.digest.bytes, 0x5a, DIGEST_SIZE);
    for (int i = 0; i < entry.members; i++) {
        entry.member[i].positions = UINT64_MAX - (uint64_t)i;
        for (int value = 0; value < VALUES; value++)
            entry.member[i].counts[value] = UINT64_C(100) * (uint64_t)i + (uint64_t)value;
    }
    return entry;
}

static char *manifest_path(void)
{
    return path_join(folder, MANIFEST_NAME);
}

static enum status read_again(struct manifest *manifest)
{
    char message[MESSAGE_SIZE] = "";
    enum status status = manifest_read(folder, "italian", manifest, message);
    if (status != STATUS_OK && status != STATUS_NO_TABLE)
        assert_non_null(strstr(message, MANIFEST_NAME));
    return status;
}

static void test_update_and_read(void **state)
{
    static const char *const names[] = {"21v10.wdl", "10v10.wdl", "02v01.wdl", "21v10.dtz", "21v10.wdl"};
    static const char *const sorted[] = {"02v01.wdl", "10v10.wdl", "21v10.dtz", "21v10.wdl"};
    struct manifest manifest;
    (void)state;
    assert_int_equal(read_again(&manifest), STATUS_NO_TABLE);
    for (size_t i = 0; i < 5; i++) {
        struct manifest_entry entry = some_entry(names[i], 1000 + i);
        assert_int_equal(manifest_update(folder, "italian", &entry, NULL), STATUS_OK);
    }
    assert_int_equal(read_again(&manifest), STATUS_OK);
    assert_int_equal(manifest.count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(manifest.entries[i].name, sorted[i]);
    const struct manifest_entry *found = manifest_find(&manifest, "21v10.wdl");
    assert_non_null(found);
    struct manifest_entry expected = some_entry("21v10.wdl", 1004);
    assert_memory_equal(found, &expected, sizeof expected);
    found = manifest_find(&manifest, "10v10.wdl");
    expected = some_entry("10v10.wdl", 1001);
    assert_memory_equal(found, &expected, sizeof expected);
    assert_null(manifest_find(&manifest, "99v99.wdl"));
    manifest_remove(&manifest, "10v10.wdl");
    manifest_remove(&manifest, "10v10.wdl");
    assert_null(manifest_find(&manifest, "10v10.wdl"));
    assert_int_equal(manifest.count, 3);
    manifest_free(&manifest);
    char *temporary = path_join(folder, MANIFEST_NAME ".tmp");
    assert_false(file_exists(temporary));
    free(temporary);
}

static void test_text(void **state)
{
    static const char text[] =
        "damabase-manifest 1 italian\n"
        "10v10.wdl 77 5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a 18446744073709551615 4 3 2 1 0\n"
        "end 1\n";
    struct manifest_entry entry = some_entry("10v10.wdl", 77);
    size_t length;
    (void)state;
    assert_int_equal(manifest_update(folder, "italian", &entry, NULL), STATUS_OK);
    char *path = manifest_path();
    uint8_t *bytes = file_bytes(path, &length);
    assert_int_equal(length, sizeof text - 1);
    assert_memory_equal(bytes, text, length);
    free(bytes);
    free(path);
}

static void test_cut_anywhere(void **state)
{
    size_t length;
    struct manifest manifest;
    (void)state;
    struct manifest_entry entries[2] = {some_entry("10v10.wdl", 77), some_entry("11v10.wdl", 78)};
    for (int i = 0; i < 2; i++)
        assert_int_equal(manifest_update(folder, "italian", &entries[i], NULL), STATUS_OK);
    char *path = manifest_path();
    uint8_t *bytes = file_bytes(path, &length);
    for (size_t cut = 0; cut < length; cut++) {
        write_bytes(path, bytes, cut);
        assert_int_equal(read_again(&manifest), STATUS_DAMAGED);
        assert_null(manifest.entries);
    }
    /* What is damaged is not written over. */
    assert_int_equal(manifest_update(folder, "italian", &entries[0], NULL), STATUS_DAMAGED);
    free(bytes);
    free(path);
}

static void test_bad_texts(void **state)
{
#define GOOD "10v10.wdl 77 5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a 15 4 3 2 1 0"
    static const struct {
        const char *text;
        enum status status;
    } cases[] = {
        {"damabase-manifest 1 italian\n" GOOD "\nend 1\n", STATUS_OK},
        {"damabase-manifest 1 italian\nend 0\n", STATUS_OK},
        {"damabase-manifest 2 italian\nanything\n", STATUS_NEWER_FORMAT},
        {"damabase-manifest 1 turkish\nend 0\n", STATUS_WRONG_VARIANT},
        {"damabase-manifest 0 italian\nend 0\n", STATUS_DAMAGED},
        {"damabase-manifest 01 italian\nend 0\n", STATUS_DAMAGED},
        {"damabase-manifest 1 italian \nend 0\n", STATUS_DAMAGED},
        {"damabase-manifest 1  italian\nend 0\n", STATUS_DAMAGED},
        {"damabase-manifest 1\nend 0\n", STATUS_DAMAGED},
        {"damabase 1 italian\nend 0\n", STATUS_DAMAGED},
        {"damabase-manifest 1 italian\nend 1\n", STATUS_DAMAGED},
        {"damabase-manifest 1 italian\nend 0\n\n", STATUS_DAMAGED},
        {"damabase-manifest 1 italian\r\nend 0\r\n", STATUS_DAMAGED},
        {"damabase-manifest 1 italian\n\nend 0\n", STATUS_DAMAGED},
        {"damabase-manifest 1 italian\n" GOOD " \nend 1\n", STATUS_DAMAGED},
        {"damabase-manifest 1 italian\n" GOOD " 7\nend 1\n", STATUS_DAMAGED},
        {"damabase-manifest 1 italian\n" GOOD "\n" GOOD "\nend 2\n", STATUS_DAMAGED},
        {"damabase-manifest 1 italian\n10v10.wdl 77 5a 15 4 3 2 1 0\nend 1\n", STATUS_DAMAGED},
        {"damabase-manifest 1 italian\n01v10.wdx 77 5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a 15 4 3 2 1 0\nend 1\n",
         STATUS_DAMAGED},
        {"damabase-manifest 1 italian\n10v10.wdl -7 5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a 15 4 3 2 1 0\nend 1\n",
         STATUS_DAMAGED},
        {"damabase-manifest 1 italian\n10v10.wdl 77 5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a 18446744073709551616 4 "
         "3 2 1 "
         "0\nend 1\n",
         STATUS_DAMAGED},
    };
    (void)state;
    char *path = manifest_path();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct manifest manifest;
        write_bytes(path, cases[i].text, strlen(cases[i].text));
        if (read_again(&manifest) != cases[i].status)
            fail_msg("case %zu", i);
        manifest_free(&manifest);
    }
    write_bytes(path, "damabase-manifest 1 italian\nend 0\n\0", 35);
    struct manifest manifest;
    assert_int_equal(read_again(&manifest), STATUS_DAMAGED);
    free(path);
}

static void test_bit_flips_are_seen(void **state)
{
    size_t length;
    struct manifest manifest;
    struct manifest_entry entry = some_entry("10v10.wdl", 77);
    (void)state;
    assert_int_equal(manifest_update(folder, "italian", &entry, NULL), STATUS_OK);
    char *path = manifest_path();
    uint8_t *bytes = file_bytes(path, &length);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        write_bytes(path, bytes, length);
        /* Another number or digest is still a manifest; it then differs from the table. */
        if (read_again(&manifest) == STATUS_OK)
            assert_memory_not_equal(&manifest.entries[0], &entry, sizeof entry);
        manifest_free(&manifest);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(bytes);
    free(path);
}

static void test_unwritable(void **state)
{
    char message[MESSAGE_SIZE];
    struct manifest_entry entry = some_entry("10v10.wdl", 77);
    (void)state;
    char *missing = path_join(folder, "missing");
    assert_int_equal(manifest_update(missing, "italian", &entry, message), STATUS_FILE);
    assert_non_null(strstr(message, "missing/manifest"));
    free(missing);
    char *path = manifest_path();
    make_folder(path);
    assert_int_equal(manifest_update(folder, "italian", &entry, message), STATUS_DAMAGED);
    free(path);
}

static int set_up(void **state)
{
    (void)state;
    folder = temporary_folder();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_folder(folder);
    free(folder);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_update_and_read), TEST(test_text),       TEST(test_cut_anywhere),
        TEST(test_bad_texts),       TEST(test_unwritable), TEST(test_bit_flips_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
