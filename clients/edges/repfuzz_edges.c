/* See repfuzz_edges.h. The map is the file that REPFUZZ_EDGES names: a byte for each edge, 1 if it was reached. */

#define _GNU_SOURCE
#include "repfuzz_edges.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The most modules (the program, and each shared library) whose edges are recorded. */
#define MOST_MODULES 64

/* The edges of a module. Those of all modules are counted in the order in which these are loaded. */
struct module {
    const void *start;      /* of its guards or counters */
    uint8_t *counters;      /* NULL if it has guards */
    const uintptr_t *places; /* a pair for each edge: its address, and flags; NULL without pc-table */
    size_t first, count;
};

static struct module modules[MOST_MODULES];
static size_t module_count;
static size_t edge_count;

static uint8_t *map;
static size_t mapped;
static volatile int recording;

static struct module *add_module(const void *start, uint8_t *counters, size_t count) {
    for (size_t k = 0; k < module_count; k++) {
        if (modules[k].start == start) return NULL;
    }
    if (count == 0 || module_count == MOST_MODULES) return NULL;
    struct module *module = &modules[module_count++];
    *module = (struct module){start, counters, NULL, edge_count, count};
    edge_count += count;
    return module;
}

/* The callbacks of SanitizerCoverage. Each object file of a module calls with all edges of the module. */

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    struct module *module = add_module(start, NULL, (size_t)(stop - start));
    if (module == NULL) return;
    for (size_t k = 0; k < module->count; k++) start[k] = (uint32_t)(module->first + k + 1);
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    if (recording && *guard != 0 && *guard <= mapped) map[*guard - 1] = 1;
}

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop) {
    add_module(start, start, (size_t)(stop - start));
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) {
    size_t count = (size_t)(stop - start) / 2;
    for (size_t k = 0; k < module_count; k++) {
        if (modules[k].places == start) return;
    }
    for (size_t k = 0; k < module_count; k++) {
        if (modules[k].places == NULL && modules[k].count == count) {
            modules[k].places = start;
            return;
        }
    }
}

/* Writes the places of all edges beside the map, a line each: the path of the module and the offset in it. */
static void write_places(const char *path) {
    char name[4096];
    if (snprintf(name, sizeof name, "%s.places", path) >= (int)sizeof name) return;
    FILE *file = fopen(name, "w");
    if (file == NULL) return;
    for (size_t k = 0; k < module_count; k++) {
        for (size_t edge = 0; edge < modules[k].count; edge++) {
            Dl_info info;
            const uintptr_t *place = modules[k].places ? modules[k].places + 2 * edge : NULL;
            if (place != NULL && dladdr((void *)place[0], &info) != 0 && info.dli_fname != NULL) {
                fprintf(file, "%s 0x%lx\n", info.dli_fname, (unsigned long)(place[0] - (uintptr_t)info.dli_fbase));
            } else {
                fputs("\n", file);
            }
        }
    }
    fclose(file);
}

/* Maps the file, again if a library was loaded since. */
static void set_up(void) {
    const char *path = getenv("REPFUZZ_EDGES");
    if (path == NULL || mapped == edge_count) return;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    if (ftruncate(file, (off_t)edge_count) == 0) {
        if (map != NULL) munmap(map, mapped);
        map = mmap(NULL, edge_count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        mapped = map == MAP_FAILED ? 0 : edge_count;
        if (mapped == 0) map = NULL;
    }
    close(file);
    write_places(path);
}

void repfuzz_edges_begin(void) {
    set_up();
    if (map == NULL) return;
    memset(map, 0, mapped);
    for (size_t k = 0; k < module_count; k++) {
        if (modules[k].counters != NULL) memset(modules[k].counters, 0, modules[k].count);
    }
    recording = 1;
}

void repfuzz_edges_end(void) {
    recording = 0;
    if (map == NULL) return;
    for (size_t k = 0; k < module_count; k++) {
        const struct module *module = &modules[k];
        if (module->counters == NULL || module->first + module->count > mapped) continue;
        for (size_t edge = 0; edge < module->count; edge++) {
            if (module->counters[edge] != 0) map[module->first + edge] = 1;
        }
    }
}

static void say(const char *kind, const char *bytes, size_t length) {
    printf("%s %zu\n", kind, length);
    fwrite(bytes, 1, length, stdout);
    fflush(stdout);
}

static void answer(repfuzz_decode *decode, const char *path) {
    char message[REPFUZZ_MESSAGE] = "";
    char *bytes = NULL;
    size_t length = 0;
    FILE *picture = open_memstream(&bytes, &length);
    if (picture == NULL) abort();
    repfuzz_edges_begin();
    int refused = decode(path, picture, message);
    repfuzz_edges_end();
    message[REPFUZZ_MESSAGE - 1] = 0;
    fclose(picture);
    if (refused) {
        say("refused", message, strlen(message));
    } else {
        say("picture", bytes, length);
    }
}

/* Ends as a process with this status did: repfuzz is to see how a file was too much. */
static void end_likewise(int status) {
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

int repfuzz_edges_serve(repfuzz_decode *decode) {
    static const char request[] = "decode ";
    const size_t start = sizeof request - 1;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    set_up();
    puts("ready");
    fflush(stdout);
    while ((length = getline(&line, &room, stdin)) > 0) {
        if (line[length - 1] == '\n') line[length - 1] = 0;
        if (strncmp(line, request, start) != 0) return 1;
        pid_t child = fork();
        if (child < 0) return 1;
        if (child == 0) {
            answer(decode, line + start);
            _exit(0);
        }
        int status = 0;
        if (waitpid(child, &status, 0) != child) return 1;
        if (status != 0) end_likewise(status);
    }
    free(line);
    return 0;
}
