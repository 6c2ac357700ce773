/**
 * What was found in waves of journey runs. A finding is one row for a problem of a project; a wave keeps what its last
 * mining came to. A wave's id is a caller's own and is known within its project alone.
 */
export const findings = /* sql */ `
  create table waves (
    project_id text not null,
    id text not null,
    organization_id text not null,
    mined_at timestamptz(3) not null,
    -- JSON: health of its runs, candidates with their evidence, and the fingerprints that were counted.
    result text not null,
    primary key (project_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index waves_project on waves (organization_id, project_id);

  create table findings (
    project_id text not null,
    fingerprint text not null,
    organization_id text not null,
    id text not null,
    dimension text not null,
    subject_kind text not null,
    subject_id text not null,
    subject_label text not null,
    status text not null check (status in ('new', 'recurring', 'regressed', 'resolved')),
    -- Waves, never sessions.
    occurrence_count integer not null,
    first_seen_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null,
    last_seen_wave_id text not null,
    resolved_at timestamptz(3),
    dismissed_at timestamptz(3),
    title text not null,
    journey_id text,
    -- JSON: all journeys in which it fired.
    journey_ids text not null,
    first_failed_stage text,
    failure_category text,
    next_action text not null,
    -- JSON: of the last wave it fired in.
    evidence text not null,
    updated_at timestamptz(3) not null default clock_timestamp(),
    primary key (project_id, fingerprint),
    unique (project_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index findings_project on findings (organization_id, project_id);
  create index findings_recent on findings (project_id, updated_at, id);

  alter table waves enable row level security;
  alter table findings enable row level security;
  create policy tenant on waves using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on findings using (organization_id = any ((select visible_organizations())::text[]));
`;
