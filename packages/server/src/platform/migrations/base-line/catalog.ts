import { closedByRow } from './closed-to-others.ts';

export const catalog = /* sql */ `
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
    sealed_scorer_secret bytea,
    scorer_secret_made_at timestamptz(3),
    unique (organization_id, id),
    check ((sealed_scorer_secret is null) = (scorer_secret_made_at is null))
  );
  create unique index projects_name on projects (organization_id, lower(name));
  create unique index projects_default on projects (organization_id) where is_default;
  create index projects_order on projects (organization_id, created_at, id);
  create trigger sealed_scorer_secret_key before insert or update of sealed_scorer_secret on projects
    for each row when (new.sealed_scorer_secret is not null) execute function refuse_old_key('sealed_scorer_secret');

  create table project_members (
    organization_id text not null,
    project_id text not null,
    account_id text not null,
    tier text not null check (tier in ('member', 'manage', 'admin')),
    primary key (project_id, account_id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, account_id) references memberships on delete cascade
  );

  -- These two see all tenants, so they take the organizations of the caller. Every request begins with them: one
  -- statement in place of a transaction.
  create function project_standing(organizations text[], account text, project text)
    returns table (
      project_id text, project_organization_id text, project_visibility text,
      project_is_default boolean, organization_role text, granted_tier text, has_quotas boolean
    )
    language sql stable security definer
    begin atomic
      select projects.id, projects.organization_id, projects.visibility, projects.is_default,
        memberships.role, project_members.tier,
        exists (select from organization_quotas where organization_id = projects.organization_id)
      from projects
      join memberships on memberships.organization_id = projects.organization_id
        and memberships.account_id = account
      left join project_members on project_members.project_id = projects.id
        and project_members.account_id = account
      where projects.organization_id = any (organizations) and projects.id = project;
    end;

  create function default_project(organizations text[]) returns text
    language sql stable security definer
    begin atomic
      select id from projects
      where cardinality(organizations) = 1 and organization_id = organizations[1] and is_default;
    end;

  create table servers (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    enabled boolean not null,
    transport_type text not null check (transport_type in ('http', 'stdio')),
    url text,
    -- The addresses as they are read; url is only of a server that is not sealed yet.
    sealed_addresses bytea,
    timeout_ms integer,
    -- Null for the default.
    max_message_mib integer check (max_message_mib between 1 and 32),
    client_capabilities jsonb,
    use_oauth boolean not null default false,
    oauth_scopes text[] not null default '{}',
    oauth_resource_url text,
    client_id text,
    sealed_client_secret bytea,
    header_names text[] not null default '{}',
    sealed_headers bytea,
    health_status text check (health_status in ('ready', 'oauth_required', 'partial', 'error')),
    health_failed_check text,
    health_checked_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    unique (organization_id, project_id, id),
    check (transport_type = 'stdio' or url is not null or sealed_addresses is not null),
    check ((health_status is null) = (health_checked_at is null))
  );
  create unique index servers_name on servers (project_id, lower(name));
  create index servers_order on servers (project_id, created_at, id);
  create trigger sealed_addresses_key before insert or update of sealed_addresses on servers
    for each row when (new.sealed_addresses is not null) execute function refuse_old_key('sealed_addresses');
  create trigger sealed_headers_key before insert or update of sealed_headers on servers
    for each row when (new.sealed_headers is not null) execute function refuse_old_key('sealed_headers');
  create trigger sealed_client_secret_key before insert or update of sealed_client_secret on servers
    for each row when (new.sealed_client_secret is not null) execute function refuse_old_key('sealed_client_secret');

  create table oauth_grants (
    server_id text primary key,
    organization_id text not null,
    project_id text not null,
    -- New with every import, and the same through every renewal.
    import_id text not null,
    -- Of the server the tokens were imported for; they are sent nowhere else.
    origin text not null,
    -- The issuer of the import, the only place where the refresh token and the client secret are sent.
    issuer text,
    token_endpoint text,
    client_authentication text check (client_authentication in ('none', 'client_secret_basic', 'client_secret_post')),
    client_id text,
    resource text,
    scope text,
    sealed_tokens bytea not null,
    obtained_at timestamptz(3) not null default now(),
    expires_at timestamptz(3),
    -- Grows with every renewal.
    revision integer not null default 1,
    state text not null default 'active' check (state in ('active', 'over')),
    -- The process that renews now, and until when no other does.
    refreshing_by text,
    refreshing_until timestamptz(3),
    -- Renewals that failed in a row, and when the next may be tried.
    failures integer not null default 0,
    refresh_again_at timestamptz(3),
    foreign key (organization_id, project_id, server_id)
      references servers (organization_id, project_id, id) on delete cascade
  );
  create trigger sealed_tokens_key before insert or update of sealed_tokens on oauth_grants
    for each row when (new.sealed_tokens is not null) execute function refuse_old_key('sealed_tokens');

  create table listed_tools (
    organization_id text not null,
    server_id text primary key references servers on delete cascade,
    -- Their names, as a JSON list.
    tools text not null,
    -- Whether a trial listed them: it declares more than diagnostics, and some servers then list more tools.
    by_trial boolean not null,
    listed_at timestamptz(3) not null default now()
  );

  create table server_attachments (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    comparable_name text not null,
    -- Servers may be deleted later; the group then still names them.
    server_ids text[] not null,
    created_at timestamptz(3) not null default now(),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create unique index server_attachments_name on server_attachments (project_id, comparable_name);
  create index server_attachments_order on server_attachments (project_id, created_at, id);
  create trigger refuse_update before update on server_attachments for each row execute function refuse_update();

  create table model_providers (
    id text primary key,
    organization_id text references organizations on delete cascade,
    name text not null,
    kind text not null check (kind in ('openai', 'anthropic', 'google', 'openrouter', 'ollama', 'openai-compatible')),
    -- Address and key.
    sealed_access bytea not null,
    models text not null,
    requests_at_once integer,
    -- Grows with every change.
    revision integer not null default 1,
    updated_at timestamptz(3) not null default now(),
    unique nulls not distinct (organization_id, name)
  );
  -- Those without an organization are the operator's: every organization may use them, and the service cannot write
  -- them.
  create policy of_operator on model_providers for select using (organization_id is null);
  create trigger sealed_access_key before insert or update of sealed_access on model_providers
    for each row execute function refuse_old_key('sealed_access');

  create table idempotent_answers (
    organization_id text not null references organizations on delete cascade,
    operation text not null,
    key text not null,
    request_hash text not null,
    answer text not null,
    created_at timestamptz(3) not null default now(),
    primary key (organization_id, operation, key)
  );

  create table artifacts (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    format text,
    content_type text,
    size_bytes integer,
    content bytea,
    expires_at timestamptz(3) not null,
    uploaded_at timestamptz(3),
    created_by text references accounts on delete set null,
    created_at timestamptz(3) not null default now(),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index artifacts_expiry on artifacts (expires_at);
  -- Deleting a project looks in these too.
  create index artifacts_project on artifacts (organization_id, project_id);

  ${closedByRow([
    'projects',
    'project_members',
    'servers',
    'oauth_grants',
    'listed_tools',
    'server_attachments',
    'model_providers',
    'idempotent_answers',
    'artifacts',
  ])}
`;
