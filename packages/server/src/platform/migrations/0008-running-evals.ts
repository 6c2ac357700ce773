/**
 * What is needed to run evals: authored suites and cases, the plan of a run, and slices of it that workers lease. A
 * trial exists as a pending row from the launch on and is written once, by whoever holds the lease of its slice.
 */
export const runningEvals = /* sql */ `
  -- The sample that was made on a first start, kept when it is deleted; null before.
  alter table installation add column sample text;

  alter table eval_suites
    -- As it was authored; null for a suite that only reporters know.
    add column definition text,
    add column server_ids text[] not null default '{}',
    add column environment_ids text[] not null default '{}',
    add column hosts text not null default '[]',
    add column tags text[] not null default '{}',
    add column created_by text references accounts on delete set null,
    add column schedule_enabled boolean not null default false,
    add column schedule_interval_minutes integer check (schedule_interval_minutes between 5 and 10080),
    add column schedule_environment_id text,
    add column schedule_next_at timestamptz(3);
  create index eval_suites_schedule on eval_suites (schedule_next_at) where schedule_enabled;

  alter table eval_cases
    -- As it was authored; null for a case that only reporters know.
    add column definition text,
    add column position bigint generated always as identity;

  alter table eval_runs
    add column started_at timestamptz(3),
    -- How many of its slices may be leased at a time.
    add column lanes integer not null default 1,
    -- How often it had lost all its jobs and got new ones.
    add column revivals integer not null default 0,
    -- The watchdog ends what is still open then.
    add column deadline_at timestamptz(3),
    add column idempotency_key text,
    add column request_hash text,
    add column run_group_id text,
    -- What a judge said, or that one was asked.
    add column judges text,
    add unique (organization_id, idempotency_key);
  -- Those that hold one of the organization's slots.
  create index eval_runs_open on eval_runs (organization_id)
    where status in ('pending', 'running') and source <> 'sdk';

  create index eval_runs_judged on eval_runs (id)
    where judges like '{"goalCompletion":{"status":"pending"%';

  alter table eval_iterations
    add column tool_surface_hash text,
    -- How often it was begun and did not end through our own fault, as record-trials.ts counts it.
    add column attempts integer not null default 0;

  -- Read by workers alone, so that reading a run stays small. It never changes.
  create table eval_run_plans (
    run_id text primary key,
    organization_id text not null,
    plan text not null,
    -- The caller's model keys, sealed; gone when the run has ended.
    sealed_keys bytea,
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );

  create table eval_slices (
    run_id text not null,
    slice integer not null,
    organization_id text not null,
    first_ordinal integer not null,
    last_ordinal integer not null,
    status text not null default 'open' check (status in ('open', 'leased', 'done')),
    -- Grows with every lease. Who does not know the current number cannot write.
    lease integer not null default 0,
    leased_until timestamptz(3),
    primary key (run_id, slice),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index eval_slices_leased on eval_slices (leased_until) where status = 'leased';

  -- Content-addressed: many trials see the same tools.
  create table tool_surfaces (
    organization_id text not null references organizations on delete cascade,
    hash text not null,
    surface text not null,
    created_at timestamptz(3) not null default now(),
    primary key (organization_id, hash)
  );

  create table idempotent_answers (
    organization_id text not null references organizations on delete cascade,
    operation text not null,
    key text not null,
    request_hash text not null,
    answer text not null,
    created_at timestamptz(3) not null default now(),
    primary key (organization_id, operation, key)
  );

  alter table eval_run_plans enable row level security;
  alter table eval_slices enable row level security;
  alter table tool_surfaces enable row level security;
  alter table idempotent_answers enable row level security;
  create policy tenant on eval_run_plans using (may_see(organization_id));
  create policy tenant on eval_slices using (may_see(organization_id));
  create policy tenant on tool_surfaces using (may_see(organization_id));
  create policy tenant on idempotent_answers using (may_see(organization_id));

  -- The service owns no table of the queue, so it adds jobs through this and nothing else.
  create function add_job(task text, payload text, job_key text, max_attempts integer, run_at timestamptz)
    returns void language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform graphile_worker.add_job(task, payload::json, job_key => job_key, max_attempts => max_attempts,
      run_at => coalesce(run_at, now()), job_key_mode => 'preserve_run_at');
  end $$;

  -- A worker looks after runs of every organization; it sees no more of them than where to go on.
  create function silent_slices() returns table (organization_id text, project_id text, run_id text, slice integer)
    language sql volatile security definer
    begin atomic
      -- The run is held first, as everybody holds it: whoever writes a trial of it right now comes to an end before
      -- its lease is taken back. A run that is held is looked at again in the next round.
      with silent as (
        select eval_slices.run_id, eval_slices.slice, eval_slices.lease, eval_runs.project_id
        from eval_slices join eval_runs on eval_runs.id = eval_slices.run_id
        where eval_slices.status = 'leased' and eval_slices.leased_until < clock_timestamp()
        for no key update of eval_runs skip locked
      )
      update eval_slices set status = 'open', leased_until = null, lease = eval_slices.lease + 1
      from silent
      where eval_slices.run_id = silent.run_id and eval_slices.slice = silent.slice
        and eval_slices.lease = silent.lease and eval_slices.status = 'leased'
        and eval_slices.leased_until < clock_timestamp()
      returning eval_slices.organization_id, silent.project_id, eval_slices.run_id, eval_slices.slice;
    end;

  create function overdue_runs() returns table (organization_id text, project_id text, run_id text)
    language sql stable security definer
    begin atomic
      select organization_id, project_id, id from eval_runs
      where status in ('pending', 'running') and source <> 'sdk' and deadline_at < clock_timestamp();
    end;

  -- Gives work back to runs and judges that wait for it and have no job, whatever became of their jobs: lost with a
  -- restore, or used up. One process at a time; what has a job that will still run is left alone. A run that loses its
  -- jobs again and again is beyond help, and its time is over.
  create function revive_work() returns integer
    language plpgsql security definer set search_path = pg_catalog as $$
  declare
    work record;
    revived integer := 0;
  begin
    if not pg_try_advisory_xact_lock(727003) then return 0; end if;
    for work in
      select id, organization_id, project_id, lanes, revivals from proofmark.eval_runs
      where status in ('pending', 'running') and source <> 'sdk' and deadline_at >= clock_timestamp()
        and not exists (
          select from proofmark.eval_slices
          where eval_slices.run_id = eval_runs.id and eval_slices.status = 'leased')
        and not exists (
          select from graphile_worker._private_jobs
          where starts_with(key, 'lane:' || eval_runs.id || ':') and attempts < max_attempts)
      for no key update skip locked
    loop
      update proofmark.eval_runs set revivals = revivals + 1,
        deadline_at = case when work.revivals >= 20 then clock_timestamp() else deadline_at end
      where id = work.id;
      for lane in 1 .. work.lanes loop
        perform proofmark.add_job('eval-lane',
          json_build_object('organizationId', work.organization_id, 'projectId', work.project_id,
            'runId', work.id, 'lane', lane)::text, 'lane:' || work.id || ':' || lane, 3, null);
      end loop;
      revived := revived + 1;
    end loop;
    for work in
      select id, organization_id, project_id from proofmark.eval_runs
      where judges like '{"goalCompletion":{"status":"pending"%'
        and not exists (
          select from graphile_worker._private_jobs
          where key = 'judge:' || eval_runs.id and attempts < max_attempts)
    loop
      perform proofmark.add_job('judge-run',
        json_build_object('organizationId', work.organization_id, 'projectId', work.project_id,
          'runId', work.id)::text, 'judge:' || work.id, 5, null);
      revived := revived + 1;
    end loop;
    return revived;
  end $$;

  -- Takes what is due, each as a job of its own in the same transaction, and says when it is due next: the first time
  -- that is still to come. A job that still waits for its launch is replaced, so no time is made up twice.
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
`;
