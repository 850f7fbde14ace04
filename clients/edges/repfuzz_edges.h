/* Publishes the edges that a client's library reaches, so that repfuzz can be guided by them (docs/edges.md).

   Compile the library with clang and -fsanitize-coverage=trace-pc-guard, or inline-8bit-counters, and with pc-table if
   the report should name places. Compile repfuzz_edges.c without, and link it with the worker. Outside of repfuzz,
   nothing is published. */

#ifndef REPFUZZ_EDGES_H
#define REPFUZZ_EDGES_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Decodes the file at `path` and writes the picture, in the format of the client's description, to `picture`. Returns 0,
   or 1 if the library refuses the file; `message` then has its reason, of at most REPFUZZ_MESSAGE - 1 bytes. */
typedef int repfuzz_decode(const char *path, FILE *picture, char *message);

#define REPFUZZ_MESSAGE 1024

/* Is a worker: takes requests from standard input, has `decode` read each file in a process of its own, and answers on
   standard output. So the edges of a file depend on no file before it. Returns the exit status of `main`. */
int repfuzz_edges_serve(repfuzz_decode *decode);

/* For workers with a loop of their own: forgets what was reached, and begins to record. Call it when a request has been
   read. Edges of code that runs once in a process are those of its first file only; repfuzz does without the edges of a
   client of which two runs on the seed differ. */
void repfuzz_edges_begin(void);

/* Ends recording, and publishes what was reached. Call it before the answer is written. */
void repfuzz_edges_end(void);

#ifdef __cplusplus
}
#endif

#endif
