import { closedByRow, closedByStatement } from './closed-to-others.ts';

/**
 * Suites, their cases and runs. Documents are stored as JSON text: no query searches inside them,
 * and text keeps every character and the order of keys. On tables with data of runs, only the
 * primary key begins with the run's id. With further such indexes, the planner would choose one
 * that reads all rows of a run that was just launched.
 */
export const evals = /* sql */ `
  create table eval_suites (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    -- The name by which reporters first found it; it still finds the suite after a rename.
    reported_name text,
    description text,
    -- JSON; null for a suite that only reporters know.
    definition text,
    server_ids text[] not null default '{}',
    environment_ids text[] not null default '{}',
    hosts text not null default '[]',
    tags text[] not null default '{}',
    run_count integer not null default 0,
    passed_trials bigint not null default 0,
    failed_trials bigint not null default 0,
    schedule_enabled boolean not null default false,
    schedule_interval_minutes integer check (schedule_interval_minutes between 5 and 10080),
    schedule_environment_id text,
    schedule_next_at timestamptz(3),
    -- Null until the schedule was due for the first time.
    schedule_attempted_at timestamptz(3),
    -- Both null where the run was launched.
    schedule_error_code text,
    schedule_error_message text,
    created_by text references accounts on delete set null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    unique (organization_id, id)
  );
  create index eval_suites_order on eval_suites (project_id, created_at, id);
  create unique index eval_suites_reported_name on eval_suites (project_id, reported_name);
  create index eval_suites_name on eval_suites (project_id, name);
  create index eval_suites_schedule on eval_suites (schedule_next_at) where schedule_enabled;

  -- Adds a job for every due schedule and sets its next time, the first that is still to come, in one transaction. A
  -- job that still waits for its launch is replaced, so no time is made up twice.
  create function launch_due_schedules() returns integer
    language plpgsql security definer set search_path = pg_catalog as $$
  declare
    due record;
    launched integer := 0;
  begin
    for due in
      select * from proofmark.eval_suites
      where schedule_enabled and schedule_next_at <= now() for no key update skip locked
    loop
      update proofmark.eval_suites set schedule_next_at = due.schedule_next_at
        + make_interval(mins => due.schedule_interval_minutes)
        * (1 + floor(extract(epoch from now() - due.schedule_next_at) / (due.schedule_interval_minutes * 60)))
      where id = due.id;
      perform proofmark.add_job('launch-scheduled',
        json_build_object('organizationId', due.organization_id, 'projectId', due.project_id,
          'suiteId', due.id, 'environmentId', due.schedule_environment_id, 'accountId', due.created_by,
          'tick', floor(extract(epoch from due.schedule_next_at) * 1000))::text,
        'schedule:' || due.id, 8, null);
      launched := launched + 1;
    end loop;
    return launched;
  end $$;

  create table eval_cases (
    id text primary key,
    organization_id text not null,
    suite_id text not null,
    position bigint generated always as identity,
    case_key text not null,
    content_hash text not null,
    declared_id text,
    title text not null,
    is_negative boolean not null,
    -- JSON; null for a case that only reporters know.
    definition text,
    -- A JSON array of objects, null for a case without data. Apart from the definition, which lists read: rows may be a
    -- thousand times as long.
    data_rows text,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (suite_id, case_key),
    unique (suite_id, declared_id),
    foreign key (organization_id, suite_id) references eval_suites (organization_id, id) on delete cascade
  );
  create index eval_cases_content on eval_cases (suite_id, content_hash);

  create table eval_run_groups (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    suite_id text not null,
    idempotency_key text,
    request_hash text not null,
    -- Its slot is held until then, even if none of its runs is open; null when all of them were launched.
    launching_until timestamptz(3),
    created_at timestamptz(3) not null default now(),
    unique (project_id, idempotency_key),
    foreign key (organization_id, suite_id) references eval_suites (organization_id, id) on delete cascade
  );
  create index eval_run_groups_suite on eval_run_groups (suite_id);
  create index eval_run_groups_launching on eval_run_groups (organization_id) where launching_until is not null;

  create table eval_runs (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    suite_id text not null,
    run_number integer not null,
    source text not null check (source in ('ui', 'api', 'sdk')),
    status text not null check (status in ('pending', 'running', 'completed', 'failed', 'cancelled', 'timed_out')),
    result text,
    verdict_policy_version integer,
    -- JSON: what decides the run and what it ran on, fixed at its start.
    snapshot text not null,
    verdict_summary text,
    integrity_error text,
    stop_reason text check (stop_reason in ('credits', 'maxCredits')),
    total_trials integer,
    passed_trials integer,
    failed_trials integer,
    score_integrity text check (score_integrity in ('valid', 'invalid')),
    -- JSON: how many case variants assert nothing, and the titles of a few; null for reported runs.
    asserts_nothing text,
    -- JSON: titles by the id of the case in the decision; null without a decision.
    case_titles text,
    evaluation_config_hash text,
    expected_iterations integer,
    iteration_count integer not null default 0,
    -- Grows with every change of the run or its iterations, so that a reading can be known to be current.
    revision integer not null default 1,
    external_run_id text,
    framework text,
    ci text,
    notes text,
    tags text[] not null default '{}',
    -- The uploaded file that reported the run.
    artifact_id text,
    run_group_id text,
    -- The group in whose slot it runs; run_group_id may be a label of the caller's.
    slot_group_id text,
    -- JSON: the replayed run, its replayed sides and the result; null for a run that replays nothing.
    replay text,
    idempotency_key text,
    request_hash text,
    -- Null where no judge was asked.
    judge_status text check (judge_status in ('pending', 'completed', 'failed')),
    judge_model text,
    judge_provider text,
    judge_threshold double precision,
    judge_cases text,
    judge_summary text,
    -- JSON: of the whole run; null where it was not asked, or is not answered yet.
    judge_groundedness text,
    -- JSON: the votes of judges that are assertions; null where there are none.
    judge_votes text,
    judge_error_code text,
    judge_generated_at timestamptz(3),
    created_by text references accounts on delete set null,
    created_at timestamptz(3) not null default now(),
    started_at timestamptz(3),
    -- The watchdog ends what is still open then.
    deadline_at timestamptz(3),
    completed_at timestamptz(3),
    -- By retention.
    traces_removed_at timestamptz(3),
    unique (organization_id, id),
    unique (suite_id, run_number),
    unique (suite_id, external_run_id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, suite_id) references eval_suites (organization_id, id) on delete cascade,
    unique (organization_id, idempotency_key)
  );
  create index eval_runs_project on eval_runs (project_id);
  -- Those that hold one of the organization's slots.
  create index eval_runs_open on eval_runs (organization_id)
    where status in ('pending', 'running') and source <> 'sdk';
  -- Every worker looks for overdue runs every second.
  create index eval_runs_deadline on eval_runs (deadline_at) where status in ('pending', 'running');
  create index eval_runs_made on eval_runs (organization_id, created_at);
  create index eval_runs_slot_group on eval_runs (slot_group_id) where slot_group_id is not null;

  create function keep_decided() returns trigger language plpgsql as $$
  begin
    if new.snapshot is distinct from old.snapshot
      or (old.verdict_summary is not null and new.verdict_summary is distinct from old.verdict_summary)
    then
      raise exception 'The snapshot and the decision of a run do not change.';
    end if;
    return new;
  end $$;

  create function eval_run_revision(organizations text[], project text, run text) returns integer
    language sql stable security definer
    begin atomic
      select revision from eval_runs
      where id = run and project_id = project and organization_id = any (organizations);
    end;

  -- By the time of the statement, since an index cannot be searched by a time that goes on.
  create function overdue_runs() returns table (organization_id text, project_id text, run_id text)
    language sql stable security definer
    begin atomic
      select organization_id, project_id, id from eval_runs
      where status in ('pending', 'running') and deadline_at < statement_timestamp();
    end;

  -- Counts over all organizations.
  create function open_runs() returns table (launched integer, reported integer)
    language sql stable security definer
    begin atomic
      select (count(*) filter (where source <> 'sdk'))::integer, (count(*) filter (where source = 'sdk'))::integer
      from eval_runs where status in ('pending', 'running');
    end;

  -- Leased work and insights do not refer to runs, so a run deletes its own.
  create function forget_work_of_run() returns trigger
    language plpgsql security definer set search_path = pg_catalog as $$
  begin
    delete from proofmark.insights where kind = 'eval_run' and scope_id = old.id;
    delete from proofmark.work_groups where id = old.id and kind in ('eval-trials', 'eval-judgements');
    delete from proofmark.work_groups where id = 'eval_run:' || old.id and kind = 'insights';
    return null;
  end $$;
  create trigger keep_decided before update of snapshot, verdict_summary on eval_runs
    for each row execute function keep_decided();
  create trigger forget_work after delete on eval_runs for each row execute function forget_work_of_run();

  -- Apart from runs, since workers alone read it. It never changes.
  create table eval_run_plans (
    run_id text primary key,
    organization_id text not null,
    plan text not null,
    -- These three are deleted when the run ends. Model keys of the caller.
    sealed_keys bytea,
    -- Addresses, headers and transports as they were at the launch, whatever is edited afterwards.
    sealed_servers bytea,
    -- The stored providers of its models.
    sealed_providers bytea,
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create trigger sealed_keys_key before insert or update of sealed_keys on eval_run_plans
    for each row when (new.sealed_keys is not null) execute function refuse_old_key('sealed_keys');
  create trigger sealed_servers_key before insert or update of sealed_servers on eval_run_plans
    for each row when (new.sealed_servers is not null) execute function refuse_old_key('sealed_servers');
  create trigger sealed_providers_key before insert or update of sealed_providers on eval_run_plans
    for each row when (new.sealed_providers is not null) execute function refuse_old_key('sealed_providers');

  -- What a run may spend where its launch says so, judges included, counted beside the credits of the day.
  create table run_credits (
    run_id text primary key references eval_runs on delete cascade,
    organization_id text not null references organizations on delete cascade,
    max_credits numeric not null check (max_credits >= 0),
    used numeric not null default 0 check (used >= 0),
    -- Set aside for steps that have begun.
    reserved numeric not null default 0 check (reserved >= 0)
  );
  create index run_credits_organization on run_credits (organization_id);

  -- Of a run with all that belongs to it, at a revision. A job measures: a count that every trial changed would make
  -- all writers of an organization wait for each other.
  create table run_sizes (
    run_id text primary key,
    organization_id text not null,
    revision integer not null,
    trials integer not null,
    traces integer not null,
    bytes bigint not null,
    -- Of traces alone.
    trace_bytes bigint not null,
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index run_sizes_organization on run_sizes (organization_id);

  create table gate_waivers (
    id text primary key,
    organization_id text not null,
    suite_id text not null,
    run_id text not null,
    reason text not null,
    policy_snapshot text,
    expires_at timestamptz(3) not null,
    created_by text references accounts on delete set null,
    created_by_email text not null,
    created_at timestamptz(3) not null default now(),
    revoked_by text references accounts on delete set null,
    revoked_at timestamptz(3),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index gate_waivers_run on gate_waivers (run_id, created_at);

  -- By the hash of the text: many trials see the same tools. A text goes with the last run that names it.
  create table tool_surfaces (
    organization_id text not null references organizations on delete cascade,
    hash text not null,
    surface text not null,
    last_named_at timestamptz(3) not null default now(),
    primary key (organization_id, hash)
  );

  create table run_tool_surfaces (
    organization_id text not null,
    run_id text not null,
    hash text not null,
    primary key (run_id, hash),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index run_tool_surfaces_hash on run_tool_surfaces (organization_id, hash);

  -- The configuration behind scores, about 1 KB, is the same for all trials of a case, so it is stored once by its
  -- hash.
  create table evaluation_configs (
    organization_id text not null references organizations on delete cascade,
    -- SHA-256 of the text; the hash inside it is the reporter's own.
    hash text not null,
    config text not null,
    primary key (organization_id, hash)
  );

  create table run_evaluation_configs (
    organization_id text not null,
    run_id text not null,
    hash text not null,
    primary key (run_id, hash),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index run_evaluation_configs_hash on run_evaluation_configs (organization_id, hash);

  ${closedByRow([
    'eval_suites',
    'eval_cases',
    'eval_run_groups',
    'eval_runs',
    'eval_run_plans',
    'run_credits',
    'gate_waivers',
    'tool_surfaces',
    'run_tool_surfaces',
  ])}
  ${closedByStatement(['run_sizes', 'evaluation_configs', 'run_evaluation_configs'])}
`;
