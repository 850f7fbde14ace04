/* Equivalent files inside fuzz targets: a mutation that keeps the meaning of a file, and a decoder that is compared
 * with itself on files that mean the same. One thread at a time. */
#ifndef EQUIVALENTS_LIBFUZZER_H
#define EQUIVALENTS_LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the format of that name ("tiff", "png", ...) and the seeds: all files of the folder EQUIVALENTS_SEEDS, or else of
 * the folder "PROGRAM_seeds", where PROGRAM is argv[0]. Returns 0; or 1, after a line on standard error. */
int equivalents_init(const char *format, const char *program);

/* Leaves files out of the comparison that differ from their seed in a dimension: one in which the decoder's result depends on
 * it on purpose. Call it after equivalents_init. */
void equivalents_keep(const char *dimension);

/* Replaces the file in `data` by another one of at most `max_size` bytes that means the same, and returns its size. Returns
 * 0 if the file cannot be read or nothing fits: then libFuzzer's own mutation is due. */
size_t equivalents_mutate(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* The result of a decoder. */
typedef struct equivalents_result equivalents_result;

/* Appends bytes to a result: the size of the picture, its pixels. */
void equivalents_put(equivalents_result *result, const void *bytes, size_t size);

/* A decoder: puts its result, and returns 1; or returns 0 if it refuses the file. */
typedef int (*equivalents_decoder)(const uint8_t *file, size_t size, equivalents_result *result);

/* Decodes a file. If it means what a seed means and is decoded to another result, this prints the choices in which the two
 * files differ, and aborts. Refused files pass. */
void equivalents_check(const uint8_t *file, size_t size, equivalents_decoder decoder);

#ifdef __cplusplus
}
#endif

#endif
