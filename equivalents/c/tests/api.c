/* Each function of repfuzz.h, with arguments that it takes and that it refuses:
 *
 *     api TIFF OTHER_TIFF SPEC SPRITE N
 *
 * makes N files, and prints nothing, or the line of a check that fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "repfuzz.h"

#define CHECK(holds)                                                            \
    do {                                                                        \
        if (!(holds)) {                                                         \
            fprintf(stderr, "line %d: %s; %s\n", __LINE__, #holds, repfuzz_error()); \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

enum { MOST = 1 << 16 };

struct file {
    uint8_t *data;
    size_t size;
};

static struct file read_file(const char *path) {
    struct file file = {malloc(MOST), 0};
    FILE *in = fopen(path, "rb");
    CHECK(in != NULL && file.data != NULL);
    file.size = fread(file.data, 1, MOST, in);
    fclose(in);
    return file;
}

static bool mentions(const char *word) { return strstr(repfuzz_error(), word) != NULL; }

/* A decoder with a fault: it reads only little-endian files. */
static bool fails(const uint8_t *data, size_t size, void *context) {
    ++*(int *)context;
    return size < 2 || data[0] != 'I';
}

static bool never_fails(const uint8_t *data, size_t size, void *context) {
    (void)data, (void)size, (void)context;
    return false;
}

static void refuses(struct file tiff) {
    repfuzz_seed *seed = (repfuzz_seed *)&tiff;
    bool equal = true;
    CHECK(strcmp(repfuzz_error(), "") == 0);
    CHECK(repfuzz_seed_open("no", tiff.data, tiff.size, &seed) == REPFUZZ_BAD_SPEC && seed == NULL);
    CHECK(mentions("no format \"no\"") && mentions("tiff, "));
    CHECK(repfuzz_seed_open("no.rs", tiff.data, tiff.size, &seed) == REPFUZZ_BAD_SPEC && mentions("no.rs"));
    CHECK(repfuzz_seed_open("\xff", tiff.data, tiff.size, &seed) == REPFUZZ_BAD_ARGUMENT && mentions("UTF-8"));
    CHECK(repfuzz_seed_open(NULL, tiff.data, 7, &seed) == REPFUZZ_BAD_FILE && seed == NULL);
    CHECK(repfuzz_seed_open(NULL, NULL, 0, &seed) == REPFUZZ_BAD_FILE);
    CHECK(repfuzz_seed_open(NULL, NULL, 1, &seed) == REPFUZZ_BAD_ARGUMENT && mentions("data"));
    CHECK(repfuzz_seed_open(NULL, tiff.data, SIZE_MAX, &seed) == REPFUZZ_BAD_ARGUMENT && mentions("size"));
    CHECK(repfuzz_seed_open(NULL, tiff.data, tiff.size, NULL) == REPFUZZ_BAD_ARGUMENT && mentions("last argument"));
    CHECK(repfuzz_equal(NULL, tiff.data, tiff.size, tiff.data, 7, &equal) == REPFUZZ_BAD_FILE && !equal);
    CHECK(repfuzz_equal(NULL, tiff.data, tiff.size, tiff.data, 7, NULL) == REPFUZZ_BAD_ARGUMENT);

    repfuzz_variants *variants = NULL;
    repfuzz_variant *variant = NULL;
    repfuzz_canonical *canonical = NULL;
    repfuzz_mutator *mutator = NULL;
    size_t size = 1;
    uint32_t width = 1, height = 1;
    CHECK(repfuzz_variants_new(NULL, 1, NULL, &variants) == REPFUZZ_BAD_ARGUMENT && mentions("seed is NULL"));
    CHECK(repfuzz_variants_next(NULL, &variant) == REPFUZZ_BAD_ARGUMENT && mentions("variants is NULL"));
    CHECK(repfuzz_seed_replay(NULL, "{}", &variant) == REPFUZZ_BAD_ARGUMENT);
    CHECK(repfuzz_seed_equals(NULL, tiff.data, tiff.size, &equal) == REPFUZZ_BAD_ARGUMENT);
    CHECK(repfuzz_seed_normalize(NULL, &canonical) == REPFUZZ_BAD_ARGUMENT);
    CHECK(repfuzz_seed_shrink(NULL, NULL, fails, NULL, &variant) == REPFUZZ_BAD_ARGUMENT);
    CHECK(repfuzz_seed_shrink_file(NULL, tiff.data, tiff.size, fails, NULL, &variant) == REPFUZZ_BAD_ARGUMENT);
    CHECK(repfuzz_normalize(NULL, tiff.data, 7, &canonical) == REPFUZZ_BAD_FILE && canonical == NULL);
    CHECK(repfuzz_mutator_new("no", &mutator) == REPFUZZ_BAD_SPEC && mutator == NULL);
    CHECK(repfuzz_mutate(NULL, tiff.data, tiff.size, MOST, 1) == 0 && mentions("mutator is NULL"));
    CHECK(repfuzz_variant_data(NULL, &size) == NULL && size == 0);
    CHECK(repfuzz_variant_choices(NULL) == NULL && repfuzz_variant_legality(NULL) == NULL);
    CHECK(repfuzz_canonical_samples(NULL, &width, &height) == NULL && width == 0 && height == 0);
    CHECK(repfuzz_canonical_text(NULL) == NULL && repfuzz_seed_dimension(NULL, 0) == NULL);
    repfuzz_seed_free(NULL);
    repfuzz_variants_free(NULL);
    repfuzz_variant_free(NULL);
    repfuzz_canonical_free(NULL);
    repfuzz_mutator_free(NULL);
}

