/**
 * The epoch of the data: a word that a restore changes, so that nothing that was kept or promised about the data before it
 * is taken for true afterwards. And jobs that come again and again by the clock of the database.
 */
export const epochOfData = /* sql */ `
  alter table installation add column epoch text not null default gen_random_uuid()::text;

  -- Keys that were revoked before a restore, also those that the restored data does not know.
  create table keys_revoked_before (
    hash bytea primary key
  );

  create table recurring_jobs (
    name text primary key,
    every interval not null,
    last_at timestamptz not null default clock_timestamp()
  );
  insert into recurring_jobs (name, every) values ('launch-schedules', '1 minute'), ('housekeeping', '1 hour');
  -- Made by the clock of some process, which may have been wrong; one that is due in a year would stand in the way.
  do $$ begin
    if to_regclass('graphile_worker._private_jobs') is not null then
      delete from graphile_worker._private_jobs where key in ('launch-schedules', 'housekeeping');
    end if;
  end $$;

  alter table audit_log drop constraint audit_log_caller_kind_check,
    add constraint audit_log_caller_kind_check check (caller_kind in ('key', 'session', 'operator'));
`;
