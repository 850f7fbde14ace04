/* An iterator that a change of its container makes invalid, as in Java. */
int err;
static int size, version, at, expected, valid;

static void check(void)
{
    if (!valid || version != expected) err = 1;
}

void add(void)
{
    if (size < 2) {
        size++;
        version = (version + 1) & 3;
    }
}

void iterator(void)
{
    at = 0;
    expected = version;
    valid = 1;
}

void next(void)
{
    check();
    if (at >= size) err = 1;
    else at++;
}

void remove_last(void)
{
    check();
    if (at == 0) {
        err = 1;
    } else {
        at--;
        size--;
    }
}