static void replays(struct file tiff, const repfuzz_variant *variant) {
    repfuzz_seed *seed;
    repfuzz_variant *again;
    size_t size, again_size;
    CHECK(repfuzz_seed_open("tiff", tiff.data, tiff.size, &seed) == REPFUZZ_OK);
    CHECK(repfuzz_seed_replay(seed, repfuzz_variant_choices(variant), &again) == REPFUZZ_OK);
    const uint8_t *data = repfuzz_variant_data(variant, &size);
    const uint8_t *again_data = repfuzz_variant_data(again, &again_size);
    CHECK(size == again_size && memcmp(data, again_data, size) == 0);
    repfuzz_variant_free(again);
    CHECK(repfuzz_seed_replay(seed, "{\"orientation\":9}", &again) == REPFUZZ_BAD_CHOICES && mentions("orientation"));
    CHECK(repfuzz_seed_replay(seed, "no JSON", &again) == REPFUZZ_BAD_CHOICES && again == NULL);
    CHECK(repfuzz_seed_replay(seed, NULL, &again) == REPFUZZ_BAD_ARGUMENT && again == NULL);
    repfuzz_seed_free(seed);
}

static void has_a_limit(struct file tiff) {
    repfuzz_seed *seed;
    repfuzz_canonical *value;
    uint32_t width, height;
    bool equal = false;
    CHECK(repfuzz_normalize("tiff", tiff.data, tiff.size, &value) == REPFUZZ_OK);
    repfuzz_canonical_samples(value, &width, &height);
    const uint64_t needed = UINT64_C(8) * width * height;
    CHECK(repfuzz_seed_open_within("tiff", tiff.data, tiff.size, needed, &seed) == REPFUZZ_OK);
    CHECK(repfuzz_seed_equals(seed, tiff.data, tiff.size, &equal) == REPFUZZ_OK && equal);
    repfuzz_seed_free(seed);
    CHECK(repfuzz_seed_open_within("tiff", tiff.data, tiff.size, needed - 1, &seed) == REPFUZZ_BAD_FILE);
    CHECK(seed == NULL && mentions("may be made of a file"));
    repfuzz_canonical_free(value);
}

static void means_the_same(struct file tiff, const repfuzz_variant *variant) {
    repfuzz_canonical *one, *other;
    uint32_t width, height, other_width, other_height;
    bool equal = false;
    size_t size;
    const uint8_t *data = repfuzz_variant_data(variant, &size);
    CHECK(repfuzz_equal("tiff", tiff.data, tiff.size, data, size, &equal) == REPFUZZ_OK && equal);
    CHECK(repfuzz_normalize("tiff", tiff.data, tiff.size, &one) == REPFUZZ_OK);
    CHECK(repfuzz_normalize("tiff", data, size, &other) == REPFUZZ_OK);
    const uint16_t *samples = repfuzz_canonical_samples(one, &width, &height);
    const uint16_t *other_samples = repfuzz_canonical_samples(other, &other_width, &other_height);
    CHECK(width > 0 && height > 0 && width == other_width && height == other_height);
    CHECK(memcmp(samples, other_samples, sizeof *samples * 4 * width * height) == 0);
    CHECK(repfuzz_canonical_text(one) == NULL);
    repfuzz_canonical_free(one);
    repfuzz_canonical_free(other);
}

