import { closedByRow, closedByStatement } from './closed-to-others.ts';

/**
 * Personas, journeys, swarms and runs of journeys. From its launch on, a run has one row for every
 * planned session; a session that has begun has a second row, in `swarm_sessions`. Snapshots and
 * traces are large, so they have separate tables. The caller chooses the id of a wave, so it is
 * unique only within its project.
 */
export const swarms = /* sql */ `
  create table personas (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    -- Unique in the project, archived ones included; stays when the persona is renamed.
    slug text not null,
    name text not null,
    role text not null,
    notes text,
    source text not null default 'manual',
    seed_keywords text[],
    avatar_shape smallint,
    avatar_palette smallint,
    archived_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (project_id, slug),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index personas_order on personas (project_id, created_at, id) where archived_at is null;

  create table swarms (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    description text,
    environment_ids text[] not null,
    sessions_per_target integer not null,
    max_turns integer not null,
    archived_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index swarms_order on swarms (project_id, created_at, id);

  create table journeys (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    goal text not null,
    persona_id text not null,
    persona_model text,
    -- Kept when the swarm is archived.
    swarm_id text,
    environment_ids text[] not null,
    host_ids text[] not null,
    server_attachment_id text,
    sessions_per_target integer not null,
    max_turns integer not null,
    -- JSON: names of tools; null where no such policy is stated.
    allow_writes text,
    -- JSON: the criteria in their order.
    rubric text not null,
    judge_config text,
    archived_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, persona_id) references personas (organization_id, id) on delete cascade,
    foreign key (organization_id, swarm_id) references swarms (organization_id, id) on delete cascade
  );
  create index journeys_order on journeys (project_id, created_at, id);
  create index journeys_persona on journeys (persona_id);
  create index journeys_swarm on journeys (swarm_id);

  create table journey_runs (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    journey_id text not null,
    wave_id text not null,
    status text not null default 'running'
      check (status in ('running', 'completed', 'partial', 'failed', 'rate_limited')),
    canceled boolean not null default false,
    stale boolean not null default false,
    -- Why it ended before all its sessions.
    error text,
    total integer not null,
    succeeded integer not null default 0,
    failed integer not null default 0,
    rate_limited integer not null default 0,
    -- From here to targets: what lists show of the snapshot.
    journey_name text not null,
    persona_id text not null,
    persona_name text not null,
    persona_role text not null,
    persona_model text not null,
    has_rubric boolean not null,
    -- JSON: the criteria of the snapshot.
    rubric text not null default '[]',
    targets text not null,
    source text not null check (source in ('api', 'ui')),
    idempotency_key text,
    request_hash text,
    requested_by text,
    revision integer not null default 1,
    created_at timestamptz(3) not null default clock_timestamp(),
    started_at timestamptz(3),
    -- When a lease of it last moved, to about ten seconds.
    heartbeat_at timestamptz(3),
    deadline_at timestamptz(3) not null,
    completed_at timestamptz(3),
    -- By retention.
    traces_removed_at timestamptz(3),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index journey_runs_project on journey_runs (organization_id, project_id);
  create index journey_runs_newest on journey_runs (project_id, created_at, id);
  create index journey_runs_journey on journey_runs (journey_id, created_at, id);
  create index journey_runs_wave on journey_runs (project_id, wave_id);
  create index journey_runs_open on journey_runs (deadline_at) where status = 'running';
  create unique index journey_runs_key on journey_runs (organization_id, journey_id, idempotency_key)
    where idempotency_key is not null;

  -- A worker works for all organizations and sees no more of them than where to go on.
  create function overdue_journey_runs() returns table (organization_id text, project_id text, run_id text)
    language sql stable security definer
    begin atomic
      select organization_id, project_id, id from journey_runs
      where status = 'running' and deadline_at < statement_timestamp() order by deadline_at limit 100;
    end;

  -- Leased work and insights do not refer to runs. A wave goes with its last run.
  create function forget_work_of_journey_run() returns trigger
    language plpgsql security definer set search_path = pg_catalog as $$
  declare
    wave text := old.project_id || '/' || old.wave_id;
  begin
    delete from proofmark.work_groups where id = old.id and kind in ('journey-sessions', 'journey-judgements');
    if not exists (
      select from proofmark.journey_runs where project_id = old.project_id and wave_id = old.wave_id)
    then
      delete from proofmark.waves where project_id = old.project_id and id = old.wave_id;
      delete from proofmark.insights where kind = 'swarm_wave' and scope_id = wave;
      delete from proofmark.work_groups where id = wave and kind = 'wave-mining';
      delete from proofmark.work_groups where id = 'swarm_wave:' || wave and kind = 'insights';
    end if;
    return null;
  end $$;
  create trigger forget_work after delete on journey_runs for each row execute function forget_work_of_journey_run();

  create table journey_run_snapshots (
    run_id text primary key,
    organization_id text not null,
    snapshot text not null,
    -- As they were at the launch; deleted when the run ends.
    sealed_servers bytea,
    sealed_providers bytea,
    foreign key (organization_id, run_id) references journey_runs (organization_id, id) on delete cascade
  );
  create trigger sealed_servers_key before insert or update of sealed_servers on journey_run_snapshots
    for each row when (new.sealed_servers is not null) execute function refuse_old_key('sealed_servers');
  create trigger sealed_providers_key before insert or update of sealed_providers on journey_run_snapshots
    for each row when (new.sealed_providers is not null) execute function refuse_old_key('sealed_providers');

  create table journey_attempts (
    run_id text not null,
    -- By target, then by index.
    ordinal integer not null,
    organization_id text not null,
    target_id text not null,
    session_index integer not null,
    status text not null default 'pending'
      check (status in ('pending', 'running', 'succeeded', 'failed', 'rate_limited')),
    error_code text,
    error_message text,
    -- How often it began; a session that the same lease begins again began once.
    begun integer not null default 0,
    session_id text,
    begun_by_lease bigint,
    primary key (run_id, ordinal),
    foreign key (organization_id, run_id) references journey_runs (organization_id, id) on delete cascade
  );

  create table swarm_sessions (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    run_id text not null,
    ordinal integer not null,
    journey_id text not null,
    chat_session_id text not null,
    target_id text not null,
    host_id text not null,
    session_index integer not null,
    persona_id text not null,
    persona_label text not null,
    persona_model text not null,
    model_id text not null,
    -- As its attempt.
    outcome text not null default 'running',
    end_reason text check (end_reason in ('personaEnded', 'turnCap')),
    message_count integer not null default 0,
    preview text,
    turn_count integer not null default 0,
    tool_call_count integer not null default 0,
    tool_error_count integer not null default 0,
    -- JSON: servers and tools; null where no call was refused.
    refused_calls text,
    usage text,
    -- JSON: the intents with their outcome, of a scripted user.
    intents text,
    transcript_hash text,
    -- JSON: what grading reads.
    evidence text,
    chain text,
    result text check (result in ('passed', 'failed')),
    grading_status text check (grading_status in ('pending', 'completed', 'failed')),
    graded_at timestamptz(3),
    criteria text,
    goal_score text,
    digest text,
    started_at timestamptz(3) not null default clock_timestamp(),
    last_activity_at timestamptz(3) not null default clock_timestamp(),
    unique (run_id, ordinal),
    unique (organization_id, id),
    foreign key (organization_id, run_id) references journey_runs (organization_id, id) on delete cascade
  );
  create index swarm_sessions_run on swarm_sessions (organization_id, run_id);
  create index swarm_sessions_recent on swarm_sessions (project_id, last_activity_at, id collate "C");
  create index swarm_sessions_ungraded on swarm_sessions (run_id) where grading_status = 'pending';
  create index swarm_sessions_target on swarm_sessions (project_id, target_id, started_at);

  create function forget_work_of_session() returns trigger
    language plpgsql security definer set search_path = pg_catalog as $$
  begin
    delete from proofmark.work_groups where id = old.id and kind = 'journey-gradings';
    return null;
  end $$;
  create trigger forget_work after delete on swarm_sessions for each row execute function forget_work_of_session();

  create table swarm_traces (
    session_id text primary key,
    organization_id text not null,
    trace text not null,
    foreign key (organization_id, session_id) references swarm_sessions (organization_id, id) on delete cascade
  );

  create table journey_run_tool_surfaces (
    organization_id text not null,
    run_id text not null,
    hash text not null,
    primary key (run_id, hash),
    foreign key (organization_id, run_id) references journey_runs (organization_id, id) on delete cascade
  );
  create index journey_run_tool_surfaces_hash on journey_run_tool_surfaces (organization_id, hash);
  create index journey_run_tool_surfaces_run on journey_run_tool_surfaces (organization_id, run_id);

  -- Of a run with all that belongs to it, at a revision.
  create table journey_run_sizes (
    run_id text primary key,
    organization_id text not null,
    revision integer not null,
    counted_at timestamptz(3) not null,
    sessions integer not null,
    traces integer not null,
    bytes bigint not null,
    -- Of traces alone.
    trace_bytes bigint not null,
    foreign key (organization_id, run_id) references journey_runs (organization_id, id) on delete cascade
  );
  create index journey_run_sizes_organization on journey_run_sizes (organization_id);
  create index journey_run_sizes_run on journey_run_sizes (organization_id, run_id);

  create table waves (
    project_id text not null,
    id text not null,
    organization_id text not null,
    mined_at timestamptz(3) not null,
    -- JSON: health of its runs, candidates with evidence, counted fingerprints.
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

  ${closedByRow(['personas', 'swarms', 'journeys'])}
  ${closedByStatement([
    'journey_runs',
    'journey_run_snapshots',
    'journey_attempts',
    'swarm_sessions',
    'swarm_traces',
    'journey_run_tool_surfaces',
    'journey_run_sizes',
    'waves',
    'findings',
  ])}
`;
