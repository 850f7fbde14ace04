#include <stdlib.h>
static void assert(int c) { if (!c) abort(); }
int main(void) { assert(0); return 0; }
