/** Which runs name which texts of tools, so that a text goes when the last run that names it has gone. */
export const runToolSurfaces = /* sql */ `
  -- When a run last began to name it.
  alter table tool_surfaces rename column created_at to named_at;

  create table run_tool_surfaces (
    organization_id text not null,
    run_id text not null,
    hash text not null,
    primary key (run_id, hash),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index run_tool_surfaces_hash on run_tool_surfaces (organization_id, hash);

  alter table run_tool_surfaces enable row level security;
  create policy tenant on run_tool_surfaces using (may_see(organization_id));

  insert into run_tool_surfaces (organization_id, run_id, hash)
  select distinct organization_id, run_id, tool_surface_hash from eval_iterations
  where tool_surface_hash is not null;
`;
