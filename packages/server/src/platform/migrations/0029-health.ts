/**
 * How the installation is: who works for it, and how much waits. A worker without work leaves no other trace, and the
 * role of the service sees neither the rows of all organizations nor the sessions of others.
 */
export const health = /* sql */ `
  -- Not logged: after a crash of the server everybody who lives says so again.
  create unlogged table worker_beats (
    id text primary key,
    host text not null,
    process_id integer not null,
    version text not null,
    trials_at_once integer not null,
    started_at timestamptz(3) not null default clock_timestamp(),
    beat_at timestamptz(3) not null default clock_timestamp()
  );

  -- Counts over all organizations, and nothing else of them.
  create function open_runs() returns table (launched integer, reported integer)
    language sql stable security definer
    begin atomic
      select (count(*) filter (where source <> 'sdk'))::integer, (count(*) filter (where source = 'sdk'))::integer
      from eval_runs where status in ('pending', 'running');
    end;

  -- Work that could begin now waits since its group was last claimed from; one that was never, since its run was made
  -- or, where it is about judging, ended. A group that has all its places taken waits for itself and not for a worker.
  create function work_load() returns table (
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
        coalesce(max(extract(epoch from statement_timestamp() - coalesce(last_claimed_at, completed_at, created_at)))
          filter (where ready > 0 and leased < at_once), 0)::double precision
      from groups left join eval_runs on eval_runs.id = groups.id
      group by groups.kind order by groups.kind;
    end;
`;
