/**
 * Trials, traces and judgements are kept by the month of their run, so that old months go by dropping tables and the
 * indexes of recent ones stay small. Ids of runs begin with the moment they were made, so the run names the month, and a
 * statement that names the run reaches one month alone. Bounds hold byte by byte, whatever the language of the database.
 *
 * All rows are read and written anew in one go, and indexes are built afterwards; meanwhile it needs as much free room as
 * the tables take, and nobody else reaches them. 200,000 trials of 1 KB with traces of 2 KB took 22 s on two busy cores.
 */
import { idMonths } from '@proofmark/domain';

/** Every month that runs can be of when this migration is made. Others stay in the default partitions. */
const months = idMonths('evalRun', Date.UTC(2020, 0), 20 * 12)
  .map(({ name, from, to }) => `('${name}', '${from}', '${to}')`)
  .join(', ');

const tables = ['eval_iterations', 'eval_judgements', 'eval_traces'];

/** The columns as they are, but for the run, whose texts are compared byte by byte. */
const begin = (table: string) => /* sql */ `
  alter table ${table} rename to ${table}_before;
  create table ${table}_shape (like ${table}_before including all excluding indexes);
  alter table ${table}_shape alter column run_id type text collate "C";
  create table ${table} (like ${table}_shape including all) partition by range (run_id);
  drop table ${table}_shape;
  create table ${table}_default partition of ${table} default;
  alter table ${table}_default enable row level security;
`;

const fill = (table: string) => /* sql */ `
  insert into ${table} select * from ${table}_before;
  do $$ declare statement text; begin
    for statement in
      select format('grant %s on ${table} to %s', privilege_type,
        case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end)
      from pg_class, aclexplode(relacl) where oid = '${table}_before'::regclass and grantee <> relowner
    loop
      execute statement;
    end loop;
  end $$;
  drop table ${table}_before;
  alter table ${table} add primary key (run_id, ordinal);
  alter table ${table} add foreign key (organization_id, run_id)
    references eval_runs (organization_id, id) on delete cascade;
  alter table ${table} enable row level security;
  create policy tenant on ${table}
    using (organization_id = any ((select visible_organizations())::text[]));
`;

export const monthsOfTrials = /* sql */ `
  lock table eval_runs, ${tables.join(', ')} in access exclusive mode;

  -- Makes the tables of one month and says what came of it: made, or there already; held, where many rows of that month
  -- lie in a default partition, which stay there; busy, where a lock was not to be had in time, for somebody to try again.
  -- A few such rows, left by a clock that was ahead, are moved, so that they do not keep a whole month out of its tables.
  -- Nobody waits long behind it. It attaches tables, which lets others read and write the other months; a table has no
  -- policy of its own, so that nobody but the owner reads it past the policy of the whole.
  create function make_month_of_trials(month text, first_id text, next_id text) returns text
    language plpgsql security definer set search_path = pg_catalog set lock_timeout = '300ms' as $$
  declare
    whole text;
    wholes text[];
    most_moved constant integer := 1000;
    early integer;
  begin
    -- One process at a time: two would wait for each other, each with a default partition in its hands.
    perform pg_advisory_xact_lock(727005);
    select array_agg(name) into wholes
    from unnest(array['eval_iterations', 'eval_judgements', 'eval_traces']) name
    where to_regclass(format('proofmark.%I', name || '_' || month)) is null;
    if wholes is null then return 'there'; end if;
    foreach whole in array wholes loop
      execute format('select count(*) from (select from proofmark.%I where run_id >= $1 and run_id < $2 limit $3) early',
          whole || '_default')
        into early using first_id, next_id, most_moved + 1;
      if early > most_moved then return 'held'; end if;
    end loop;
    -- Attaching needs it because of the reference. It comes first, so that whoever is waited for waits for nothing of ours.
    lock table proofmark.eval_runs in share row exclusive mode;
    foreach whole in array wholes loop
      execute format('create table proofmark.%I (like proofmark.%I including all)', whole || '_' || month, whole);
      execute format('alter table proofmark.%I enable row level security', whole || '_' || month);
      execute format('with early as (delete from proofmark.%I where run_id >= $1 and run_id < $2 returning *)
        insert into proofmark.%I select * from early', whole || '_default', whole || '_' || month)
        using first_id, next_id;
      execute format('alter table proofmark.%I attach partition proofmark.%I for values from (%L) to (%L)',
        whole, whole || '_' || month, first_id, next_id);
    end loop;
    return 'made';
  exception
    when check_violation then return 'held';
    when lock_not_available or query_canceled then return 'busy';
  end $$;

  ${tables.map(begin).join('')}

  select make_month_of_trials(name, first_id, next_id)
  from (values ${months}) as months (name, first_id, next_id)
  where name between to_char(now() at time zone 'UTC', 'YYYY_MM')
      and to_char(now() at time zone 'UTC' + interval '2 months', 'YYYY_MM')
    or exists (select from eval_runs where id collate "C" >= first_id and id collate "C" < next_id);

  ${tables.map(fill).join('')}

  alter table eval_iterations add unique (id, run_id);
  create unique index eval_iterations_external on eval_iterations (external_id, run_id)
    where external_id is not null;
  create index eval_iterations_not_passed on eval_iterations (run_id, ordinal)
    where result is distinct from 'passed'
      and (chain is not null or status not in ('pending', 'running'));
`;
