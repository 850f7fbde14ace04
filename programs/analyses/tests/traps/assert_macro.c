#include <assert.h>
int main(void) { int x = 1; assert(x == 0); return 0; }
