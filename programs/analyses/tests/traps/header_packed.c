extern void __VERIFIER_assert(int);
#include <sys/epoll.h>
int main(void) { __VERIFIER_assert(sizeof(struct epoll_event) == 16); return 0; }
