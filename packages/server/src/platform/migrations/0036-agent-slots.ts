/**
 * Turns of the agent that go on, a row for each, so that their number holds over all processes. A row that its turn
 * did not delete counts no longer than the lease.
 */
export const agentSlots = /* sql */ `
  -- Not logged: no turn outlives a crash of the server.
  create unlogged table agent_slots (
    id uuid primary key default gen_random_uuid(),
    organization_id text not null references organizations on delete cascade,
    leased_until timestamptz(3) not null
  );
  create index agent_slots_organization on agent_slots (organization_id);
  alter table agent_slots enable row level security;
  create policy tenant on agent_slots using (may_see(organization_id));
`;
