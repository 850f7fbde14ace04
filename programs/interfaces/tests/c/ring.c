/* A ring buffer; one place is always free. */
int err;
static unsigned char data[4];
static unsigned char head, tail;

static unsigned char after(unsigned char at) { return (at + 1) % 4; }

void put(unsigned char c)
{
    if (after(head) == tail) {
        err = 1;
        return;
    }
    data[head] = c;
    head = after(head);
}

int get(void)
{
    int c;
    if (head == tail) {
        err = 1;
        return -1;
    }
    c = data[tail];
    tail = after(tail);
    return c;
}
