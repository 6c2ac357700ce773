/** What of an organization is kept for how long, and dropping the trials of a whole month. */
export const retention = /* sql */ `
  create table organization_retention (
    organization_id text not null references organizations on delete cascade,
    kind text not null check (kind in ('runs', 'traces', 'sessions')),
    -- Null: no bound, whatever the settings say.
    days integer check (days > 0),
    count integer check (count > 0),
    primary key (organization_id, kind)
  );
  alter table organization_retention enable row level security;
  create policy tenant on organization_retention
    using (organization_id = any ((select visible_organizations())::text[]));

  -- When retention took the traces of a run.
  alter table eval_runs add column traces_removed_at timestamptz(3);

  -- Drops the tables of a month of which every run is going, and says what came of it: dropped; kept, where a run of it
  -- stays, or came under a waiver meanwhile; none, where there are no such tables; busy, where a lock was not to be had.
  create function drop_month_of_trials(month text, first_id text, next_id text, going text[]) returns text
    language plpgsql security definer set search_path = pg_catalog set lock_timeout = '300ms' as $$
  declare
    whole text;
    wholes text[];
  begin
    if month !~ '^[0-9]{4}_[0-9]{2}$' or month >= to_char(now() at time zone 'UTC', 'YYYY_MM') then return 'kept'; end if;
    -- As whoever makes months does: one process at a time.
    perform pg_advisory_xact_lock(727005);
    select array_agg(name) into wholes
    from unnest(array['eval_iterations', 'eval_judgements', 'eval_traces']) name
    where to_regclass(format('proofmark.%I', name || '_' || month)) is not null;
    if wholes is null then return 'none'; end if;
    lock table proofmark.eval_runs, proofmark.gate_waivers in share row exclusive mode;
    if exists (
      select from proofmark.eval_runs
      where id collate "C" >= first_id and id collate "C" < next_id
        and (id <> all (going) or status in ('pending', 'running') or judge_status = 'pending'
          or exists (
            select from proofmark.gate_waivers
            where run_id = eval_runs.id and revoked_at is null and expires_at > statement_timestamp())))
    then return 'kept'; end if;
    foreach whole in array wholes loop
      execute format('drop table proofmark.%I', whole || '_' || month);
    end loop;
    return 'dropped';
  exception
    when lock_not_available or query_canceled then return 'busy';
  end $$;
`;