static void makes_variants(struct file tiff, struct file other, int n) {
    repfuzz_seed *seed;
    repfuzz_variants *variants;
    repfuzz_variant **kept = calloc(n, sizeof *kept);
    bool equal = true;
    CHECK(kept != NULL);
    CHECK(repfuzz_seed_open("tiff", tiff.data, tiff.size, &seed) == REPFUZZ_OK);
    CHECK(repfuzz_seed_equals(seed, other.data, other.size, &equal) == REPFUZZ_OK && !equal);
    CHECK(repfuzz_seed_equals(seed, tiff.data, tiff.size, &equal) == REPFUZZ_OK && equal);
    CHECK(repfuzz_variants_new(seed, 1, NULL, &variants) == REPFUZZ_OK);
    int dimensions = 0, orders = 0;
    while (repfuzz_seed_dimension(seed, dimensions) != NULL)
        orders += strcmp(repfuzz_seed_dimension(seed, dimensions++), "byte order") == 0;
    CHECK(dimensions > 10 && orders == 1);
    /* Sequences and variants outlive their seed. */
    repfuzz_seed_free(seed);
    for (int k = 0; k < n; k++) CHECK(repfuzz_variants_next(variants, &kept[k]) == REPFUZZ_OK);
    repfuzz_variants_free(variants);
    for (int k = 0; k < n; k++) {
        const char *legality = repfuzz_variant_legality(kept[k]);
        CHECK(strcmp(legality, "baseline") == 0 || strcmp(legality, "extension") == 0);
        CHECK(repfuzz_variant_choices(kept[k])[0] == '{');
        means_the_same(tiff, kept[k]);
        replays(tiff, kept[k]);
        repfuzz_variant_free(kept[k]);
    }
    free(kept);
}

static void restricts(struct file tiff) {
    const char *fix[] = {"byte order=MM", NULL}, *without[] = {"compress*", "predictor", NULL}, *bad[] = {"colour", NULL};
    repfuzz_restriction restriction = {NULL, without, fix};
    repfuzz_seed *seed;
    repfuzz_variants *variants;
    repfuzz_variant *variant;
    CHECK(repfuzz_seed_open("tiff", tiff.data, tiff.size, &seed) == REPFUZZ_OK);
    CHECK(repfuzz_variants_new(seed, 1, &restriction, &variants) == REPFUZZ_OK);
    for (int k = 0; k < 5; k++) {
        CHECK(repfuzz_variants_next(variants, &variant) == REPFUZZ_OK);
        CHECK(repfuzz_variant_data(variant, NULL)[0] == 'M');
        CHECK(strstr(repfuzz_variant_choices(variant), "compression") == NULL);
        repfuzz_variant_free(variant);
    }
    repfuzz_variants_free(variants);
    restriction.vary = bad;
    CHECK(repfuzz_variants_new(seed, 1, &restriction, &variants) == REPFUZZ_BAD_RESTRICTION && mentions("colour"));
    CHECK(variants == NULL);
    repfuzz_seed_free(seed);
}

