/** Case variants that may fail without blocking the gate of their suite, for a time. */
export const quarantine = /* sql */ `
  create table quarantine_entries (
    id text primary key,
    organization_id text not null,
    suite_id text not null,
    -- The declared id of the case or its own id. The case may be gone.
    case_ref text not null,
    -- Null: every variant of the case.
    model text,
    owner text not null,
    reason text not null,
    expires_at timestamptz(3) not null,
    -- The place in the suite file, from 0; 0 for an entry of the API.
    position integer not null default 0,
    source text not null check (source in ('file', 'api')),
    created_by text references accounts on delete set null,
    created_by_email text not null,
    created_at timestamptz(3) not null default now(),
    removed_by text references accounts on delete set null,
    removed_at timestamptz(3),
    foreign key (organization_id, suite_id) references eval_suites (organization_id, id) on delete cascade
  );
  create index quarantine_entries_suite on quarantine_entries (suite_id, created_at, position, id);
  alter table quarantine_entries enable row level security;
  create policy tenant on quarantine_entries using (may_see(organization_id));
`;
