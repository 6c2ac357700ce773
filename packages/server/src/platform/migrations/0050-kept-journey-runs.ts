/**
 * Runs of journeys are kept, measured and removed as runs of suites are, and take along what is about them. Work says
 * since when it waits. A session that is begun by the same lease again was begun once.
 */
export const keptJourneyRuns = /* sql */ `
  -- JSON: the criteria of the snapshot, which overviews read of many runs.
  alter table journey_runs add column rubric text not null default '[]';
  update journey_runs set rubric = coalesce((snapshot::jsonb -> 'rubric')::text, '[]')
    from journey_run_snapshots where run_id = id and has_rubric and strpos(snapshot, '\\u0000') = 0;
  -- When retention took the traces of its sessions.
  alter table journey_runs add column traces_removed_at timestamptz(3);

  -- Of a run with all that belongs to it, as it was at a revision.
  create table journey_run_sizes (
    run_id text primary key,
    organization_id text not null,
    revision integer not null,
    counted_at timestamptz(3) not null,
    sessions integer not null,
    traces integer not null,
    bytes bigint not null,
    -- Those of them that are traces.
    trace_bytes bigint not null,
    foreign key (organization_id, run_id) references journey_runs (organization_id, id) on delete cascade
  );
  create index journey_run_sizes_organization on journey_run_sizes (organization_id);
  create index journey_run_sizes_run on journey_run_sizes (organization_id, run_id);
  alter table journey_run_sizes enable row level security;
  create policy tenant on journey_run_sizes
    using (organization_id = any ((select visible_organizations())::text[]));

  -- The lease that began it last.
  alter table journey_attempts add column begun_by bigint;
  -- Tries are counted with the work itself.
  alter table swarm_sessions drop column grading_tries;

  alter table work_groups add column added_at timestamptz not null default now();

  -- Neither leased work nor insights know runs. A wave is gone with its last run.
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
  create trigger forget_work after delete on journey_runs
    for each row execute function forget_work_of_journey_run();

  create function forget_work_of_session() returns trigger
    language plpgsql security definer set search_path = pg_catalog as $$
  begin
    delete from proofmark.work_groups where id = old.id and kind = 'journey-gradings';
    return null;
  end $$;
  create trigger forget_work after delete on swarm_sessions
    for each row execute function forget_work_of_session();

  -- What nothing else tells of waits since it was added.
  create or replace function work_load() returns table (
      kind text, waiting integer, leased integer, silent integer, longest_wait_seconds double precision)
    language sql stable security definer
    begin atomic
      with groups as (
        select work_groups.kind, work_groups.id, at_once, last_claimed_at, added_at,
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
              journey_runs.created_at, added_at)))
          filter (where ready > 0 and leased < at_once), 0)::double precision
      from groups left join eval_runs on eval_runs.id = groups.id
        left join insights on groups.kind = 'insights' and groups.id = insights.kind || ':' || scope_id
        left join journey_runs on groups.kind = 'journey-sessions' and journey_runs.id = groups.id
      group by groups.kind order by groups.kind;
    end;
`;
