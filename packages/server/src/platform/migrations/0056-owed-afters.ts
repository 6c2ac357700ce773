/**
 * Calls after a trial that are still to be made. Whoever begins such a trial owes them under its lease; whoever takes them
 * makes them, so that they are made once at most: the worker itself, or, where the trial ended without it, any other. A
 * trial that is begun again owes them anew. Trials have warnings: what is to be known of them beside their result.
 */
export const owedAfters = /* sql */ `
  -- JSON.
  alter table eval_iterations add column warnings text;
  create index eval_iterations_warned on eval_iterations (run_id, ordinal) where warnings is not null;

  create table owed_afters (
    run_id text not null,
    ordinal integer not null,
    organization_id text not null,
    project_id text not null,
    -- Of whoever began the trial last; 0 where another has taken them since.
    lease bigint not null,
    -- Since when the trial is seen to have ended without them.
    left_since timestamptz,
    taken_at timestamptz,
    primary key (run_id, ordinal),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index owed_afters_run on owed_afters (organization_id, run_id);
  alter table owed_afters enable row level security;
  create policy tenant on owed_afters
    using (organization_id = any ((select visible_organizations())::text[]));

  -- Of all organizations. Its worker would have taken them by then, if it lived.
  create function take_left_afters(grace double precision, most integer) returns table (
      organization_id text, project_id text, run_id text, ordinal integer)
    language plpgsql security definer set search_path = pg_catalog as $$
  begin
    update proofmark.owed_afters owed set left_since = clock_timestamp()
    from proofmark.eval_iterations trial
    where owed.left_since is null and owed.taken_at is null
      and trial.run_id = owed.run_id and trial.ordinal = owed.ordinal and trial.status not in ('pending', 'running');
    return query
      with due as (
        select owed.run_id, owed.ordinal from proofmark.owed_afters owed
        where owed.taken_at is null and owed.left_since < clock_timestamp() - make_interval(secs => grace)
        order by owed.left_since limit most for update skip locked)
      update proofmark.owed_afters owed set taken_at = clock_timestamp(), lease = 0 from due
      where owed.run_id = due.run_id and owed.ordinal = due.ordinal
      returning owed.organization_id, owed.project_id, owed.run_id, owed.ordinal;
  end $$;

  -- Whoever took these died with them: nobody knows what was made, and nobody makes them again.
  create function lost_afters(age double precision) returns table (
      organization_id text, run_id text, ordinal integer, lease text)
    language sql stable security definer
    begin atomic
      select owed_afters.organization_id, owed_afters.run_id, owed_afters.ordinal, owed_afters.lease::text
      from owed_afters
      join eval_iterations on eval_iterations.run_id = owed_afters.run_id and eval_iterations.ordinal = owed_afters.ordinal
      where taken_at < statement_timestamp() - make_interval(secs => age)
        and eval_iterations.status not in ('pending', 'running');
    end;
`;
