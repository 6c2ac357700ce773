/** Runs that were launched together, one for each target, and hold one slot of their organization. */
export const runGroups = /* sql */ `
  create table eval_run_groups (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    suite_id text not null,
    idempotency_key text,
    request_hash text not null,
    -- Its slot is held until then, though none of its runs may be open; null when all of them were launched.
    launching_until timestamptz(3),
    created_at timestamptz(3) not null default now(),
    unique (project_id, idempotency_key),
    foreign key (organization_id, suite_id) references eval_suites (organization_id, id) on delete cascade
  );
  create index eval_run_groups_suite on eval_run_groups (suite_id);
  create index eval_run_groups_launching on eval_run_groups (organization_id) where launching_until is not null;
  alter table eval_run_groups enable row level security;
  create policy tenant on eval_run_groups using (may_see(organization_id));

  -- The group in whose slot it runs. run_group_id is what readers are told, and may be a label of the caller's.
  alter table eval_runs add column slot_group_id text;
  create index eval_runs_slot_group on eval_runs (slot_group_id) where slot_group_id is not null;
`;
