/**
 * What trials said and heard, so that they can be played again. One content for all trials that said and heard the same,
 * kept as long as a trial names it; how long things took is each trial's own.
 */
export const recordings = /* sql */ `
  create table recordings (
    organization_id text not null references organizations on delete cascade,
    -- SHA-256 of the content, lower hex.
    hash text not null,
    -- Canonical JSON, compressed; it holds no secret.
    content bytea not null,
    -- When a trial last began to name it.
    named_at timestamptz(3) not null default now(),
    primary key (organization_id, hash)
  );

  create table trial_recordings (
    organization_id text not null,
    run_id text collate "C" not null,
    ordinal integer not null,
    hash text not null,
    -- JSON: in milliseconds, by the place of each exchange.
    durations text not null,
    primary key (run_id, ordinal),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index trial_recordings_hash on trial_recordings (organization_id, hash);

  alter table recordings enable row level security;
  alter table trial_recordings enable row level security;
  create policy tenant on recordings
    using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on trial_recordings
    using (organization_id = any ((select visible_organizations())::text[]));

  alter table eval_iterations
    -- kept, tooLarge, off or expired; null where nobody could have kept one.
    add column recording_state text,
    -- Of the content, before it is compressed.
    add column recording_bytes integer,
    add column recording_hash text,
    -- JSON: where a replayed trial first went another way than the recorded one; null where it did not.
    add column divergence text,
    -- Of a replayed trial: played, continuedLive, diverged or notRecorded; null for all others.
    add column replay_state text;

  alter table eval_runs
    -- JSON: which run it plays again, which sides of it, and what came of that; null for all others.
    add column replay text;
`;