static void shrinks(struct file tiff, struct file other) {
    repfuzz_seed *seed, *far;
    repfuzz_variants *variants;
    repfuzz_variant *variant = NULL, *least;
    int asked = 0;
    CHECK(repfuzz_seed_open("tiff", tiff.data, tiff.size, &seed) == REPFUZZ_OK);
    CHECK(repfuzz_seed_open("tiff", other.data, other.size, &far) == REPFUZZ_OK);
    CHECK(repfuzz_variants_new(seed, 1, NULL, &variants) == REPFUZZ_OK);
    do {
        repfuzz_variant_free(variant);
        CHECK(repfuzz_variants_next(variants, &variant) == REPFUZZ_OK);
    } while (repfuzz_variant_data(variant, NULL)[0] != 'M');
    CHECK(repfuzz_seed_shrink(seed, variant, fails, &asked, &least) == REPFUZZ_OK && asked > 1);
    CHECK(strcmp(repfuzz_variant_choices(least), "{\"byte order\":\"MM\"}") == 0);
    repfuzz_variant *again;
    size_t size;
    const uint8_t *data = repfuzz_variant_data(least, &size);
    CHECK(repfuzz_seed_shrink_file(seed, data, size, fails, &asked, &again) == REPFUZZ_OK);
    CHECK(strcmp(repfuzz_variant_choices(again), "{\"byte order\":\"MM\"}") == 0);
    repfuzz_variant_free(again);
    CHECK(repfuzz_seed_shrink(seed, variant, never_fails, NULL, &again) == REPFUZZ_END && again == NULL);
    CHECK(repfuzz_seed_shrink(far, variant, fails, &asked, &again) == REPFUZZ_END && again == NULL);
    CHECK(repfuzz_seed_shrink(seed, variant, NULL, NULL, &again) == REPFUZZ_BAD_ARGUMENT && mentions("fails"));
    CHECK(repfuzz_seed_shrink_file(seed, data, 7, fails, &asked, &again) == REPFUZZ_END && again == NULL);
    CHECK(repfuzz_seed_shrink_file(seed, data, size, NULL, NULL, &again) == REPFUZZ_BAD_ARGUMENT);
    repfuzz_variant_free(least);
    repfuzz_variant_free(variant);
    repfuzz_variants_free(variants);
    repfuzz_seed_free(far);
    repfuzz_seed_free(seed);
}

/* A format of one's own, whose value is shown as JSON unless it is a picture; and the mutator. */
static void reads_a_spec(const char *spec, struct file sprite) {
    repfuzz_seed *seed;
    repfuzz_canonical *canonical;
    repfuzz_mutator *mutator;
    int changed = 0;
    bool equal;
    CHECK(repfuzz_normalize(spec, sprite.data, sprite.size, &canonical) == REPFUZZ_OK);
    CHECK((repfuzz_canonical_text(canonical) == NULL) == (repfuzz_canonical_samples(canonical, NULL, NULL) != NULL));
    repfuzz_canonical_free(canonical);
    CHECK(repfuzz_seed_open(spec, sprite.data, sprite.size, &seed) == REPFUZZ_OK);
    CHECK(repfuzz_mutator_new(spec, &mutator) == REPFUZZ_OK);
    /* Room is not initialized beyond the file: valgrind would report a read of it. */
    uint8_t *room = malloc(MOST);
    CHECK(room != NULL);
    memcpy(room, sprite.data, sprite.size);
    size_t size = sprite.size;
    for (uint32_t k = 0; k < 8; k++) {
        size_t made = repfuzz_mutate(mutator, room, size, MOST, k);
        if (made == 0) continue;
        changed++;
        size = made;
        CHECK(size <= MOST);
        CHECK(repfuzz_seed_equals(seed, room, size, &equal) == REPFUZZ_OK && equal);
    }
    CHECK(changed > 4);
    CHECK(repfuzz_mutate(mutator, room, 3, MOST, 1) == 0);
    CHECK(repfuzz_mutate(mutator, room, size, size - 1, 1) == 0 && mentions("max_size"));
    free(room);
    repfuzz_seed_free(seed);
    repfuzz_mutator_free(mutator);
}

int main(int argc, char **argv) {
    CHECK(argc == 6);
    int n = atoi(argv[5]);
    struct file tiff = read_file(argv[1]), other = read_file(argv[2]), sprite = read_file(argv[4]);
    CHECK(strchr(repfuzz_version(), '.') != NULL);
    refuses(tiff);
    has_a_limit(tiff);
    makes_variants(tiff, other, n);
    /* It makes some hundred files, which takes long under valgrind; api.cpp restricts as well. */
    if (n > 1) restricts(tiff);
    shrinks(tiff, other);
    reads_a_spec(argv[3], sprite);
    free(tiff.data);
    free(other.data);
    free(sprite.data);
    return 0;
}
