/* A handle of a file that is opened for reading or for writing. */
#include <stdlib.h>
enum state { CLOSED, READING, WRITING };
static enum state state;
static char *buffer;

void file_open(int write)
{
    if (state != CLOSED) abort();
    state = write ? WRITING : READING;
    buffer = malloc(100);
}

void file_read(void)
{
    if (state != READING) abort();
    buffer[0] = 'r';
}

void file_write(void)
{
    if (state != WRITING) abort();
    buffer[0] = 'w';
}

void file_close(void)
{
    if (buffer == NULL) abort();
    free(buffer);
    buffer = NULL;
    state = CLOSED;
}
