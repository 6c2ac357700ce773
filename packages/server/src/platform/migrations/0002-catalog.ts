/** What an organization owns. Every table here is closed to other tenants by row-level security. */
export const catalog = /* sql */ `
  create function may_see(organization_id text) returns boolean
    language sql stable parallel safe
    return organization_id = any (
      string_to_array(current_setting('proofmark.organization_ids', true), ',')
    );

  create table projects (
    id text primary key,
    organization_id text not null references organizations on delete cascade,
    name text not null,
    description text,
    icon text,
    visibility text not null check (visibility in ('public', 'private')),
    is_default boolean not null default false,
    created_by text references accounts on delete set null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (organization_id, id)
  );
  create unique index projects_name on projects (organization_id, lower(name));
  create unique index projects_default on projects (organization_id) where is_default;
  create index projects_order on projects (organization_id, created_at, id);

  create table project_members (
    organization_id text not null,
    project_id text not null,
    account_id text not null,
    tier text not null check (tier in ('member', 'manage', 'admin')),
    primary key (project_id, account_id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, account_id) references memberships on delete cascade
  );

  create table servers (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    enabled boolean not null,
    transport_type text not null check (transport_type in ('http', 'stdio')),
    url text,
    timeout_ms integer,
    client_capabilities jsonb,
    use_oauth boolean not null default false,
    oauth_scopes text[] not null default '{}',
    oauth_resource_url text,
    client_id text,
    sealed_client_secret bytea,
    header_names text[] not null default '{}',
    sealed_headers bytea,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    check ((transport_type = 'http') = (url is not null))
  );
  create unique index servers_name on servers (project_id, lower(name));
  create index servers_order on servers (project_id, created_at, id);

  create table eval_suites (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index eval_suites_order on eval_suites (project_id, created_at, id);

  create table chat_sessions (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    account_id text not null references accounts on delete cascade,
    title text,
    status text not null check (status in ('active', 'archived')),
    created_at timestamptz(3) not null default now(),
    last_activity_at timestamptz(3) not null default now(),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index chat_sessions_order on chat_sessions (account_id, status, last_activity_at, id);

  alter table projects enable row level security;
  alter table project_members enable row level security;
  alter table servers enable row level security;
  alter table eval_suites enable row level security;
  alter table chat_sessions enable row level security;
  create policy tenant on projects using (may_see(organization_id));
  create policy tenant on project_members using (may_see(organization_id));
  create policy tenant on servers using (may_see(organization_id));
  create policy tenant on eval_suites using (may_see(organization_id));
  create policy tenant on chat_sessions using (may_see(organization_id));
`;
