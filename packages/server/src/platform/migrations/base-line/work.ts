import { closedByRow, closedByStatement } from './closed-to-others.ts';

/**
 * Leased work of every kind. A worker claims work, each write is checked by the number of its
 * lease, and attempts are limited. A group is work that belongs together, such as the trials of one
 * run; the rows of groups are the queue. Every restore begins a new epoch. A lease is valid only in
 * the epoch in which it was given, so none survives a restore.
 */
export const work = /* sql */ `
  -- Numbers of leases, over all work.
  create sequence work_leases;

  create table work_groups (
    kind text not null,
    id text not null,
    organization_id text not null,
    project_id text not null,
    -- How many of its rows may be leased at a time.
    at_once integer not null check (at_once > 0),
    is_over boolean not null default false,
    last_claimed_at timestamptz,
    added_at timestamptz not null default now(),
    primary key (kind, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index work_groups_open on work_groups (kind) where not is_over;
  create index work_groups_project on work_groups (organization_id, project_id);

  create table leased_work (
    kind text not null,
    group_id text not null,
    number integer not null,
    organization_id text not null,
    -- The items of the group that it is about, by number.
    first_item integer not null,
    last_item integer not null,
    status text not null default 'open' check (status in ('open', 'leased', 'done')),
    -- A new number for every claim, over all rows: a write under an old number is rejected.
    lease bigint not null default 0,
    leased_until timestamptz(3),
    -- A name of the claimer's own.
    claimed_by text,
    -- Of its attempts since it last made progress: 5 for one that failed or whose worker died, 1 for an interrupted
    -- one.
    attempt_cost integer not null default 0,
    -- Set where it was given back; it then comes before work that has not begun. To the microsecond: rounded up, what
    -- is free now would be missed by a claim that comes now.
    not_before timestamptz,
    primary key (kind, group_id, number),
    foreign key (kind, group_id) references work_groups (kind, id) on delete cascade
  );
  -- No index has leased_until, so that renewing a lease changes none.
  create index leased_work_leased on leased_work (kind, organization_id, group_id) where status = 'leased';
  create index leased_work_returned on leased_work (kind, not_before)
    where status = 'open' and not_before is not null;
  create index leased_work_fresh on leased_work (kind, group_id, number) where status = 'open' and not_before is null;
  create index leased_work_left on leased_work (kind, group_id) where status <> 'done';

  -- A worker works for all organizations and sees no more of them than where to go on. Claims of one kind follow each
  -- other, so that the bound of a group is exact. First comes the work of a silent worker, then what was given back;
  -- else the organization with the fewest leases has its turn, and in it the group with the fewest. Locked rows are
  -- skipped. Before all that, a claimer gets what an earlier claim of its own took if the answer was lost: its leases
  -- beyond last_lease, the last number it received, as they are, since nobody has begun them. A claim that does not
  -- wait returns nothing while another claim of the kind runs.
  create function claim_work(of_kind text, most integer, lease_seconds double precision, cost integer,
      claimer text, last_lease bigint, waits boolean)
    returns table (organization_id text, project_id text, group_id text, number integer, lease bigint,
      first_item integer, last_item integer, attempt_cost integer)
    language plpgsql security definer set search_path = pg_catalog as $$
  #variable_conflict use_column
  declare
    chosen record;
    candidate record;
    taken_before integer;
  begin
    if waits then perform pg_advisory_xact_lock(727004, hashtext(of_kind));
    elsif not pg_try_advisory_xact_lock(727004, hashtext(of_kind)) then return;
    end if;
    return query
      update proofmark.leased_work work set leased_until = clock_timestamp() + make_interval(secs => lease_seconds)
      from proofmark.work_groups grouped
      where (work.kind, work.group_id, work.number) in (
          select kind, group_id, number from proofmark.leased_work
          where kind = of_kind and status = 'leased' and claimed_by = claimer and lease > last_lease
          order by lease limit most for no key update skip locked)
        and grouped.kind = of_kind and grouped.id = work.group_id
      returning work.organization_id, grouped.project_id, work.group_id, work.number, work.lease,
        work.first_item, work.last_item, work.attempt_cost;
    get diagnostics taken_before = row_count;
    for turn in taken_before + 1 .. most loop
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
          claimed_by = claimer, leased_until = clock_timestamp() + make_interval(secs => lease_seconds),
          attempt_cost = work.attempt_cost + cost
        from proofmark.work_groups grouped
        where work.kind = of_kind and work.group_id = chosen.group_id and work.number = chosen.number
          and grouped.kind = of_kind and grouped.id = work.group_id
        returning work.organization_id, grouped.project_id, work.group_id, work.number, work.lease,
          work.first_item, work.last_item, work.attempt_cost;
    end loop;
  end $$;

  -- How much work of silent workers could be claimed now; 0 while a claim of the kind runs, which may be taking it
  -- over.
  create function silent_work(of_kind text) returns integer
    language plpgsql security definer set search_path = pg_catalog as $$
  begin
    if not pg_try_advisory_xact_lock(727004, hashtext(of_kind)) then return 0; end if;
    return (select count(*) from (
      select from proofmark.leased_work
      where kind = of_kind and status = 'leased' and leased_until < clock_timestamp()
      for no key update skip locked) silent);
  end $$;

  -- Returns lost, last (of its group) or left (some are). It locks the group, so of two that end together one is the
  -- last. Where the group was at its bound, workers are notified.
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

  -- The wait counts from the last claim, else from the moment of what it is about, else from when it was added.
  create function work_load() returns table (
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

  -- The places that each process holds of a limit that all processes share, such as calls of one server. Logged:
  -- after a crash of PostgreSQL, living processes still use what they hold.
  create table limit_shares (
    target text not null,
    holder text not null,
    places integer not null check (places >= 0),
    -- How many it could use.
    wanted integer not null check (wanted >= 0),
    -- When it last began to hold places, to wait for one, or to want none.
    since timestamptz not null default clock_timestamp(),
    leased_until timestamptz not null,
    epoch text not null default current_epoch(),
    primary key (target, holder)
  );

  -- Of each target the holder gets as many places as it asks for and no other holds, leased anew; all shares of the
  -- target are returned. Requests for a target follow each other, so that the bound is exact; targets are locked in
  -- one order. Shares of another epoch are deleted, those of the holder too.
  create function share_places(requests json, by_holder text, lease_seconds double precision)
    returns table (target text, holder text, places integer, wanted integer, since_ms double precision)
    language plpgsql set search_path = pg_catalog as $$
  #variable_conflict use_column
  declare
    request record;
    granted integer;
    this_epoch text := proofmark.current_epoch();
  begin
    for request in
      select target, places, wanted, bound, hashtext(target) as lock
      from json_to_recordset(requests) as requested (target text, places integer, wanted integer, bound integer)
      order by lock, target
    loop
      perform pg_advisory_xact_lock(727005, request.lock);
      delete from proofmark.limit_shares
      where target = request.target
        and (epoch <> this_epoch or (holder <> by_holder and leased_until <= clock_timestamp()));
      select greatest(0, least(request.places, request.bound - coalesce(sum(places), 0))) into granted
      from proofmark.limit_shares where target = request.target and holder <> by_holder;
      if granted = 0 and request.wanted = 0 then
        delete from proofmark.limit_shares where target = request.target and holder = by_holder;
      else
        insert into proofmark.limit_shares as held (target, holder, places, wanted, leased_until, epoch)
        values (request.target, by_holder, granted, request.wanted,
          clock_timestamp() + make_interval(secs => lease_seconds), this_epoch)
        on conflict (target, holder) do update set places = excluded.places, wanted = excluded.wanted,
          leased_until = excluded.leased_until,
          since = case when (held.places > 0) = (excluded.places > 0)
            and (held.places > 0 or (held.wanted > 0) = (excluded.wanted > 0)) then held.since else excluded.since end;
      end if;
      return query
        select target, holder, places, wanted, (extract(epoch from clock_timestamp() - since) * 1000)::double precision
        from proofmark.limit_shares where target = request.target order by holder;
    end loop;
  end $$;

  -- Turns of the agent that go on, counted over all processes. Not logged: no turn outlives a crash of the server.
  create unlogged table agent_slots (
    id uuid primary key default gen_random_uuid(),
    organization_id text not null references organizations on delete cascade,
    leased_until timestamptz(3) not null,
    epoch text not null default current_epoch()
  );
  create index agent_slots_organization on agent_slots (organization_id);

  -- Not logged: after a crash of the server every living worker beats again.
  create unlogged table worker_beats (
    id text primary key,
    host text not null,
    process_id integer not null,
    version text not null,
    trials_at_once integer not null,
    started_at timestamptz(3) not null default clock_timestamp(),
    beat_at timestamptz(3) not null default clock_timestamp()
  );

  create table recurring_jobs (
    name text primary key,
    every interval not null,
    last_at timestamptz not null default clock_timestamp()
  );

  insert into recurring_jobs (name, every) values
    ('launch-schedules', '1 minute'), ('housekeeping', '1 hour'), ('measure-storage', '1 minute'),
    ('settle-reservations', '5 minutes');

  -- The service owns no table of the queue and adds jobs through this alone.
  create function add_job(task text, payload text, job_key text, max_attempts integer, run_at timestamptz)
    returns void language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform graphile_worker.add_job(task, payload::json, job_key => job_key, max_attempts => max_attempts,
      run_at => coalesce(run_at, now()), job_key_mode => 'preserve_run_at');
  end $$;

  ${closedByRow(['agent_slots'])}
  ${closedByStatement(['work_groups', 'leased_work'])}
`;
