-- Copies everything from the attached store `theirs` that this one lacks, or has less of.

INSERT OR IGNORE INTO client (name, version, command, program)
    SELECT name, version, command, program FROM theirs.client ORDER BY id;

INSERT INTO batch (uid, key, kind, started, state, told, coverage, losses, division, part, complete,
                   digest, report, settled)
    SELECT uid, key, kind, started, state, told, coverage, losses, division, part, complete, digest,
           report, settled
    FROM theirs.batch WHERE true ORDER BY id
    ON CONFLICT (uid) DO UPDATE SET
        -- A part that was finished after the night was reported is open: its findings were not reported.
        state = iif(excluded.state = 'closed', 'closed', iif(state = 'closed', 'open', state)),
        told = coalesce(excluded.told, told),
        coverage = coalesce(excluded.coverage, coverage),
        losses = coalesce(excluded.losses, losses),
        complete = max(excluded.complete, complete),
        digest = coalesce(excluded.digest, digest),
        report = coalesce(excluded.report, report),
        settled = max(excluded.settled, settled)
    WHERE state <> 'closed' OR (part IS NOT NULL AND complete = 0 AND excluded.complete = 1);

CREATE TEMP TABLE client_of AS
    SELECT t.id AS their, o.id AS our FROM theirs.client t
    JOIN client o
        ON (o.name, o.version, o.command, o.program) = (t.name, t.version, t.command, t.program);
CREATE TEMP TABLE batch_of AS
    SELECT t.id AS their, o.id AS our FROM theirs.batch t JOIN batch o ON o.uid = t.uid;

-- Of a run that is in both, the more advanced one is kept.
CREATE TEMP TABLE taken AS
    SELECT t.id AS their FROM theirs.run t
    JOIN batch_of b ON b.their = t.batch
    LEFT JOIN run o ON o.batch = b.our AND o.place = t.place
    WHERE o.id IS NULL
       OR (t.state = 'finished', t.spent_ms) > (o.state = 'finished', o.spent_ms);
INSERT INTO run (batch, place, whole, shard, seed_file, seed_sha256, repfuzz, command, clients,
                 started, spent_ms, state, body, digest, format)
    SELECT b.our, t.place, t.whole, t.shard, t.seed_file, t.seed_sha256, t.repfuzz, t.command,
           t.clients, t.started, t.spent_ms, t.state, t.body, t.digest, t.format
    FROM theirs.run t JOIN batch_of b ON b.their = t.batch
    WHERE t.id IN (SELECT their FROM taken) ORDER BY t.id
    ON CONFLICT (batch, place) DO UPDATE SET
        whole = excluded.whole, shard = excluded.shard, seed_file = excluded.seed_file,
        seed_sha256 = excluded.seed_sha256, repfuzz = excluded.repfuzz, command = excluded.command,
        started = excluded.started, clients = excluded.clients, spent_ms = excluded.spent_ms,
        state = excluded.state, body = excluded.body, digest = excluded.digest,
        format = excluded.format;
CREATE TEMP TABLE run_of AS
    SELECT t.id AS their, o.id AS our, o.state AS state FROM theirs.run t
    JOIN batch_of b ON b.their = t.batch
    JOIN run o ON o.batch = b.our AND o.place = t.place;

-- A finished run has a checksum of all its rows, so it has theirs only.
DELETE FROM variant WHERE run IN
    (SELECT our FROM run_of WHERE their IN (SELECT their FROM taken) AND state = 'finished');
DELETE FROM outcome WHERE run IN
    (SELECT our FROM run_of WHERE their IN (SELECT their FROM taken) AND state = 'finished');
INSERT OR IGNORE INTO variant
    SELECT r.our, variant, vary, class, bytes, choices
    FROM theirs.variant t JOIN run_of r ON r.their = t.run
    WHERE r.state <> 'finished' OR r.their IN (SELECT their FROM taken);
INSERT OR IGNORE INTO outcome
    SELECT r.our, variant, c.our, outcome, picture, message, ms, difference
    FROM theirs.outcome t JOIN run_of r ON r.their = t.run JOIN client_of c ON c.their = t.client
    WHERE r.state <> 'finished' OR r.their IN (SELECT their FROM taken);

-- Replies are kept for unfinished runs, and of clients that were no longer there when a run
-- finished.
DELETE FROM reply WHERE run IN
    (SELECT our FROM run_of WHERE their IN (SELECT their FROM taken) AND state = 'finished');
INSERT OR IGNORE INTO reply
    SELECT r.our, c.our, file, attempt, kind, picture, message, ms, edges, worker, cpu_us, peak, alone, region, extra
    FROM theirs.reply t JOIN run_of r ON r.their = t.run JOIN client_of c ON c.their = t.client
    WHERE r.state <> 'finished' OR r.their IN (SELECT their FROM taken);
INSERT OR IGNORE INTO picture
    SELECT r.our, digest, width, height, rgba
    FROM theirs.picture t JOIN run_of r ON r.their = t.run;
DELETE FROM picture WHERE run IN (SELECT our FROM run_of) AND NOT EXISTS
    (SELECT 1 FROM reply WHERE reply.run = picture.run AND reply.picture = picture.digest);

DELETE FROM cause WHERE run IN
    (SELECT our FROM run_of WHERE their IN (SELECT their FROM taken));
INSERT OR IGNORE INTO cause
    SELECT r.our, place, c.our, outcome, kind, dimensions, class, count, title, message, choices,
           size, file, seed, difference, forms, is_limit
    FROM theirs.cause t JOIN run_of r ON r.their = t.run JOIN client_of c ON c.their = t.client
    WHERE r.their IN (SELECT their FROM taken);

INSERT OR IGNORE INTO recheck
    SELECT b.our, c.our, outcome, kind, dimensions, now, at, difference, message, format
    FROM theirs.recheck t JOIN batch_of b ON b.their = t.batch
    JOIN client_of c ON c.their = t.client;

DROP TABLE temp.client_of;
DROP TABLE temp.batch_of;
DROP TABLE temp.taken;
DROP TABLE temp.run_of;
