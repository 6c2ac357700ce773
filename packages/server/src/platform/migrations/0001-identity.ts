/** People, organizations, sessions, keys and request limits: what belongs to no single tenant. */
export const identity = /* sql */ `
  create table installation (
    singleton boolean primary key default true check (singleton),
    key_fingerprint text not null,
    created_at timestamptz(3) not null default now()
  );

  create table accounts (
    id text primary key,
    email text not null check (email = lower(email)),
    name text not null,
    password_hash text,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
  );
  create unique index accounts_email on accounts (email);

  -- The names by which an outside issuer knows an account.
  create table account_identities (
    issuer text not null,
    subject text not null,
    account_id text not null references accounts on delete cascade,
    created_at timestamptz(3) not null default now(),
    primary key (issuer, subject)
  );

  create table sessions (
    token_hash bytea primary key,
    account_id text not null references accounts on delete cascade,
    address text,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null
  );
  create index sessions_account on sessions (account_id);
  create index sessions_expiry on sessions (expires_at);

  create table sign_in_links (
    token_hash bytea primary key,
    account_id text not null references accounts on delete cascade,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null
  );

  create table organizations (
    id text primary key,
    name text not null,
    created_by text references accounts on delete set null,
    swarms boolean not null default false,
    user_testing boolean not null default false,
    created_at timestamptz(3) not null default now()
  );

  create table memberships (
    organization_id text not null references organizations on delete cascade,
    account_id text not null references accounts on delete cascade,
    role text not null check (role in ('owner', 'admin', 'member')),
    created_at timestamptz(3) not null default now(),
    primary key (organization_id, account_id)
  );
  create index memberships_account on memberships (account_id);

  -- A key outlives its organization as an orphan, so that its holder is told what happened.
  create table api_keys (
    id text primary key,
    hash bytea not null unique,
    start text not null,
    name text not null,
    account_id text not null references accounts on delete cascade,
    organization_id text references organizations on delete set null,
    created_at timestamptz(3) not null default now(),
    revoked_at timestamptz(3)
  );
  create index api_keys_account on api_keys (account_id, created_at, id);

  -- Not logged: a bucket is worth no disk write, and after a crash it may start full.
  create unlogged table rate_limits (
    bucket text primary key,
    full_at timestamptz not null,
    allowed boolean not null
  ) with (fillfactor = 50);
`;
