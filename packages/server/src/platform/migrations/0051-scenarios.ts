/** Environments that people were given a link to, who was invited to which, and who got in. */
export const scenarios = /* sql */ `
  create table scenarios (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    environment_id text not null,
    name text not null,
    description text,
    mode text not null check (mode in ('project_members', 'invited_only', 'anyone_with_link')),
    -- Grows whenever somebody who was let in may no longer be.
    access_version integer not null default 1,
    -- Of the link: what it is found by, and what shows it again.
    token_hash bytea not null unique,
    sealed_token bytea not null,
    feedback text not null default 'off' check (feedback in ('off', 'stars', 'thumbs')),
    welcome text,
    -- JSON: what visitors without an account may spend. Null where nobody has said so.
    guest_execution text,
    created_by text references accounts,
    created_at timestamptz(3) not null default clock_timestamp(),
    updated_at timestamptz(3) not null default clock_timestamp(),
    unpublished_at timestamptz(3),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create unique index scenarios_environment on scenarios (environment_id) where unpublished_at is null;
  create index scenarios_order on scenarios (project_id, created_at, id);

  create trigger sealed_token_key before insert or update of sealed_token on scenarios
    for each row execute function refuse_old_key('sealed_token');

  create table scenario_members (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    scenario_id text not null,
    -- Empty once they are removed.
    email text not null check (email = lower(email) and (email = '') = (revoked_at is not null)),
    role text not null default 'chat' check (role = 'chat'),
    -- Who proved the address: an account that signed in with it, or the browser that opened the one-time link.
    account_id text references accounts,
    visitor_id text,
    invited_by text references accounts,
    invited_at timestamptz(3) not null default clock_timestamp(),
    accepted_at timestamptz(3),
    revoked_at timestamptz(3),
    -- Of the one-time link; null once it was used.
    invite_hash bytea unique,
    invite_expires_at timestamptz(3),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, scenario_id) references scenarios (organization_id, id) on delete cascade
  );
  create unique index scenario_members_email on scenario_members (scenario_id, email) where revoked_at is null;
  create index scenario_members_scenario on scenario_members (scenario_id, invited_at, id);
  create index scenario_members_project on scenario_members (project_id);

  create table scenario_grants (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    scenario_id text not null,
    visitor_id text,
    account_id text references accounts,
    -- The invitation by which they got in, where it was one.
    member_id text,
    granted_at timestamptz(3) not null default clock_timestamp(),
    revoked_at timestamptz(3),
    consent_version text,
    consented_at timestamptz(3),
    check (num_nonnulls(visitor_id, account_id) = 1),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, scenario_id) references scenarios (organization_id, id) on delete cascade,
    foreign key (organization_id, member_id) references scenario_members (organization_id, id) on delete cascade
  );
  create unique index scenario_grants_visitor on scenario_grants (scenario_id, visitor_id) where revoked_at is null;
  create unique index scenario_grants_account on scenario_grants (scenario_id, account_id) where revoked_at is null;
  create index scenario_grants_scenario on scenario_grants (scenario_id);
  create index scenario_grants_project on scenario_grants (project_id);
  create index scenario_grants_member on scenario_grants (member_id);

  alter table scenarios enable row level security;
  alter table scenario_members enable row level security;
  alter table scenario_grants enable row level security;
  create policy tenant on scenarios using (may_see(organization_id));
  create policy tenant on scenario_members using (may_see(organization_id));
  create policy tenant on scenario_grants using (may_see(organization_id));

  -- A visitor is of no organization: it is found by the link, or by the scenario that the link led to.
  create function organization_of_scenario_link(token bytea) returns text
    language sql stable security definer
    begin atomic
      select organization_id from scenarios where token_hash = token and unpublished_at is null;
    end;
  create function organization_of_scenario(scenario text) returns text
    language sql stable security definer
    begin atomic
      select organization_id from scenarios where id = scenario;
    end;
`;
