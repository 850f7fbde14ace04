/* A decoder that gets its header in pieces and then rows. */
int err;
static unsigned need, have, rows;
static _Bool started;

void decoder_start(unsigned height)
{
    if (started || height == 0 || height > 3) { err = 1; return; }
    started = 1;
    need = 2;
    have = 0;
    rows = height;
}

void decoder_feed(unsigned bytes)
{
    if (!started) { err = 1; return; }
    while (bytes > 0 && have < need) {
        have++;
        bytes--;
    }
    if (bytes > 0) err = 1;
}

void decoder_row(void)
{
    if (!started || have < need || rows == 0) { err = 1; return; }
    rows--;
}

void decoder_finish(void)
{
    if (!started || rows != 0) { err = 1; return; }
    started = 0;
}
