/**
 * What was seen of the widgets of trials, apart from their traces: a picture is larger than all that was said. Both are
 * kept by the month of their run, as trials are, and go with it. A run keeps a picture once, whichever of its trials show it.
 */
import { idMonths } from '@proofmark/domain';

const months = idMonths('evalRun', Date.UTC(2020, 0), 20 * 12)
  .map(({ name, from, to }) => `('${name}', '${from}', '${to}')`)
  .join(', ');

const tables = ['eval_widgets', 'eval_widget_pictures'];

const guard = (table: string) => /* sql */ `
  create table ${table}_default partition of ${table} default;
  alter table ${table}_default enable row level security;
  alter table ${table} add foreign key (organization_id, run_id)
    references eval_runs (organization_id, id) on delete cascade;
  alter table ${table} enable row level security;
  create policy tenant on ${table}
    using (organization_id = any ((select visible_organizations())::text[]));
`;

export const widgetsOfTrials = /* sql */ `
  lock table eval_runs in share row exclusive mode;

  create table eval_widgets (
    run_id text collate "C" not null,
    ordinal integer not null,
    organization_id text not null,
    -- JSON: the observations, in the order in which the widgets were opened.
    observations text not null,
    primary key (run_id, ordinal)
  ) partition by range (run_id);
  create table eval_widget_pictures (
    run_id text collate "C" not null,
    -- Of the PNG, lower hex.
    sha256 text not null,
    organization_id text not null,
    png bytea not null,
    primary key (run_id, sha256)
  ) partition by range (run_id);
  -- A PNG is compressed already.
  alter table eval_widget_pictures alter column png set storage external;
  ${tables.map(guard).join('')}

  -- Who makes and drops the tables of a month does so with these too.
  do $$ declare made text; begin
    for made in
      select pg_get_functiondef(oid) from pg_proc
      where proname in ('make_month_of_trials', 'drop_month_of_trials')
        and pronamespace = 'proofmark'::regnamespace
    loop
      execute replace(made, '''eval_traces'']',
        '''eval_traces'', ${tables.map((table) => `''${table}''`).join(', ')}]');
    end loop;
  end $$;

  select make_month_of_trials(name, first_id, next_id)
  from (values ${months}) as months (name, first_id, next_id)
  where to_regclass('eval_iterations_' || name) is not null;
`;
