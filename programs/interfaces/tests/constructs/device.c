// calls: open_,write_,flush,close_; length 6
#include <string.h>
#include <stdlib.h>
#define N 4
enum st { CLOSED, OPEN, DIRTY };
static struct { enum st st; unsigned char buf[N]; size_t len; } io;
void open_(void) { if (io.st != CLOSED) abort(); memset(&io, 0, sizeof io); io.st = OPEN; }
void write_(int c) { if (io.st == CLOSED) abort(); if (io.len == N) abort(); io.buf[io.len++] = (unsigned char)c; io.st = DIRTY; }
void flush(void) { if (io.st != DIRTY) abort(); memmove(io.buf, io.buf + 1, 3); io.len = 0; io.st = OPEN; }
void close_(void) { if (io.st == DIRTY || io.st == CLOSED) abort(); io.st = CLOSED; }
