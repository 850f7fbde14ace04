// calls: f,g,h; length 5
#include <stddef.h>
int err; static int n, a[2], *none;
static int get(const char *text) { return text ? 1 : 2; }
static void set(int *to) { *to = 1; }
void f(int k) { const char *text = NULL; if (k) text = "a"; n = get(text); }
void g(void) { if (n == 2) err = 1; }
void h(void) { set(&a[5]); n = 2; }
