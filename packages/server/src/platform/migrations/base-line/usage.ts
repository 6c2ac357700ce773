import { closedByRow, closedByStatement } from './closed-to-others.ts';

/**
 * Quotas, use and spending of organizations. Rows of the ledger are only added. A reservation holds
 * credits for a step that has begun under a credit limit and is not yet paid.
 */
export const usage = /* sql */ `
  create table organization_quotas (
    organization_id text not null references organizations on delete cascade,
    name text not null check (name in ('storedBytes', 'trialsPerDay', 'uploadBytesPerDay')),
    -- Null: no limit, whatever the settings say.
    allowed bigint check (allowed >= 0),
    primary key (organization_id, name)
  );

  -- What was used on a day (UTC) of something that is bounded for a day.
  create table daily_counters (
    organization_id text not null references organizations on delete cascade,
    day date not null,
    counter text not null,
    used numeric not null,
    reserved numeric not null default 0 check (reserved >= 0),
    primary key (organization_id, day, counter)
  );

  create table organization_sizes (
    organization_id text primary key references organizations on delete cascade,
    bytes bigint not null,
    counted_at timestamptz(3) not null
  );

  create table organization_retention (
    organization_id text not null references organizations on delete cascade,
    kind text not null check (kind in ('runs', 'traces', 'sessions')),
    -- Null: no bound, whatever the settings say.
    days integer check (days > 0),
    count integer check (count > 0),
    primary key (organization_id, kind)
  );

  -- Of a project that may be gone since, so its id refers to nothing.
  create table ledger (
    id uuid not null default gen_random_uuid(),
    organization_id text not null references organizations on delete cascade,
    project_id text,
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

  create table credit_reservations (
    kind text not null,
    ref text collate "C" not null,
    step text not null,
    organization_id text not null references organizations on delete cascade,
    project_id text,
    day date not null,
    model text not null,
    credits numeric not null,
    reserved_at timestamptz(3) not null default clock_timestamp(),
    is_waiting boolean not null default false,
    primary key (kind, ref, step)
  );
  create index credit_reservations_organization on credit_reservations (organization_id);

  ${closedByRow(['ledger', 'credit_reservations'])}
  ${closedByStatement(['organization_quotas', 'daily_counters', 'organization_sizes', 'organization_retention'])}
`;
