#include "sb_fmu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The model of an FMU: from the file model.sb of its resources; in source FMUs, where SB_FMU_EMBEDDED is defined, it is
 * compiled in and no file is read.
 *
 * The file: a mark, how many constants and bytes of token there are, a checksum of what follows and 4 bytes of 0; the
 * token with its end, up to a multiple of 8 bytes; the constants; and the block of the model for stribeck_read.
 * src/stribeck/deploy/fmi/archive.py writes it. */

#ifdef SB_FMU_EMBEDDED

void *sb_fmu_load(const char *folder, sb_fmu_model *model, const char **error)
{
    (void)folder;
    (void)error;
    *model = (sb_fmu_model){
        SB_FMU_TOKEN,
        sb_fmu_constants,
        SB_FMU_N_CONSTANT,
        {sb_fmu_integers, sizeof sb_fmu_integers / sizeof *sb_fmu_integers, sb_fmu_numbers,
         sizeof sb_fmu_numbers / sizeof *sb_fmu_numbers, sb_fmu_text, sizeof sb_fmu_text},
    };
    return NULL;
}

#else

static const char FMU_MARK[8] = {'S', 'B', 'F', 'M', 'U', '0', '0', '2'};
enum { FMU_HEAD = 24, FMU_PATH = 4096 };

static int fmu_hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The path of model.sb in a folder that is a path, or an URI as FMI 2 has it: file:///folder%20name/resources. */
static int fmu_path_of(const char *folder, char *path)
{
    const int uri = strncmp(folder, "file:", 5) == 0;
    const char *from = folder + (uri ? 5 : 0);
    if (uri && strncmp(from, "//", 2) == 0) {
        from += 2;
        from += strncmp(from, "localhost/", 10) == 0 ? 9 : 0;
    }
    if (uri && from[0] == '/' && from[1] && from[2] == ':') { // a drive of Windows
        ++from;
    }
    size_t n = 0;
    for (; *from && n < FMU_PATH - 16; ++from) {
        const int escaped = uri && *from == '%' && fmu_hex(from[1]) >= 0 && fmu_hex(from[2]) >= 0;
        path[n++] = escaped ? (char)(16 * fmu_hex(from[1]) + fmu_hex(from[2])) : *from;
        from += escaped ? 2 : 0;
    }
    if (*from || n == 0) {
        return 0;
    }
    const int ends = path[n - 1] == '/' || path[n - 1] == '\\';
    strcpy(path + n, ends ? "model.sb" : "/model.sb");
    return 1;
}

#ifdef _WIN32
/* Paths are in UTF-8, those of Windows in UTF-16. */
static FILE *fmu_open_file(const char *path)
{
    wchar_t wide[FMU_PATH];
    size_t n = 0;
    for (const unsigned char *c = (const unsigned char *)path; *c; ++n) {
        const int more = *c >= 0xf0 ? 3 : *c >= 0xe0 ? 2 : *c >= 0xc0 ? 1 : 0;
        unsigned long code = *c & (more == 3 ? 0x07u : more == 2 ? 0x0fu : more == 1 ? 0x1fu : 0x7fu);
        ++c;
        for (int i = 0; i < more && *c; ++i, ++c) {
            code = code << 6 | (*c & 0x3fu);
        }
        if (code >= 0x10000u) {
            wide[n++] = (wchar_t)(0xd800u + ((code - 0x10000u) >> 10));
            code = 0xdc00u + ((code - 0x10000u) & 0x3ffu);
        }
        wide[n] = (wchar_t)code;
    }
    wide[n] = 0;
    return _wfopen(wide, L"rb");
}
#else
static FILE *fmu_open_file(const char *path)
{
    return fopen(path, "rb");
}
#endif

/* All bytes of a file, or NULL. */
static void *fmu_read_file(const char *path, size_t *bytes)
{
    FILE *file = fmu_open_file(path);
    if (!file) {
        return NULL;
    }
    long length = -1;
    if (fseek(file, 0, SEEK_END) == 0) {
        length = ftell(file);
    }
    void *block = length > 0 && fseek(file, 0, SEEK_SET) == 0 ? malloc((size_t)length) : NULL;
    if (block && fread(block, 1, (size_t)length, file) != (size_t)length) {
        free(block);
        block = NULL;
    }
    fclose(file);
    *bytes = block ? (size_t)length : 0;
    return block;
}

/* Adler-32, as in zlib. */
static uint32_t fmu_checksum(const char *from, size_t n)
{
    enum { PRIME = 65521 };
    uint32_t sum = 1;
    uint32_t sums = 0;
    for (size_t i = 0; i < n; ++i) {
        sum = (sum + (unsigned char)from[i]) % PRIME;
        sums = (sums + sum) % PRIME;
    }
    return sums << 16 | sum;
}

static int fmu_parse(const char *block, size_t bytes, sb_fmu_model *model)
{
    int32_t count[2]; // of constants, and of bytes of the token
    uint32_t checksum;
    if (bytes < FMU_HEAD || memcmp(block, FMU_MARK, sizeof FMU_MARK) != 0) {
        return 0;
    }
    memcpy(count, block + sizeof FMU_MARK, sizeof count);
    memcpy(&checksum, block + sizeof FMU_MARK + sizeof count, sizeof checksum);
    if (checksum != fmu_checksum(block + FMU_HEAD, bytes - FMU_HEAD)) {
        return 0;
    }
    if (count[0] < 0 || count[1] < 8 || count[1] % 8 != 0) {
        return 0;
    }
    const size_t start = FMU_HEAD + (size_t)count[1] + (size_t)count[0] * sizeof(double);
    if (bytes < start || block[FMU_HEAD + count[1] - 1] != '\0') {
        return 0;
    }
    model->token = block + FMU_HEAD;
    model->constant = (const void *)(block + FMU_HEAD + count[1]);
    model->n_constant = (size_t)count[0];
    return stribeck_read(block + start, bytes - start, &model->model) == 0;
}

void *sb_fmu_load(const char *folder, sb_fmu_model *model, const char **error)
{
    char path[FMU_PATH];
    size_t bytes = 0;
    if (!folder || !fmu_path_of(folder, path)) {
        *error = "the folder of the resources is missing: it has the model";
        return NULL;
    }
    void *block = fmu_read_file(path, &bytes);
    if (!block) {
        *error = "the file model.sb in the folder of the resources cannot be read";
        return NULL;
    }
    if (!fmu_parse(block, bytes, model)) {
        free(block);
        *error = "the file model.sb in the folder of the resources is damaged, or of another version";
        return NULL;
    }
    return block;
}

#endif
