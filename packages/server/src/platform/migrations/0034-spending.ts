/**
 * What organizations spend. The ledger is only added to, with the step it pays for. A reservation is a step that was begun under a cap and is not paid yet.
 */
export const spending = /* sql */ `
  -- Credits are no whole numbers, and some of them are set aside.
  alter table daily_counters
    alter used type numeric,
    add column reserved numeric not null default 0 check (reserved >= 0);

  -- Of a project that may be gone since, so its id refers to nothing.
  create table ledger (
    id uuid not null default gen_random_uuid(),
    organization_id text not null references organizations on delete cascade,
    project_id text not null,
    day date not null,
    kind text not null,
    model text not null,
    input_tokens bigint,
    output_tokens bigint,
    credits numeric not null check (credits >= 0),
    priced boolean not null,
    ref text collate "C" not null,
    step text not null,
    primary key (kind, ref, step)
  );
  create index ledger_organization on ledger (organization_id, day);
  alter table ledger enable row level security;
  create policy tenant on ledger using (may_see(organization_id));

  create table credit_reservations (
    kind text not null,
    ref text collate "C" not null,
    step text not null,
    organization_id text not null references organizations on delete cascade,
    project_id text not null,
    day date not null,
    model text not null,
    credits numeric not null,
    reserved_at timestamptz(3) not null default clock_timestamp(),
    primary key (kind, ref, step)
  );
  create index credit_reservations_organization on credit_reservations (organization_id);
  alter table credit_reservations enable row level security;
  create policy tenant on credit_reservations using (may_see(organization_id));

  insert into recurring_jobs (name, every) values ('settle-reservations', '5 minutes');

  alter table eval_runs add column stop_reason text check (stop_reason in ('credits'));
`;
