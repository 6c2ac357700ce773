/**
 * Runs of journeys. A run has a row for every session it will play from its launch on; a session has one from the moment
 * it is begun. Snapshots and traces are large and stand apart.
 */
export const journeyRuns = /* sql */ `
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
    -- Why it was ended before all its sessions had.
    error text,
    total integer not null,
    succeeded integer not null default 0,
    failed integer not null default 0,
    rate_limited integer not null default 0,
    -- What lists show of the snapshot.
    journey_name text not null,
    persona_id text not null,
    persona_name text not null,
    persona_role text not null,
    persona_model text not null,
    has_rubric boolean not null,
    targets text not null,
    source text not null check (source in ('api', 'ui')),
    idempotency_key text,
    request_hash text,
    requested_by text,
    revision integer not null default 1,
    created_at timestamptz(3) not null default clock_timestamp(),
    started_at timestamptz(3),
    completed_at timestamptz(3),
    -- When a lease of it last moved, to about ten seconds.
    heartbeat_at timestamptz(3),
    deadline_at timestamptz(3) not null,
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

  create table journey_run_snapshots (
    run_id text primary key,
    organization_id text not null,
    snapshot text not null,
    -- As they were at the launch; gone when the run has ended.
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
    -- How often it was begun.
    begun integer not null default 0,
    session_id text,
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
    started_at timestamptz(3) not null default clock_timestamp(),
    last_activity_at timestamptz(3) not null default clock_timestamp(),
    -- As its attempt.
    outcome text not null default 'running',
    end_reason text check (end_reason in ('personaEnded', 'turnCap')),
    message_count integer not null default 0,
    preview text,
    turn_count integer not null default 0,
    tool_call_count integer not null default 0,
    tool_error_count integer not null default 0,
    usage text,
    -- JSON: the pieces of the goal with what became of them, where the user goes by them.
    intents text,
    transcript_hash text,
    -- JSON: what was seen, from which it is graded.
    evidence text,
    chain text,
    result text check (result in ('passed', 'failed')),
    grading_status text check (grading_status in ('pending', 'completed', 'failed')),
    grading_tries integer not null default 0,
    graded_at timestamptz(3),
    criteria text,
    goal_score text,
    unique (run_id, ordinal),
    unique (organization_id, id),
    foreign key (organization_id, run_id) references journey_runs (organization_id, id) on delete cascade
  );
  create index swarm_sessions_run on swarm_sessions (organization_id, run_id);
  create index swarm_sessions_recent on swarm_sessions (project_id, last_activity_at, id collate "C");
  create index swarm_sessions_ungraded on swarm_sessions (run_id) where grading_status = 'pending';

  create table swarm_traces (
    session_id text primary key,
    organization_id text not null,
    trace text not null,
    foreign key (organization_id, session_id) references swarm_sessions (organization_id, id) on delete cascade
  );

  alter table journey_runs enable row level security;
  alter table journey_run_snapshots enable row level security;
  alter table journey_attempts enable row level security;
  alter table swarm_sessions enable row level security;
  alter table swarm_traces enable row level security;
  create policy tenant on journey_runs using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on journey_run_snapshots
    using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on journey_attempts using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on swarm_sessions using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on swarm_traces using (organization_id = any ((select visible_organizations())::text[]));

  -- A worker looks after every organization; it sees no more of them than where to go on.
  create function overdue_journey_runs() returns table (organization_id text, project_id text, run_id text)
    language sql stable security definer
    begin atomic
      select organization_id, project_id, id from journey_runs
      where status = 'running' and deadline_at < statement_timestamp() order by deadline_at limit 100;
    end;

  -- Sessions wait since their run was launched.
  create or replace function work_load() returns table (
      kind text, waiting integer, leased integer, silent integer, longest_wait_seconds double precision)
    language sql stable security definer
    begin atomic
      with groups as (
        select work_groups.kind, work_groups.id, at_once, last_claimed_at,
          count(*) filter (where status = 'open') as waiting,
          count(*) filter (where status = 'open' and coalesce(not_before <= statement_timestamp(), true)) as ready,
          count(*) filter (where status = 'leased') as leased,
          count(*) filter (where status = 'leased' and leased_until < statement_timestamp()) as silent
        from work_groups join leased_work on leased_work.kind = work_groups.kind and group_id = work_groups.id
        where not is_over and status <> 'done'
        group by work_groups.kind, work_groups.id)
      select groups.kind, sum(waiting)::integer, sum(leased)::integer, sum(silent)::integer,
        coalesce(max(extract(epoch from statement_timestamp()
            - coalesce(last_claimed_at, requested_at, eval_runs.completed_at, eval_runs.created_at,
              journey_runs.created_at)))
          filter (where ready > 0 and leased < at_once), 0)::double precision
      from groups left join eval_runs on eval_runs.id = groups.id
        left join insights on groups.kind = 'insights' and groups.id = insights.kind || ':' || scope_id
        left join journey_runs on groups.kind = 'journey-sessions' and journey_runs.id = groups.id
      group by groups.kind order by groups.kind;
    end;
`;
