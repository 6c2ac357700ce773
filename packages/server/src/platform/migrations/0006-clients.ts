/**
 * Clients and their configs. A config is kept under the hash of its text, once for each organization, and never
 * changes; a client points to one. Configs no client points to any more stay, since a run tells what it ran on by the
 * id of a config.
 */
export const clients = /* sql */ `
  create table client_configs (
    organization_id text not null references organizations on delete cascade,
    id text not null,
    config text not null,
    -- What a list shows, so that it need not read the configs.
    model_id text not null,
    server_count integer not null,
    has_computer boolean not null,
    created_at timestamptz(3) not null default now(),
    primary key (organization_id, id)
  );

  create table clients (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    -- The name as it is looked for; made by the rule, since what lower() does depends on the database.
    comparable_name text not null,
    config_id text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (organization_id, project_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    -- Looked at last, so that an organization can go with all it has, in whatever order.
    foreign key (organization_id, config_id) references client_configs (organization_id, id)
      deferrable initially deferred
  );
  create index clients_order on clients (project_id, created_at, id);
  create index clients_comparable_name on clients (project_id, comparable_name);

  alter table client_configs enable row level security;
  alter table clients enable row level security;
  create policy tenant on client_configs using (may_see(organization_id));
  create policy tenant on clients using (may_see(organization_id));
`;
