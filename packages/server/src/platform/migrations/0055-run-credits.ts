/** What a run may spend, where its launch says so: judges included, and counted beside the credits of the day. */
export const runCredits = /* sql */ `
  create table run_credits (
    run_id text primary key references eval_runs on delete cascade,
    organization_id text not null references organizations on delete cascade,
    max_credits numeric not null check (max_credits >= 0),
    used numeric not null default 0 check (used >= 0),
    -- Set aside for steps that have begun.
    reserved numeric not null default 0 check (reserved >= 0)
  );
  create index run_credits_organization on run_credits (organization_id);
  alter table run_credits enable row level security;
  create policy tenant on run_credits using (may_see(organization_id));

  -- Those of the day, and those of the run.
  alter table eval_runs drop constraint eval_runs_stop_reason_check;
  alter table eval_runs add constraint eval_runs_stop_reason_check
    check (stop_reason in ('credits', 'maxCredits'));
`;
