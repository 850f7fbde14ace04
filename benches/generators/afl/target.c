// A target for AFL++ that writes each test case to a file of its own: target FOLDER MOST SECONDS. After MOST files it writes its
// processor time to the file SECONDS, and no more. No branch depends on a test case's bytes, so that the queue stays the seed
// alone, and all files are mutations of it.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

__AFL_FUZZ_INIT();

int main(int argc, char **argv) {
    char path[4096];
    if (argc != 4) return 2;
    long most = atol(argv[2]);
    __AFL_INIT();
    unsigned char *file = __AFL_FUZZ_TESTCASE_BUF;
    for (long count = 0; __AFL_LOOP(1000000000); count++) {
        if (count > most) continue;
        if (count == most) {
            FILE *seconds = fopen(argv[3], "w");
            if (!seconds) abort();
            fprintf(seconds, "%.3f\n", (double)clock() / CLOCKS_PER_SEC);
            fclose(seconds);
            continue;
        }
        int length = __AFL_FUZZ_TESTCASE_LEN;
        snprintf(path, sizeof path, "%s/%07ld", argv[1], count);
        int out = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
        if (out < 0 || write(out, file, length) != length || close(out)) abort();
    }
    return 0;
}
