/* A cursor of a database over two rows, within a transaction. */
#include <assert.h>
struct db { int connected, transaction, open; int row; };

void db_connect(struct db *d) { assert(!d->connected); d->connected = 1; }
void db_begin(struct db *d) { assert(d->connected && !d->transaction); d->transaction = 1; }

void db_query(struct db *d)
{
    assert(d->transaction && !d->open);
    d->open = 1;
    d->row = 0;
}

void db_fetch(struct db *d)
{
    assert(d->open);
    if (d->row < 2)
        d->row++;
    else
        d->open = 0;
}

void db_column(struct db *d, int n) { assert(d->open && d->row > 0 && n >= 0 && n < 4); }
void db_commit(struct db *d) { assert(d->transaction); d->transaction = d->open = 0; }
void db_close(struct db *d) { assert(d->connected && !d->transaction); d->connected = 0; }
