/**
 * Model providers that can be changed while the service runs. Those without an organization are the operator's: every
 * organization may use them, and the service cannot write them. A run keeps those it was launched with.
 */
export const modelProviders = /* sql */ `
  create table model_providers (
    id text primary key,
    organization_id text references organizations on delete cascade,
    name text not null,
    kind text not null
      check (kind in ('openai', 'anthropic', 'google', 'openrouter', 'ollama', 'openai-compatible')),
    -- Address and key.
    sealed_access bytea not null,
    models text not null,
    requests_at_once integer,
    -- Grows with every change.
    revision integer not null default 1,
    updated_at timestamptz(3) not null default now(),
    unique nulls not distinct (organization_id, name)
  );

  alter table model_providers enable row level security;
  create policy tenant on model_providers using (may_see(organization_id));
  create policy of_operator on model_providers for select using (organization_id is null);

  alter table eval_run_plans
    -- Of the providers above those that its models are of; gone with the caller's keys. Null in runs from before.
    add column sealed_providers bytea;

  create trigger sealed_access_key before insert or update of sealed_access on model_providers
    for each row execute function refuse_old_key('sealed_access');
  create trigger sealed_providers_key before insert or update of sealed_providers on eval_run_plans
    for each row when (new.sealed_providers is not null) execute function refuse_old_key('sealed_providers');
`;
