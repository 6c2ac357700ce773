/**
 * A lease counts in the epoch of the data in which it was given: what was leased before a restore is held by nobody after it,
 * whether the backup has the row, as it may of places, or its holder is still there.
 */
export const epochOfLeases = /* sql */ `
  -- Empty until an installation has begun, as it is in a database that was only migrated.
  create function current_epoch() returns text language sql stable
    begin atomic
      select coalesce((select epoch from installation), '');
    end;

  alter table agent_slots add column epoch text not null default current_epoch();
  alter table shared_places add column epoch text not null default current_epoch();

  -- Testing a model provider is paid for by an organization and by none of its projects.
  alter table ledger alter project_id drop not null;
  alter table credit_reservations alter project_id drop not null;

  -- As before, and shares of another epoch are gone, the asking one's own too.
  create or replace function share_places(asked json, by_holder text, lease_seconds double precision)
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
`;
