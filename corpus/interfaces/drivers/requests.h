/* Requests and answers of drivers in C (docs/interface.md, "Drivers"): shared by all of them. */
#ifndef REQUESTS_H
#define REQUESTS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 4, UNKNOWN_CALL = 3 };

/* A call of a sequence. */
struct call {
    char name[64];
    int count;
    long arguments[MOST_ARGUMENTS];
};

/* What came of a call. */
enum answer {
    ANSWER_SAME = '.',     /* as in the plain order, or it reads nothing */
    ANSWER_DIFFERS = '!',  /* it reads something else than in the plain order */
    ANSWER_REFUSED = 'E',  /* it fails, and does not in the plain order */
    ANSWER_NOT_HERE = '-', /* this file has nothing for it: it fails in the plain order as well */
    ANSWER_UNKNOWN = '?',  /* there is no such call */
};

/* A library as the driver knows it. */
struct library {
    /* Reads the file in the plain order. Writes a digest of its picture, or why it cannot be read, and returns 0 then. */
    int (*picture)(const unsigned char *file, size_t size, char *out, size_t room);
    /* Begins a sequence; NULL if there is no memory. */
    void *(*begin)(const unsigned char *file, size_t size);
    /* Runs a call, and writes why it did not do as in the plain order. */
    enum answer (*call)(void *context, const struct call *call, char *why, size_t room);
    /* Ends a sequence: closes what is open. */
    void (*end)(void *context);
};

/* Text that grows. */
struct text {
    char *bytes;
    size_t length, room;
};

static void add(struct text *text, const char *bytes, size_t length)
{
    if (text->length + length + 1 > text->room) {
        size_t room = 2 * (text->length + length + 1);
        char *grown = realloc(text->bytes, room);
        if (!grown) {
            fputs("glue: out of memory\n", stderr);
            exit(1);
        }
        text->bytes = grown;
        text->room = room;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

/* Reads `name(1, 2) ` at the beginning of a line; returns what is after it, or NULL at the end. */
static const char *next_call(const char *at, const char *end, struct call *call)
{
    size_t length = 0;
    memset(call, 0, sizeof *call);
    while (at < end && *at == ' ') at++;
    if (at >= end) return NULL;
    while (at < end && *at != '(' && *at != ' ') {
        if (length + 1 < sizeof call->name) call->name[length++] = *at;
        at++;
    }
    if (at >= end || *at != '(') return at;
    at++;
    while (at < end && *at != ')') {
        char *after = NULL;
        long value = strtol(at, &after, 10);
        if (after == at) {
            at++;
            continue;
        }
        if (call->count < MOST_ARGUMENTS) call->arguments[call->count++] = value;
        at = after;
    }
    return at < end ? at + 1 : at;
}

/* Runs a sequence up to the first call that does not do as in the plain order. */
static void replay(const struct library *library, const unsigned char *file, size_t size, const char *line,
                   const char *end, struct text *out)
{
    void *context = library->begin(file, size);
    struct call call;
    char why[320] = "";
    for (const char *at = line; context && (at = next_call(at, end, &call));) {
        char answer = (char)library->call(context, &call, why, sizeof why);
        add(out, &answer, 1);
        if (answer != ANSWER_SAME && answer != ANSWER_NOT_HERE) break;
    }
    if (why[0]) {
        for (char *c = why; *c; c++)
            if ((unsigned char)*c < ' ') *c = ' ';
        add(out, " ", 1);
        add(out, why, strlen(why));
    }
    add(out, "\n", 1);
    if (context) library->end(context);
}

/* Answers a request: lines of sequences, an empty line, and the file. Returns 0 if it is refused: `out` says why. */
static int answer(const struct library *library, const char *request, size_t size, struct text *out)
{
    static const char HEAD[] = "repfuzz calls 1\n";
    const char *lines = request + sizeof HEAD - 1, *end = request + size, *body = NULL;
    unsigned char *file;
    char picture[320] = "";
    if (size < sizeof HEAD || memcmp(request, HEAD, sizeof HEAD - 1) != 0) {
        static const char WRONG[] = "glue: this is no request";
        add(out, WRONG, sizeof WRONG - 1);
        return 0;
    }
    for (const char *at = lines; at < end && !body;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end) break;
        if (line_end == at) body = line_end + 1;
        at = line_end + 1;
    }
    if (!body) body = end;
    /* A copy of exactly its size. */
    file = malloc((size_t)(end - body) + (end == body));
    if (!file) return 0;
    memcpy(file, body, (size_t)(end - body));
    if (!library->picture(file, (size_t)(end - body), picture, sizeof picture)) {
        add(out, picture, strlen(picture));
        free(file);
        return 0;
    }
    add(out, "plain ", 6);
    add(out, picture, strlen(picture));
    add(out, "\n", 1);
    for (const char *at = lines; at < end && *at != '\n';) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end) break;
        replay(library, file, (size_t)(end - body), at, line_end, out);
        at = line_end + 1;
    }
    free(file);
    return 1;
}

static int read_file(const char *name, struct text *out)
{
    FILE *file = fopen(name, "rb");
    char block[65536];
    size_t got;
    if (!file) return 0;
    while ((got = fread(block, 1, sizeof block, file)) > 0) add(out, block, got);
    fclose(file);
    return 1;
}

static int serve(int count, char **words, struct library library)
{
    char line[4096];
    if (count == 3) {
        struct text request = {0}, out = {0};
        FILE *to;
        int fine = read_file(words[1], &request) && answer(&library, request.bytes ? request.bytes : "", request.length, &out);
        free(request.bytes);
        if (!fine) {
            fprintf(stderr, "%s\n", out.bytes ? out.bytes : "no such file");
            free(out.bytes);
            return 1;
        }
        if (!(to = fopen(words[2], "wb"))) return 1;
        fwrite(out.bytes, 1, out.length, to);
        free(out.bytes);
        return fclose(to) != 0;
    }
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        struct text request = {0}, out = {0};
        char *name = strchr(line, ' ');
        int fine;
        line[strcspn(line, "\n")] = 0;
        fine = name && read_file(name + 1, &request) && answer(&library, request.bytes ? request.bytes : "", request.length, &out);
        printf("%s %zu\n", fine ? "picture" : "refused", out.length);
        if (out.length) fwrite(out.bytes, 1, out.length, stdout);
        fflush(stdout);
        free(request.bytes);
        free(out.bytes);
    }
    return 0;
}

#endif
