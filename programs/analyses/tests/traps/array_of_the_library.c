extern void __VERIFIER_assert(int);
extern char *tzname[];
extern void tzset(void);
int main(void) { tzset(); __VERIFIER_assert(tzname[1] == 0); return 0; }
