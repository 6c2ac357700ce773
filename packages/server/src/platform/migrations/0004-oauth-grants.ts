/**
 * OAuth tokens that were imported for a server. What was found at the import is kept in clear and bound to the
 * sealed tokens: changed by hand, the row no longer opens.
 */
export const oauthGrants = /* sql */ `
  alter table servers add unique (organization_id, project_id, id);

  create table oauth_grants (
    server_id text primary key,
    organization_id text not null,
    project_id text not null,
    -- Another with every import, and the same through every renewal.
    import_id text not null,
    -- Of the server the tokens were imported for; they are sent nowhere else.
    origin text not null,
    -- The issuer of the import, the only place where the refresh token and the client secret are sent.
    issuer text,
    token_endpoint text,
    client_authentication text
      check (client_authentication in ('none', 'client_secret_basic', 'client_secret_post')),
    client_id text,
    resource text,
    scope text,
    sealed_tokens bytea not null,
    obtained_at timestamptz(3) not null default now(),
    expires_at timestamptz(3),
    -- Grows with every renewal.
    revision integer not null default 1,
    state text not null default 'active' check (state in ('active', 'over')),
    -- Who renews now, and until when nobody else does.
    refreshing_by text,
    refreshing_until timestamptz(3),
    -- Renewals that failed one after the other, and when the next may be tried.
    failures integer not null default 0,
    refresh_again_at timestamptz(3),
    foreign key (organization_id, project_id, server_id)
      references servers (organization_id, project_id, id) on delete cascade
  );

  alter table oauth_grants enable row level security;
  create policy tenant on oauth_grants using (may_see(organization_id));
`;
