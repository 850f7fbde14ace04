/* The recursive function of the paper's appendix. */
int result;

static int fib(int n)
{
    int tmp1, tmp2;
    if (n < 3)
        return 1;
    tmp1 = fib(n - 1);
    tmp2 = fib(n - 2);
    return tmp1 + tmp2;
}

void set(int n)
{
    result = fib(n);
}

void check(void)
{
    if (result == 5)
        __builtin_abort();
}
