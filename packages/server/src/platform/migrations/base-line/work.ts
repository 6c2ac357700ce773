import { closedByRow, closedByStatement } from './closed-to-others.ts';

/** */
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
  create index leased_work_fresh on leased_work (kind, group_id, number) where status = 'open' and not_before is null;
  create index leased_work_left on leased_work (kind, group_id) where status <> 'done';

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

  -- What nothing else tells of waits since it was added.
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

  -- Logged: after a crash of PostgreSQL, those who live still use what they hold.
  create table shared_places (
    target text not null,
    holder text not null,
    places integer not null check (places >= 0),
    -- How many it could use.
    wanted integer not null check (wanted >= 0),
    -- When it last came to have places, to wait for one, or to want none.
    since timestamptz not null default clock_timestamp(),
    leased_until timestamptz not null,
    epoch text not null default current_epoch(),
    primary key (target, holder)
  );

  -- As before, and shares of another epoch are gone, the asking one's own too.
  create function share_places(asked json, by_holder text, lease_seconds double precision)
    returns table (target text, holder text, places integer, wanted integer, since_ms double precision)
    language plpgsql set search_path = pg_catalog as $$
  #variable_conflict use_column
  declare
    wish record;
    granted integer;
    this_epoch text := proofmark.current_epoch();
  begin
    for wish in
      select target, places, wanted, bound, hashtext(target) as lock
      from json_to_recordset(asked) as wishes (target text, places integer, wanted integer, bound integer)
      order by lock, target
    loop
      perform pg_advisory_xact_lock(727005, wish.lock);
      delete from proofmark.shared_places
      where target = wish.target
        and (epoch <> this_epoch or (holder <> by_holder and leased_until <= clock_timestamp()));
      select greatest(0, least(wish.places, wish.bound - coalesce(sum(places), 0))) into granted
      from proofmark.shared_places where target = wish.target and holder <> by_holder;
      if granted = 0 and wish.wanted = 0 then
        delete from proofmark.shared_places where target = wish.target and holder = by_holder;
      else
        insert into proofmark.shared_places as held (target, holder, places, wanted, leased_until, epoch)
        values (wish.target, by_holder, granted, wish.wanted,
          clock_timestamp() + make_interval(secs => lease_seconds), this_epoch)
        on conflict (target, holder) do update set places = excluded.places, wanted = excluded.wanted,
          leased_until = excluded.leased_until,
          since = case when (held.places > 0) = (excluded.places > 0)
            and (held.places > 0 or (held.wanted > 0) = (excluded.wanted > 0)) then held.since else excluded.since end;
      end if;
      return query
        select target, holder, places, wanted, (extract(epoch from clock_timestamp() - since) * 1000)::double precision
        from proofmark.shared_places where target = wish.target order by holder;
    end loop;
  end $$;

  -- Not logged: no turn outlives a crash of the server.
  create unlogged table agent_slots (
    id uuid primary key default gen_random_uuid(),
    organization_id text not null references organizations on delete cascade,
    leased_until timestamptz(3) not null,
    epoch text not null default current_epoch()
  );
  create index agent_slots_organization on agent_slots (organization_id);

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

  create table recurring_jobs (
    name text primary key,
    every interval not null,
    last_at timestamptz not null default clock_timestamp()
  );

  insert into recurring_jobs (name, every) values
    ('launch-schedules', '1 minute'), ('housekeeping', '1 hour'), ('measure-storage', '1 minute'),
    ('settle-reservations', '5 minutes');

  -- The service owns no table of the queue, so it adds jobs through this and nothing else.
  create function add_job(task text, payload text, job_key text, max_attempts integer, run_at timestamptz)
    returns void language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform graphile_worker.add_job(task, payload::json, job_key => job_key, max_attempts => max_attempts,
      run_at => coalesce(run_at, now()), job_key_mode => 'preserve_run_at');
  end $$;

  ${closedByRow(['agent_slots'])}
  ${closedByStatement(['work_groups', 'leased_work'])}
`;
