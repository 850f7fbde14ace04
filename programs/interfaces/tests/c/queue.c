/* A queue that works on an object of the client. */
#include <assert.h>
#define SIZE 3

struct queue { int items[SIZE]; unsigned count; };

void queue_clear(struct queue *q) { q->count = 0; }

void enqueue(struct queue *q, int item)
{
    assert(q->count < SIZE);
    q->items[q->count++] = item;
}

int dequeue(struct queue *q)
{
    int first = q->items[0];
    assert(q->count > 0);
    for (unsigned k = 1; k < q->count; k++)
        q->items[k - 1] = q->items[k];
    q->count--;
    return first;
}
