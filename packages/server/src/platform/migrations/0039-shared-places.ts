/**
 * Of some things only so many may be used at once by all processes together, such as calls of one server. Each process
 * holds a share of their places, under a lease: that of one that died comes back when its lease ends.
 */
export const sharedPlaces = /* sql */ `
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
    primary key (target, holder)
  );

  -- Of each target the holder gets as many places as it asks for and nobody else holds, leased anew; told is who holds
  -- how many and wants how many. Whoever asks for a target follows the one before, so that the bound is exact. Who
  -- asks for several locks them in one order with everybody.
  create function share_places(asked json, by_holder text, lease_seconds double precision)
    returns table (target text, holder text, places integer, wanted integer, since_ms double precision)
    language plpgsql set search_path = pg_catalog as $$
  #variable_conflict use_column
  declare
    wish record;
    granted integer;
  begin
    for wish in
      select target, places, wanted, bound, hashtext(target) as lock
      from json_to_recordset(asked) as wishes (target text, places integer, wanted integer, bound integer)
      order by lock, target
    loop
      perform pg_advisory_xact_lock(727005, wish.lock);
      delete from proofmark.shared_places
      where target = wish.target and holder <> by_holder and leased_until <= clock_timestamp();
      select greatest(0, least(wish.places, wish.bound - coalesce(sum(places), 0))) into granted
      from proofmark.shared_places where target = wish.target and holder <> by_holder;
      if granted = 0 and wish.wanted = 0 then
        delete from proofmark.shared_places where target = wish.target and holder = by_holder;
      else
        insert into proofmark.shared_places as held (target, holder, places, wanted, leased_until)
        values (wish.target, by_holder, granted, wish.wanted,
          clock_timestamp() + make_interval(secs => lease_seconds))
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
`;
