/** What servers were last seen to list, and which case variants of a run assert nothing. */
export const listedTools = /* sql */ `
  create table listed_tools (
    organization_id text not null,
    server_id text primary key references servers on delete cascade,
    -- Their names, as a JSON list.
    tools text not null,
    -- Trials declare more than diagnostics do, and some servers list more tools then.
    by_trial boolean not null,
    listed_at timestamptz(3) not null default now()
  );
  alter table listed_tools enable row level security;
  create policy tenant on listed_tools using (may_see(organization_id));

  alter table eval_runs
    -- How many, and the titles of a few; null for reported runs, and for runs from before this was kept.
    add column asserts_nothing text;
`;
