/**
 * Changing the secret key while the service runs. From the begin of a change on the database takes no value that was
 * sealed with the old key, so that none is left behind by a process that has not heard of it.
 */
export const keyChanges = /* sql */ `
  alter table installation
    -- The id of the key that values must be sealed with; null before the key was first changed.
    add column sealing_key_id bytea,
    -- What was derived from the first key and outlives it; null before the key was first changed.
    add column sealed_lasting bytea;

  -- A row while a change is under way. Each key is sealed with the other.
  create table key_changes (
    singleton boolean primary key default true check (singleton),
    old_fingerprint text not null,
    new_fingerprint text not null,
    sealed_new_key bytea not null,
    sealed_old_key bytea not null,
    started_at timestamptz(3) not null default now()
  );

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

${[
  ['servers', 'sealed_addresses'],
  ['servers', 'sealed_headers'],
  ['servers', 'sealed_client_secret'],
  ['oauth_grants', 'sealed_tokens'],
  ['eval_run_plans', 'sealed_keys'],
  ['eval_run_plans', 'sealed_servers'],
]
  .map(
    ([table, column]) => /* sql */ `
  create trigger ${column}_key before insert or update of ${column} on ${table}
    for each row when (new.${column} is not null) execute function refuse_old_key('${column}');`,
  )
  .join('')}
`;
