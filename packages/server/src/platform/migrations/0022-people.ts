/**
 * People who leave, and keys that end. An account can be disabled; who did it matters, since an admin must not undo what
 * the operator did. `address_proven` tells accounts the operator made from those whose address only an invitation
 * named: the first proof of that address ends what was set up before it.
 */
export const people = /* sql */ `
  alter table accounts
    add column disabled_at timestamptz(3),
    add column disabled_by text check (disabled_by in ('operator', 'admin')),
    add column address_proven boolean not null default true,
    add constraint accounts_disabled check ((disabled_at is null) = (disabled_by is null));

  alter table api_keys
    add column scope text not null default 'full' check (scope in ('full', 'run-only', 'read-only')),
    add column expires_at timestamptz(3),
    add column last_used_at timestamptz(3);
  create index api_keys_organization on api_keys (organization_id, account_id);

  -- One per address and organization: inviting again replaces it. Nobody invited it where the operator did.
  create table invitations (
    id text primary key,
    token_hash bytea not null unique,
    organization_id text not null references organizations on delete cascade,
    email text not null check (email = lower(email)),
    role text not null check (role in ('owner', 'admin', 'member')),
    invited_by text references accounts on delete cascade,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    unique (organization_id, email)
  );
  create index invitations_invited_by on invitations (invited_by);
  alter table invitations enable row level security;
  create policy tenant on invitations using (may_see(organization_id));

  -- Whoever holds the link is not of the organization yet.
  create function organization_of_invitation(token bytea) returns text
    language sql stable security definer
    begin atomic
      select organization_id from invitations where token_hash = token;
    end;
`;
