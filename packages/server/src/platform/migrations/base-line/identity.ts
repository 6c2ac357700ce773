import { closedByRow } from './closed-to-others.ts';

/**
 * The tables that every request needs first: the installation, people, organizations, keys and the
 * audit log. Some of them have no organization, because the service reads them before it knows the
 * organizations of the caller.
 */
export const identity = /* sql */ `
  -- The organizations that a session of the service may see, as its transaction set them.
  create function visible_organizations() returns text[]
    language sql stable parallel safe
    return string_to_array(current_setting('proofmark.organization_ids', true), ',');

  create function may_see(organization_id text) returns boolean
    language sql stable parallel safe
    return organization_id = any (
      string_to_array(current_setting('proofmark.organization_ids', true), ',')
    );

  -- A stored document, or nothing where it is no JSON: one that is broken must not break a sum over all of them.
  -- Since it catches what goes wrong, parallel workers must not run it: they fail at that before PostgreSQL 18.
  create function document_of(stored text) returns json language plpgsql immutable strict parallel unsafe as $$
  begin
    return stored::json;
  exception when others then
    return null;
  end $$;

  create function refuse_update() returns trigger language plpgsql as $$
  begin
    raise exception 'A row of % never changes.', tg_table_name;
  end $$;

  create table installation (
    singleton boolean primary key default true check (singleton),
    key_fingerprint text not null,
    -- Of the key that values must be sealed with; null until the key is first changed.
    sealing_key_id bytea,
    -- Derived from the first key, outliving it; null until the key is first changed.
    sealed_lasting_secrets bytea,
    -- Changes with a restore, so that nothing promised about the data before it counts afterwards.
    epoch text not null default gen_random_uuid()::text,
    -- Whether the service is for one person on its machine: workers cannot see where it listens. Null is no.
    for_one_person boolean,
    -- JSON: the sample made on the first start, kept when it is deleted; null before.
    sample text,
    created_at timestamptz(3) not null default now()
  );

  -- Empty until an installation has begun, as it is in a database that was only migrated.
  create function current_epoch() returns text language sql stable
    begin atomic
      select coalesce((select epoch from installation), '');
    end;

  -- The row is held until the end of the transaction: a change begins when nobody is about to write an old value.
  create function refuse_old_key() returns trigger
    language plpgsql security definer set search_path = pg_catalog as $$
  declare
    wanted bytea;
    sealed bytea;
  begin
    select sealing_key_id into wanted from proofmark.installation for share;
    if wanted is null then return new; end if;
    execute format('select ($1).%I', tg_argv[0]) into sealed using new;
    if substr(sealed, 2, 4) = wanted then return new; end if;
    raise exception 'The value is sealed with a key from before.' using errcode = 'PMK01';
  end $$;

  -- One row while the secret key is being changed. Each key is sealed with the other.
  create table key_changes (
    singleton boolean primary key default true check (singleton),
    old_fingerprint text not null,
    new_fingerprint text not null,
    sealed_new_key bytea not null,
    sealed_old_key bytea not null,
    started_at timestamptz(3) not null default now()
  );

  -- API keys revoked before a restore, also those that the restored data does not have.
  create table keys_revoked_before_restore (
    hash bytea primary key
  );

  create table accounts (
    id text primary key,
    email text not null check (email = lower(email)),
    name text not null,
    password_hash text,
    -- False for an address that only an invitation named: its first proof ends what was set up before.
    address_proven boolean not null default true,
    disabled_at timestamptz(3),
    -- An admin must not undo what the operator did.
    disabled_by text check (disabled_by in ('operator', 'admin')),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    constraint accounts_disabled check ((disabled_at is null) = (disabled_by is null))
  );
  create unique index accounts_email on accounts (email);

  -- The names of an account at outside issuers.
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

  -- One per address and organization: another invitation replaces it. The operator's have no invited_by.
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

  -- For somebody who holds the link and is not a member yet.
  create function organization_of_invitation(token bytea) returns text
    language sql stable security definer
    begin atomic
      select organization_id from invitations where token_hash = token;
    end;

  -- A key outlives its organization as an orphan, so that its holder gets a precise error.
  create table api_keys (
    id text primary key,
    hash bytea not null unique,
    start text not null,
    name text not null,
    account_id text not null references accounts on delete cascade,
    organization_id text references organizations on delete set null,
    scope text not null default 'full' check (scope in ('full', 'run-only', 'read-only')),
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    revoked_at timestamptz(3)
  );
  create index api_keys_account on api_keys (account_id, created_at, id);
  create index api_keys_organization on api_keys (organization_id, account_id);

  -- Not logged: a bucket is worth no disk write, and after a crash it may start full.
  create unlogged table rate_limits (
    bucket text primary key,
    full_at timestamptz not null,
    passed integer not null default 0
  ) with (fillfactor = 50);

  -- A line outlives its subject and its organization, and is never changed or deleted, not even by the owner of the
  -- tables.
  create table audit_log (
    id bigint generated always as identity primary key,
    organization_id text,
    project_id text,
    at timestamptz(3) not null default now(),
    account_id text,
    account_email text not null,
    caller_kind text not null check (caller_kind in ('key', 'session', 'operator', 'service', 'visitor')),
    action text not null,
    subject_id text not null,
    details text
  );
  create index audit_log_order on audit_log (organization_id, id);
  create policy tenant_reads on audit_log for select
    using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant_adds on audit_log for insert with check (organization_id is null or may_see(organization_id));

  create function keep_audit_log() returns trigger language plpgsql as $$
  begin
    raise exception 'The audit log is only added to.';
  end $$;

  -- One line for every organization of the account, or one for the operator alone where it has none.
  create function audit_account(
    subject text, actor text, actor_email text, kind text, action text, details text
  ) returns void
    language sql security definer
    begin atomic
      insert into audit_log (organization_id, account_id, account_email, caller_kind, action, subject_id, details)
      select organization_id, actor, actor_email, kind, action, subject, details
      from memberships where account_id = subject
      union all
      select null, actor, actor_email, kind, action, subject, details
      where not exists (select from memberships where account_id = subject);
    end;
  create trigger keep_audit_log before update or delete on audit_log for each row execute function keep_audit_log();

  ${closedByRow(['invitations'])}
  alter table audit_log enable row level security;
`;
