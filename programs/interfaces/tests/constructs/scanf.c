// calls: get; refused 4: `sscanf` may change memory of the library: write a loop
#include <stdio.h>
int err; static int n;
void get(const char *text) { sscanf(text, "%d", &n); if (n == 3) err = 1; }
