/* A two-phase commit of two participants. */
int err;
enum { IDLE, VOTING, DECIDED };
static int phase, votes[2], result;

void begin(void)
{
    if (phase != IDLE) { err = 1; return; }
    phase = VOTING;
    votes[0] = votes[1] = 0;
}

void vote(unsigned who, int yes)
{
    if (phase != VOTING || who > 1 || votes[who] != 0) { err = 1; return; }
    votes[who] = yes ? 1 : 2;
    if (votes[0] && votes[1]) {
        phase = DECIDED;
        result = votes[0] == 1 && votes[1] == 1;
    }
}

void commit(void)
{
    if (phase != DECIDED || !result) { err = 1; return; }
    phase = IDLE;
    result = 0;
}

void rollback(void)
{
    if (phase != VOTING && !(phase == DECIDED && !result)) { err = 1; return; }
    phase = IDLE;
    result = 0;
}
