/** Which runs of journeys name which texts of tools, as runs of suites do: a text stays while either names it. */
export const surfacesOfSessions = /* sql */ `
  create table journey_run_tool_surfaces (
    organization_id text not null,
    run_id text not null,
    hash text not null,
    primary key (run_id, hash),
    foreign key (organization_id, run_id) references journey_runs (organization_id, id) on delete cascade
  );
  create index journey_run_tool_surfaces_hash on journey_run_tool_surfaces (organization_id, hash);
  create index journey_run_tool_surfaces_run on journey_run_tool_surfaces (organization_id, run_id);

  alter table journey_run_tool_surfaces enable row level security;
  create policy tenant on journey_run_tool_surfaces
    using (organization_id = any ((select visible_organizations())::text[]));
`;
