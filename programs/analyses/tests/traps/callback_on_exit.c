extern void __VERIFIER_assert(int);
#include <stdlib.h>
void on_exit_handler(int status, void *p) { __VERIFIER_assert(status == 0); }
extern int on_exit(void (*)(int, void *), void *);
int main(void) { on_exit(on_exit_handler, 0); return 3; }
