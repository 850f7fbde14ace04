/* A socket of TCP. */
int err;
static enum { NONE, CREATED, BOUND, LISTENING, CONNECTED, SHUT } state;
static int pending;

void sock_create(void) { if (state != NONE) err = 1; else state = CREATED; }
void sock_bind(void) { if (state != CREATED) err = 1; else state = BOUND; }

void sock_listen(int backlog)
{
    if (state != BOUND || backlog < 1) err = 1;
    else { state = LISTENING; pending = backlog > 2 ? 2 : backlog; }
}

void sock_accept(void)
{
    if (state != LISTENING || pending == 0) err = 1;
    else pending--;
}

void sock_connect(void)
{
    if (state == CREATED || state == BOUND) state = CONNECTED;
    else err = 1;
}

void sock_send(void) { if (state != CONNECTED) err = 1; }
void sock_recv(void) { if (state != CONNECTED && state != SHUT) err = 1; }
void sock_shutdown(void) { if (state != CONNECTED) err = 1; else state = SHUT; }
void sock_close(void) { if (state == NONE) err = 1; else { state = NONE; pending = 0; } }
