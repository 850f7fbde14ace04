// calls: add,use; refused 6: the result of `strlen` is not computed, and something depends on it
#include <string.h>
int err;
static char text[4]; static int n;
void add(void) { if (n < 3) text[n++] = 'a'; }
void use(void) { if (strlen(text) > 2) err = 1; }
