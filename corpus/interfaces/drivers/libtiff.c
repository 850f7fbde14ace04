/* Replays sequences of calls on libtiff (docs/interface.md, "Replaying sequences"): each call that reads must
   give what it gives on a fresh handle that has read nothing else.

   libtiff_driver IN OUT    for one request, or, without arguments, as a worker. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#include "requests.h"

/* What is read of a page is kept for so many pages, and for parts no larger than this. */
enum { PAGES = 4, MOST_BYTES = 1 << 28 };

static const char *const MODES[] = {"r", "rm", "rc", "rO", "rh"};

/* A file in memory, at a place of its own and of its exact size, so that sanitizers see what is read behind it. */
struct memory {
    const unsigned char *bytes;
    toff_t size, at;
};

static tmsize_t memory_read(thandle_t handle, void *to, tmsize_t size)
{
    struct memory *m = handle;
    toff_t left = m->at < m->size ? m->size - m->at : 0;
    if ((toff_t)size > left) size = (tmsize_t)left;
    memcpy(to, m->bytes + m->at, (size_t)size);
    m->at += (toff_t)size;
    return size;
}

static tmsize_t memory_write(thandle_t handle, void *from, tmsize_t size)
{
    (void)handle, (void)from, (void)size;
    return -1;
}

static toff_t memory_seek(thandle_t handle, toff_t offset, int whence)
{
    struct memory *m = handle;
    m->at = whence == SEEK_SET ? offset : whence == SEEK_CUR ? m->at + offset : m->size + offset;
    return m->at;
}

