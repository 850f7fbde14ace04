extern void __VERIFIER_assert(int);
extern char **environ;
extern unsigned char table[];
int main(void) { __VERIFIER_assert(table[1] == 0); return 0; }
unsigned char table[] = {1, 2};
