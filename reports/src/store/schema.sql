-- One invocation by a user: one `repfuzz fuzz` of some seeds, or one night.
CREATE TABLE batch (
    id       INTEGER PRIMARY KEY,
    uid      TEXT NOT NULL UNIQUE, -- the same in every store that it is merged into
    key      TEXT NOT NULL,        -- digest of all inputs; batches of the same key do the same work
    kind     TEXT NOT NULL,        -- fuzz, nightly
    started  TEXT NOT NULL,        -- RFC 3339
    state    TEXT NOT NULL         -- open, closed, abandoned (for a fresh one)
);

-- One seed and the clients that read its variants.
CREATE TABLE run (
    id          INTEGER PRIMARY KEY,
    batch       INTEGER NOT NULL REFERENCES batch,
    place       INTEGER NOT NULL,  -- index of the seed in its batch
    whole       TEXT NOT NULL,     -- digest of the run without its shard: parts of one run share it
    shard       TEXT NOT NULL,     -- 1/1, 2/4
    seed_file   TEXT NOT NULL,
    seed_sha256 TEXT NOT NULL,
    repfuzz     TEXT NOT NULL,
    command     TEXT NOT NULL,
    clients     TEXT NOT NULL,     -- JSON: name, version, command of the clients of all shards
    started     TEXT NOT NULL,
    spent_ms    INTEGER NOT NULL DEFAULT 0,
    state       TEXT NOT NULL,     -- open, stopped (by the user), finished
    body        BLOB,              -- all data of its report: JSON, zstd
    UNIQUE (batch, place)
);
CREATE INDEX run_whole ON run (whole);

CREATE TABLE client (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL,
    version TEXT NOT NULL,         -- empty if unknown
    command TEXT NOT NULL,         -- empty if it is linked in
    UNIQUE (name, version, command)
);

-- The replies of clients, of unfinished runs.
CREATE TABLE reply (
    run     INTEGER NOT NULL REFERENCES run,
    client  INTEGER NOT NULL REFERENCES client,
    file    BLOB NOT NULL,         -- SHA-256
    attempt INTEGER NOT NULL,      -- number of earlier runs on the file
    kind    TEXT NOT NULL,         -- picture, refused, crash, hang, resource
    picture TEXT,                  -- digest
    message TEXT NOT NULL,
    ms      INTEGER NOT NULL,
    PRIMARY KEY (run, client, file, attempt)
) WITHOUT ROWID;

-- The pictures of these replies, each stored once.
CREATE TABLE picture (
    run    INTEGER NOT NULL REFERENCES run,
    digest TEXT NOT NULL,
    width  INTEGER NOT NULL,
    height INTEGER NOT NULL,
    rgba   BLOB NOT NULL,          -- 16 bits per sample, little-endian, zstd
    PRIMARY KEY (run, digest)
);

CREATE TABLE variant (
    run     INTEGER NOT NULL REFERENCES run,
    variant INTEGER NOT NULL,      -- 0 is the re-encoded seed
    vary    TEXT NOT NULL,
    class   TEXT NOT NULL,
    bytes   INTEGER NOT NULL,
    choices BLOB NOT NULL,         -- JSON, zstd
    PRIMARY KEY (run, variant)
) WITHOUT ROWID;

CREATE TABLE outcome (
    run     INTEGER NOT NULL REFERENCES run,
    variant INTEGER NOT NULL,
    client  INTEGER NOT NULL REFERENCES client,
    outcome TEXT NOT NULL,
    picture TEXT,                  -- digest, if it differs
    message TEXT NOT NULL,
    ms      INTEGER NOT NULL,
    PRIMARY KEY (run, variant, client)
) WITHOUT ROWID;

-- The causes that a run found. Buckets are groups of them.
CREATE TABLE cause (
    run        INTEGER NOT NULL REFERENCES run,
    place      INTEGER NOT NULL,   -- index in the run's report
    client     INTEGER NOT NULL REFERENCES client,
    outcome    TEXT NOT NULL,
    kind       TEXT NOT NULL,      -- reduced, flaky, unreduced
    dimensions TEXT NOT NULL,      -- JSON, sorted
    class      TEXT NOT NULL,
    count      INTEGER NOT NULL,
    title      TEXT NOT NULL,
    message    TEXT NOT NULL,
    choices    TEXT NOT NULL,      -- JSON
    size       INTEGER NOT NULL,   -- of the file, in bytes
    file       BLOB NOT NULL,      -- zstd
    PRIMARY KEY (run, place)
);
CREATE INDEX cause_bucket ON cause (client, outcome, kind, dimensions);

-- A bucket's example, run on its client again.
CREATE TABLE recheck (
    batch      INTEGER NOT NULL REFERENCES batch,
    client     INTEGER NOT NULL REFERENCES client,
    outcome    TEXT NOT NULL,
    kind       TEXT NOT NULL,
    dimensions TEXT NOT NULL,
    now        TEXT NOT NULL,      -- the outcome this time
    at         TEXT NOT NULL,
    PRIMARY KEY (batch, client, outcome, kind, dimensions)
);