static int memory_close(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t memory_size(thandle_t handle) { return ((struct memory *)handle)->size; }

static int memory_map(thandle_t handle, void **base, toff_t *size)
{
    struct memory *m = handle;
    *base = (void *)(uintptr_t)m->bytes;
    *size = m->size;
    return 1;
}

static void memory_unmap(thandle_t handle, void *base, toff_t size) { (void)handle, (void)base, (void)size; }

/* The last message of libtiff. */
static char message[300];

static void keep(const char *module, const char *format, va_list arguments)
{
    int used = snprintf(message, sizeof message, "%.60s: ", module ? module : "libtiff");
    vsnprintf(message + used, sizeof message - (size_t)used, format, arguments);
}

/* A reading of a file, and where it is. */
struct session {
    struct memory memory;
    TIFF *tif;
    int mode;
    int loaded;        /* a directory was read */
    uint32_t row;      /* the next row */
    uint16_t plane;    /* and its plane */
    int in_rows;
    int converting;    /* between rgba_begin and rgba_end: WITHOUT if libtiff has no conversion for the page */
    TIFFRGBAImage image;
};

enum { WITH = 1, WITHOUT = 2 };

/* The facts of the current page. */
struct page {
    uint32_t width, height, parts, part_rows, tile_width, tile_height;
    uint16_t planes, orientation;
    int tiled, has_rows;
};

static struct page facts(TIFF *tif)
{
    struct page p = {0};
    uint16_t planar = PLANARCONFIG_CONTIG, samples = 1, photometric = 0, h = 1, v = 1;
    TIFFGetField(tif, TIFFTAG_IMAGEWIDTH, &p.width);
    TIFFGetField(tif, TIFFTAG_IMAGELENGTH, &p.height);
    TIFFGetFieldDefaulted(tif, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(tif, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(tif, TIFFTAG_ORIENTATION, &p.orientation);
    p.tiled = TIFFIsTiled(tif);
    p.parts = p.tiled ? TIFFNumberOfTiles(tif) : TIFFNumberOfStrips(tif);
    p.planes = planar == PLANARCONFIG_SEPARATE ? samples : 1;
    if (p.tiled) {
        TIFFGetField(tif, TIFFTAG_TILEWIDTH, &p.tile_width);
        TIFFGetField(tif, TIFFTAG_TILELENGTH, &p.tile_height);
    } else {
        TIFFGetFieldDefaulted(tif, TIFFTAG_ROWSPERSTRIP, &p.part_rows);
        if (p.part_rows > p.height) p.part_rows = p.height;
        if (p.part_rows == 0) p.part_rows = 1;
    }
    /* Rows of subsampled colors are read in groups, not as scanlines. */
    if (TIFFGetField(tif, TIFFTAG_PHOTOMETRIC, &photometric) && photometric == PHOTOMETRIC_YCBCR)
        TIFFGetFieldDefaulted(tif, TIFFTAG_YCBCRSUBSAMPLING, &h, &v);
    p.has_rows = !p.tiled && h == 1 && v == 1;
    return p;
}

/* FNV-1a. */
static uint64_t hash(uint64_t start, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t k = 0; k < size; k++) start = (start ^ b[k]) * 0x100000001b3u;
    return start;
}

static const uint64_t START = 0xcbf29ce484222325u;

/* A result of a call: 0 if it failed, else a digest of what it read; 1 if it reads nothing. */
typedef uint64_t result;
enum { FAILED = 0, NOTHING = 1, NOT_HERE = 2 };

static result digest(const void *bytes, size_t size)
{
    uint64_t h = hash(START, bytes, size);
    return h < 8 ? h + 8 : h;
}

/* Memory for `size` bytes, which end where sanitizers notice; set to a pattern. */
static void *room(tmsize_t size)
{
    if (size <= 0 || size > MOST_BYTES) return NULL;
    void *memory = malloc((size_t)size);
    if (memory) memset(memory, 0x5a, (size_t)size);
    return memory;
}

static int open_session(struct session *s, int mode)
{
    s->memory.at = 0;
    s->tif = TIFFClientOpen("file", MODES[mode], &s->memory, memory_read, memory_write, memory_seek,
                            memory_close, memory_size, memory_map, memory_unmap);
    s->mode = mode;
    s->loaded = s->tif && mode != 4;
    s->in_rows = 0;
    return s->tif != NULL;
}

static void close_session(struct session *s)
{
    if (s->converting == WITH) TIFFRGBAImageEnd(&s->image);
    s->converting = 0;
    if (s->tif) TIFFClose(s->tif);
    s->tif = NULL;
    s->loaded = 0;
}

static uint32_t which_part(const struct page *p, int which) { return which == 0 || p->parts == 0 ? 0 : p->parts - 1; }

static result read_row(struct session *s)
{
    tmsize_t size = TIFFScanlineSize(s->tif);
    void *row = room(size);
    result r = FAILED;
    if (row && TIFFReadScanline(s->tif, row, s->row, s->plane) > 0) r = digest(row, (size_t)size);
    free(row);
    return r;
}

/* Goes to the row after the current one; 0 after the last. */
static int step(struct session *s, const struct page *p)
{
    if (++s->row < p->height) return 1;
    s->row = 0;
    if (++s->plane < p->planes) return 1;
    s->in_rows = 0;
    return 0;
}

static result read_part(struct session *s, const struct page *p, int which, int start_only)
{
    uint32_t part = which_part(p, which);
    tmsize_t size = p->tiled ? TIFFTileSize(s->tif) : TIFFStripSize(s->tif), got;
    void *buffer;
    result r = FAILED;
    if (start_only) size = p->tiled ? TIFFTileRowSize(s->tif) : TIFFScanlineSize(s->tif);
    if (!(buffer = room(size))) return FAILED;
    got = p->tiled ? TIFFReadEncodedTile(s->tif, part, buffer, size)
                   : TIFFReadEncodedStrip(s->tif, part, buffer, size);
    if (got >= 0) r = digest(buffer, (size_t)got);
    free(buffer);
    return r;
}

static void *raw_part(struct session *s, const struct page *p, int which, tmsize_t *size)
{
    uint32_t part = which_part(p, which);
    void *buffer = NULL;
    *size = (tmsize_t)TIFFGetStrileByteCount(s->tif, part);
    if (!(buffer = room(*size))) return NULL;
    *size = p->tiled ? TIFFReadRawTile(s->tif, part, buffer, *size)
                     : TIFFReadRawStrip(s->tif, part, buffer, *size);
    if (*size > 0) return buffer;
    free(buffer);
    return NULL;
}

/* Decodes bytes that the client has read itself, as other libraries do that read parts in parallel. */
static result decode_raw(struct session *s, const struct page *p, int which)
{
    uint32_t part = which_part(p, which);
    uint64_t offset = TIFFGetStrileOffset(s->tif, part), count = TIFFGetStrileByteCount(s->tif, part);
    tmsize_t size = p->tiled ? TIFFTileSize(s->tif) : TIFFVStripSize(s->tif, p->part_rows);
    void *raw, *buffer;
    result r = FAILED;
    if (!p->tiled && which != 0 && p->height % p->part_rows != 0)
        size = TIFFVStripSize(s->tif, p->height % p->part_rows);
    if (count == 0 || offset >= s->memory.size || count > s->memory.size - offset) return NOT_HERE;
    raw = room((tmsize_t)count);
    buffer = room(size);
    if (raw && buffer) {
        memcpy(raw, s->memory.bytes + offset, count);
        if (TIFFReadFromUserBuffer(s->tif, part, raw, (tmsize_t)count, buffer, size))
            r = digest(buffer, (size_t)size);
    }
    free(raw);
    free(buffer);
    return r;
}

static uint32_t *raster(uint32_t width, uint32_t height)
{
    uint64_t size = (uint64_t)width * height * 4;
    return size > MOST_BYTES ? NULL : room((tmsize_t)size);
}

static result rgba_image(struct session *s, const struct page *p)
{
    uint32_t *pixels = raster(p->width, p->height);
    result r = FAILED;
    if (pixels && TIFFReadRGBAImageOriented(s->tif, p->width, p->height, pixels, ORIENTATION_TOPLEFT, 1))
        r = digest(pixels, (size_t)p->width * p->height * 4);
    free(pixels);
    return r;
}

static result rgba_part(struct session *s, const struct page *p, int which)
{
    uint32_t height = p->tiled ? p->tile_height : p->part_rows, width = p->tiled ? p->tile_width : p->width;
    uint32_t x = 0, y = 0, *pixels;
    result r = FAILED;
    if (width == 0 || height == 0 || p->width == 0 || p->height == 0 || !(pixels = raster(width, height))) return FAILED;
    if (which != 0) {
        x = p->tiled ? (p->width - 1) / width * width : 0;
        y = (p->height - 1) / height * height;
    }
    /* Behind the rows of a short last strip is nothing that was read. */
    if (p->tiled ? TIFFReadRGBATileExt(s->tif, x, y, pixels, 1) : TIFFReadRGBAStripExt(s->tif, y, pixels, 1))
        r = digest(pixels, (size_t)width * (p->tiled || p->height - y > height ? height : p->height - y) * 4);
    free(pixels);
    return r;
}

static result rgba_get(struct session *s, const struct page *p)
{
    uint32_t *pixels = raster(p->width, p->height);
    result r = FAILED;
    if (pixels && TIFFRGBAImageGet(&s->image, pixels, p->width, p->height))
        r = digest(pixels, (size_t)p->width * p->height * 4);
    free(pixels);
    return r;
}

static result get_fields(struct session *s)
{
    uint16_t u[3] = {0, 0, 0};
    float f = 0;
    char *text = NULL;
    uint64_t h = START;
    if (TIFFGetFieldDefaulted(s->tif, TIFFTAG_BITSPERSAMPLE, &u[0])) h = hash(h, u, sizeof u[0]);
    if (TIFFGetField(s->tif, TIFFTAG_COMPRESSION, &u[1])) h = hash(h, u, 2 * sizeof u[0]);
    if (TIFFGetFieldDefaulted(s->tif, TIFFTAG_ORIENTATION, &u[2])) h = hash(h, u, sizeof u);
    if (TIFFGetField(s->tif, TIFFTAG_XRESOLUTION, &f)) h = hash(h, &f, sizeof f);
    if (TIFFGetField(s->tif, TIFFTAG_IMAGEDESCRIPTION, &text) && text) h = hash(h, text, strlen(text));
    if (TIFFGetField(s->tif, TIFFTAG_SOFTWARE, &text) && text) h = hash(h, text, strlen(text));
    return digest(&h, sizeof h);
}

/* The places of the first and the last part, and then all. */
static result get_places(struct session *s, const struct page *p)
{
    uint64_t *all = NULL, h = START;
    uint64_t some[4] = {TIFFGetStrileOffset(s->tif, 0), TIFFGetStrileByteCount(s->tif, 0),
                        TIFFGetStrileOffset(s->tif, which_part(p, 1)), TIFFGetStrileByteCount(s->tif, which_part(p, 1))};
    h = hash(h, some, sizeof some);
    if (!TIFFGetField(s->tif, p->tiled ? TIFFTAG_TILEOFFSETS : TIFFTAG_STRIPOFFSETS, &all) || !all) return FAILED;
    h = hash(h, all, (size_t)p->parts * sizeof *all);
    if (!TIFFGetField(s->tif, p->tiled ? TIFFTAG_TILEBYTECOUNTS : TIFFTAG_STRIPBYTECOUNTS, &all) || !all) return FAILED;
    h = hash(h, all, (size_t)p->parts * sizeof *all);
    return digest(&h, sizeof h);
}

static int is(const struct call *call, const char *name) { return strcmp(call->name, name) == 0; }

/* Calls that go to another page, open or close; NOT_HERE if it is none of them. */
static result move(struct session *s, const struct call *call, int n)
{
    int fine;
    if (is(call, "close_file")) {
        close_session(s);
        return NOTHING;
    }
    s->in_rows = 0;
    if (is(call, "next_directory")) fine = TIFFReadDirectory(s->tif);
    else if (is(call, "set_directory")) fine = n >= 0 && n < 65535 && TIFFSetDirectory(s->tif, (tdir_t)n);
    else fine = TIFFSetSubDirectory(s->tif, TIFFCurrentDirOffset(s->tif));
    s->loaded |= fine;
    return fine ? NOTHING : FAILED;
}

static result rgba_begin(struct session *s)
{
    char why[1024] = "";
    if (s->converting) return FAILED;
    s->converting = TIFFRGBAImageBegin(&s->image, s->tif, 1, why) ? WITH : WITHOUT;
    if (s->converting == WITH) return NOTHING;
    snprintf(message, sizeof message, "%.280s", why);
    return FAILED;
}

static result rows(struct session *s, const struct page *p, const struct call *call)
{
    result r;
    if (!p->has_rows) return NOT_HERE;
    if (is(call, "first_row") || is(call, "row_of_last_strip")) {
        s->in_rows = 1;
        s->plane = 0;
        s->row = is(call, "first_row") ? 0 : (p->height - 1) / p->part_rows * p->part_rows;
        return read_row(s);
    }
    if (!s->in_rows || !step(s, p)) return NOT_HERE;
    r = read_row(s);
    if (is(call, "other_rows")) {
        uint64_t h = r;
        while (r != FAILED && step(s, p)) {
            r = read_row(s);
            h = hash(h, &r, sizeof r);
        }
        s->in_rows = 0;
        r = r == FAILED ? FAILED : digest(&h, sizeof h);
    }
    return r;
}

/* Runs one call. */
static result run(struct session *s, const struct call *call)
{
    int n = (int)call->arguments[0];
    struct page p;
    result r;
    if (is(call, "open_file")) return !s->tif && n >= 0 && n <= 4 && open_session(s, n) ? NOTHING : FAILED;
    if (!s->tif) return FAILED;
    if (is(call, "close_file") || is(call, "next_directory") || is(call, "set_directory") || is(call, "again_directory"))
        return s->converting || (is(call, "again_directory") && !s->loaded) ? FAILED : move(s, call, n);
    if (is(call, "count_directories")) {
        uint64_t count = TIFFNumberOfDirectories(s->tif);
        return digest(&count, sizeof count);
    }
    if (!s->loaded) return FAILED;
    p = facts(s->tif);
    if (p.parts == 0) return NOT_HERE;
    if (is(call, "rgba_begin")) return rgba_begin(s);
    if (is(call, "get_fields")) return get_fields(s);
    if (is(call, "get_places")) return get_places(s, &p);
    if (strstr(call->name, "row")) return rows(s, &p, call);
    if (is(call, "rgba_end")) {
        if (!s->converting) return FAILED;
        r = s->converting == WITH ? NOTHING : NOT_HERE;
        if (r == NOTHING) TIFFRGBAImageEnd(&s->image);
        s->converting = 0;
        return r;
    }
    if (is(call, "rgba_get") && s->converting != WITH) return s->converting ? NOT_HERE : FAILED;
    s->in_rows = 0;
    if (call->count > 0 && n != 0 && n != 1) return FAILED;
    if (is(call, "read_part")) return read_part(s, &p, n, 0);
    if (is(call, "read_part_start")) return read_part(s, &p, 0, 1);
    if (is(call, "decode_raw")) return decode_raw(s, &p, n);
    if (is(call, "rgba_image")) return rgba_image(s, &p);
    if (is(call, "rgba_part")) return rgba_part(s, &p, n);
    if (is(call, "rgba_get")) return rgba_get(s, &p);
    if (is(call, "read_raw")) {
        tmsize_t size = 0;
        void *raw = raw_part(s, &p, n, &size);
        r = raw ? digest(raw, (size_t)size) : FAILED;
        free(raw);
        return r;
    }
    return UNKNOWN_CALL;
}

/* What a call reads on a fresh handle, with the calls before it that it cannot do without. */
struct known {
    char key[96];
    result expected;
    char why[300];
};

static struct known *known;
static size_t known_count;

static int page_of(struct session *s) { return s->tif && s->loaded ? (int)TIFFCurrentDirectory(s->tif) : 0; }

/* Runs the plain order up to a call: rows from the first on, others at once. */
static result plain(const struct memory *file, const struct session *at, uint64_t offset, const struct call *call)
{
    struct session fresh = {.memory = *file};
    static const struct call FIRST = {.name = "first_row"};
    result r = FAILED;
    /* Only "c" changes what strips are. */
    if (!open_session(&fresh, at->mode == 2 ? 2 : 0)) return FAILED;
    if (TIFFSetSubDirectory(fresh.tif, offset)) {
        fresh.loaded = 1;
        if (is(call, "rgba_get") && rgba_begin(&fresh) == FAILED) {
            close_session(&fresh);
            return FAILED;
        }
        if (is(call, "next_row") || is(call, "other_rows")) {
            run(&fresh, &FIRST);
            while (fresh.in_rows && (fresh.row != at->row || fresh.plane != at->plane)) {
                struct page p = facts(fresh.tif);
                if (!step(&fresh, &p) || read_row(&fresh) == FAILED) break;
            }
        }
        r = run(&fresh, call);
    }
    close_session(&fresh);
    return r;
}

/* What a call is to read; computed once for each place in the file. */
static const struct known *expect(const struct memory *file, const struct session *at, const struct call *call)
{
    uint64_t offset = at->tif && at->loaded ? TIFFCurrentDirOffset(at->tif) : 0;
    char key[96];
    struct known *slot;
    int follows = is(call, "next_row") || is(call, "other_rows");
    snprintf(key, sizeof key, "%d %llu %lu %u %s(%ld)", at->mode == 2, (unsigned long long)offset,
             follows ? (unsigned long)at->row : 0, follows ? (unsigned)at->plane : 0, call->name, call->arguments[0]);
    for (size_t k = 0; k < known_count; k++)
        if (strcmp(known[k].key, key) == 0) return &known[k];
    slot = realloc(known, (known_count + 1) * sizeof *known);
    if (!slot) return NULL;
    known = slot;
    slot = &known[known_count++];
    memcpy(slot->key, key, sizeof key);
    message[0] = 0;
    slot->expected = plain(file, at, offset, call);
    memcpy(slot->why, message, sizeof message);
    return slot;
}

/* Calls that read something of the page, so that they are compared with the plain order. */
static int reads(const struct call *call)
{
    static const char *const NAMES[] = {"first_row", "row_of_last_strip", "next_row", "other_rows", "read_part",
                                        "read_part_start", "read_raw", "decode_raw", "rgba_image", "rgba_part",
                                        "rgba_begin", "rgba_get", "get_fields", "get_places", "count_directories"};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++)
        if (is(call, NAMES[k])) return 1;
    return 0;
}

static enum answer answer_call(void *context, const struct call *call, char *why, size_t size)
{
    struct session *s = context;
    const struct known *k = NULL;
    int known_page = s->tif && s->loaded && reads(call);
    result r;
    if (known_page && !(k = expect(&s->memory, s, call))) return ANSWER_NOT_HERE;
    message[0] = 0;
    r = run(s, call);
    if (r == UNKNOWN_CALL) return ANSWER_UNKNOWN;
    if (k && k->expected == FAILED) return r == FAILED ? ANSWER_NOT_HERE : ANSWER_SAME;
    if (r == NOT_HERE || (k && k->expected == NOT_HERE)) return ANSWER_NOT_HERE;
    if (r == FAILED) {
        snprintf(why, size, "%s", message);
        return ANSWER_REFUSED;
    }
    if (k && r != k->expected) {
        snprintf(why, size, "on page %d", page_of(s) + 1);
        return ANSWER_DIFFERS;
    }
    return ANSWER_SAME;
}

static void *begin(const unsigned char *file, size_t size)
{
    struct session *s = calloc(1, sizeof *s);
    if (s) s->memory = (struct memory){file, size, 0};
    return s;
}

static void end(void *context)
{
    close_session(context);
    free(context);
}

/* The picture in the plain order, as hexadecimal digits. */
static int picture(const unsigned char *file, size_t size, char *out, size_t room_for)
{
    struct session s = {.memory = {file, size, 0}};
    struct page p;
    result r;
    free(known);
    known = NULL;
    known_count = 0;
    message[0] = 0;
    if (!open_session(&s, 0)) {
        snprintf(out, room_for, "%s", message);
        return 0;
    }
    p = facts(s.tif);
    r = rgba_image(&s, &p);
    close_session(&s);
    snprintf(out, room_for, r == FAILED ? "none" : "%016llx", (unsigned long long)r);
    return 1;
}

int main(int count, char **words)
{
    TIFFSetWarningHandler(NULL);
    TIFFSetErrorHandler(keep);
    return serve(count, words, (struct library){picture, begin, answer_call, end});
}
