/**
 * Work that has a row of its own: claimed, leased, fenced by number and bounded in attempts, whatever the work is. A
 * group is what belongs together, such as the trials of one run; its rows are the queue. Slices of runs become such rows,
 * and the jobs that were stacked on them go.
 */
export const leasedWork = /* sql */ `
  create table work_groups (
    kind text not null,
    id text not null,
    organization_id text not null,
    project_id text not null,
    -- How many of its rows may be leased at a time.
    at_once integer not null check (at_once > 0),
    is_over boolean not null default false,
    last_claimed_at timestamptz,
    primary key (kind, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index work_groups_open on work_groups (kind) where not is_over;
  create index work_groups_project on work_groups (organization_id, project_id);
  -- Whoever deletes a project looks in these too.
  create index artifacts_project on artifacts (organization_id, project_id);
  create index chat_sessions_project on chat_sessions (organization_id, project_id);

  create table leased_work (
    kind text not null,
    group_id text not null,
    number integer not null,
    organization_id text not null,
    -- The items of the group that it is about, by number.
    first_item integer not null,
    last_item integer not null,
    status text not null default 'open' check (status in ('open', 'leased', 'done')),
    -- Unique to every claim, over all rows. Who does not know the current number cannot write.
    lease bigint not null default 0,
    leased_until timestamptz(3),
    -- The claimer to whom it was leased, by a name of its own.
    claimed_by text,
    -- What its attempts since it last made progress have cost, in fifths of an attempt.
    fifths integer not null default 0,
    -- Set where it was given back: it then comes before what nobody has begun.
    -- To the microsecond: rounded up, what is free at once would not be found by a claim that comes at once.
    not_before timestamptz,
    primary key (kind, group_id, number),
    foreign key (kind, group_id) references work_groups (kind, id) on delete cascade
  );
  -- None names leased_until, so that prolonging a lease changes no index.
  create index leased_work_leased on leased_work (kind, organization_id, group_id) where status = 'leased';
  create index leased_work_returned on leased_work (kind, not_before)
    where status = 'open' and not_before is not null;
  create index leased_work_fresh on leased_work (kind, group_id, number)
    where status = 'open' and not_before is null;
  create index leased_work_left on leased_work (kind, group_id) where status <> 'done';
  create sequence work_leases;

  alter table work_groups enable row level security;
  alter table leased_work enable row level security;
  create policy tenant on work_groups
    using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on leased_work
    using (organization_id = any ((select visible_organizations())::text[]));

  -- A worker works for every organization; it sees no more of them than where to go on. Claims of one kind follow each
  -- other, so that the bound of a group is exact. First comes what a worker left that fell silent, then what was given
  -- back; else the organization with the fewest leases has its turn, and of it the group with the fewest. Whoever holds
  -- a lock is not waited for. Before all that, a claimer gets what a claim of its own took whose answer it never heard:
  -- its leases beyond the last number that it heard of, as they are, since nobody has begun them. Who merely looks does
  -- not wait for other claims either: whoever makes one has a place, and finds the same.
  create function claim_work(of_kind text, most integer, lease_seconds double precision, cost integer,
      claimer text, heard bigint, waits boolean)
    returns table (organization_id text, project_id text, group_id text, number integer, lease bigint,
      first_item integer, last_item integer, fifths integer)
    language plpgsql security definer set search_path = pg_catalog as $$
  #variable_conflict use_column
  declare
    chosen record;
    candidate record;
    unheard integer;
  begin
    if waits then perform pg_advisory_xact_lock(727004, hashtext(of_kind));
    elsif not pg_try_advisory_xact_lock(727004, hashtext(of_kind)) then return;
    end if;
    return query
      update proofmark.leased_work work set leased_until = clock_timestamp() + make_interval(secs => lease_seconds)
      from proofmark.work_groups grouped
      where (work.kind, work.group_id, work.number) in (
          select kind, group_id, number from proofmark.leased_work
          where kind = of_kind and status = 'leased' and claimed_by = claimer and lease > heard
          order by lease limit most for no key update skip locked)
        and grouped.kind = of_kind and grouped.id = work.group_id
      returning work.organization_id, grouped.project_id, work.group_id, work.number, work.lease,
        work.first_item, work.last_item, work.fifths;
    get diagnostics unheard = row_count;
    for turn in unheard + 1 .. most loop
      select work.group_id, work.number into chosen from proofmark.leased_work work
      where work.kind = of_kind and work.status = 'leased' and work.leased_until < clock_timestamp()
      order by work.leased_until limit 1 for no key update skip locked;
      if not found then
        select work.group_id, work.number into chosen from proofmark.leased_work work
        where work.kind = of_kind and work.status = 'open' and work.not_before <= statement_timestamp()
          and (select count(*) from proofmark.leased_work busy
            where busy.kind = of_kind and busy.organization_id = work.organization_id
              and busy.group_id = work.group_id and busy.status = 'leased')
            < (select at_once from proofmark.work_groups grouped
              where grouped.kind = of_kind and grouped.id = work.group_id)
        order by work.not_before limit 1 for no key update skip locked;
      end if;
      if not found then
        for candidate in
          with busy as (
            select organization_id, group_id, count(*) as leases from proofmark.leased_work
            where kind = of_kind and status = 'leased' group by organization_id, group_id),
          turns as (
            select grouped.id, grouped.at_once, grouped.last_claimed_at, coalesce(busy.leases, 0) as leases,
              sum(busy.leases) over organization as leases_of_all,
              max(grouped.last_claimed_at) over organization as last_of_all
            from proofmark.work_groups grouped left join busy on busy.group_id = grouped.id
            where grouped.kind = of_kind and not grouped.is_over
            window organization as (partition by grouped.organization_id))
          select id from turns where leases < at_once
          order by coalesce(leases_of_all, 0), last_of_all nulls first, leases, last_claimed_at nulls first, id
        loop
          select work.group_id, work.number into chosen from proofmark.leased_work work
          where work.kind = of_kind and work.group_id = candidate.id and work.status = 'open'
            and work.not_before is null
          order by work.number limit 1 for no key update skip locked;
          exit when chosen.number is not null;
        end loop;
      end if;
      exit when chosen.number is null;
      update proofmark.work_groups set last_claimed_at = clock_timestamp()
      where (kind, id) in (
        select kind, id from proofmark.work_groups where kind = of_kind and id = chosen.group_id
        for no key update skip locked);
      return query
        update proofmark.leased_work work set status = 'leased', lease = nextval('proofmark.work_leases'),
          claimed_by = claimer, leased_until = clock_timestamp() + make_interval(secs => lease_seconds), fifths = work.fifths + cost
        from proofmark.work_groups grouped
        where work.kind = of_kind and work.group_id = chosen.group_id and work.number = chosen.number
          and grouped.kind = of_kind and grouped.id = work.group_id
        returning work.organization_id, grouped.project_id, work.group_id, work.number, work.lease,
          work.first_item, work.last_item, work.fifths;
    end loop;
  end $$;

  -- How much of it a worker left that fell silent, and somebody could claim now. Who looks while others claim sees
  -- nothing: they may be taking it over.
  create function silent_work(of_kind text) returns integer
    language plpgsql security definer set search_path = pg_catalog as $$
  begin
    if not pg_try_advisory_xact_lock(727004, hashtext(of_kind)) then return 0; end if;
    return (select count(*) from (
      select from proofmark.leased_work
      where kind = of_kind and status = 'leased' and leased_until < clock_timestamp()
      for no key update skip locked) silent);
  end $$;

  -- Says whether it was lost, the last of its group, or whether some are left. Whoever completes holds the group, so of
  -- two that end together one is the last. A group that was at its bound has a place again, of which others are told.
  create function complete_work(of_kind text, of_group text, of_number integer, by_lease bigint) returns text
    language plpgsql set search_path = pg_catalog as $$
  declare
    bound integer;
    leases integer;
  begin
    select at_once into bound from proofmark.work_groups where kind = of_kind and id = of_group for no key update;
    update proofmark.leased_work set status = 'done', leased_until = null
    where kind = of_kind and group_id = of_group and number = of_number and lease = by_lease and status = 'leased';
    if not found then return 'lost'; end if;
    if not exists (
      select from proofmark.leased_work where kind = of_kind and group_id = of_group and status <> 'done')
    then
      update proofmark.work_groups set is_over = true where kind = of_kind and id = of_group;
      return 'last';
    end if;
    select count(*) into leases from proofmark.leased_work
    where kind = of_kind and group_id = of_group and status = 'leased';
    if leases = bound - 1 then perform pg_notify('proofmark_work', of_kind); end if;
    return 'left';
  end $$;

  -- The room of leased work knows no runs, so a run takes its work along.
  create function forget_work_of_run() returns trigger
    language plpgsql security definer set search_path = pg_catalog as $$
  begin
    delete from proofmark.work_groups where id = old.id and kind in ('eval-trials', 'eval-judgements');
    return null;
  end $$;
  create trigger forget_work after delete on eval_runs for each row execute function forget_work_of_run();

  -- Runs that are under way go on. A lease that stands is waited for, since its holder may still be calling tools.
  insert into work_groups (kind, id, organization_id, project_id, at_once)
    select 'eval-trials', id, organization_id, project_id, greatest(lanes, 1) from eval_runs
    where status in ('pending', 'running') and source <> 'sdk';
  insert into leased_work (kind, group_id, number, organization_id, first_item, last_item, status, lease, leased_until)
    select 'eval-trials', run_id, slice, eval_slices.organization_id, first_ordinal, last_ordinal, eval_slices.status,
      nextval('work_leases'), leased_until
    from eval_slices join eval_runs on eval_runs.id = eval_slices.run_id
    where eval_runs.status in ('pending', 'running') and eval_runs.source <> 'sdk';

  drop function silent_slices();
  drop function revive_work();
  drop table eval_slices;
  alter table eval_runs drop column lanes, drop column revivals;
  alter table eval_iterations drop column attempts;

  -- Jobs for slices and judges, which nobody takes any more.
  do $$ begin
    if to_regclass('graphile_worker._private_jobs') is not null
      and to_regclass('graphile_worker._private_tasks') is not null
    then
      delete from graphile_worker._private_jobs where task_id in (
        select id from graphile_worker._private_tasks where identifier in ('eval-lane', 'judge-run'));
    end if;
  end $$;
`;
