/**
 * Requests to have explained what detectors found: one row for a run, a wave or a window. The row keeps its generation
 * also where nobody waits for it any more, so that whoever works for an older one can write nothing.
 */
export const insights = /* sql */ `
  create table insights (
    kind text not null check (kind in ('eval_run', 'swarm_wave', 'user_testing_window')),
    scope_id text not null,
    organization_id text not null,
    project_id text not null,
    -- Null where nobody asked, or what was asked for was released.
    status text check (status in ('pending', 'completed', 'failed')),
    generation integer not null default 0,
    -- The account that asked.
    requested_by text,
    requested_at timestamptz(3),
    -- Who explains it, or explained it.
    model_used text,
    -- What detectors found, and what was said of it.
    candidates text,
    answer text,
    error_code text,
    -- When somebody who works on it was last heard of.
    heard_at timestamptz(3),
    generated_at timestamptz(3),
    updated_at timestamptz(3) not null default clock_timestamp(),
    primary key (kind, scope_id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index insights_project on insights (organization_id, project_id);
  create index insights_pending on insights (heard_at) where status = 'pending';
  alter table insights enable row level security;
  create policy tenant on insights
    using (organization_id = any ((select visible_organizations())::text[]));

  -- A worker looks after every organization; it sees no more of them than where to go on.
  create function silent_insights(silent_seconds double precision)
    returns table (organization_id text, project_id text, kind text, scope_id text, generation integer)
    language sql stable security definer
    begin atomic
      select organization_id, project_id, kind, scope_id, generation from insights
      where status = 'pending' and heard_at < statement_timestamp() - make_interval(secs => silent_seconds);
    end;

  -- Neither leased work nor insights know runs, so a run takes along what is about it.
  create or replace function forget_work_of_run() returns trigger
    language plpgsql security definer set search_path = pg_catalog as $$
  begin
    delete from proofmark.insights where kind = 'eval_run' and scope_id = old.id;
    delete from proofmark.work_groups where id = old.id and kind in ('eval-trials', 'eval-judgements');
    delete from proofmark.work_groups where id = 'eval_run:' || old.id and kind = 'insights';
    return null;
  end $$;

  -- What is to be explained waits since it was asked for.
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
            - coalesce(last_claimed_at, requested_at, completed_at, created_at)))
          filter (where ready > 0 and leased < at_once), 0)::double precision
      from groups left join eval_runs on eval_runs.id = groups.id
        left join insights on groups.kind = 'insights' and groups.id = insights.kind || ':' || scope_id
      group by groups.kind order by groups.kind;
    end;
`;
