import { closedByStatement } from './closed-to-others.ts';

/** */
export const mutations = /* sql */ `
  create table suite_mutations (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    suite_id text not null,
    status text not null default 'pending'
      check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
    -- JSON: what was asked for, and what it may come to.
    request text not null,
    estimate text not null,
    -- JSON: all that its trials need, fixed when it was asked for.
    plan text not null,
    -- As they were then; gone when it has ended.
    sealed_servers bytea,
    sealed_providers bytea,
    -- Known when the base was played.
    mutant_count integer,
    error text,
    requested_by text,
    created_at timestamptz(3) not null default clock_timestamp(),
    completed_at timestamptz(3),
    unique (organization_id, id),
    foreign key (organization_id, suite_id) references eval_suites (organization_id, id) on delete cascade
  );
  create index suite_mutations_suite on suite_mutations (organization_id, suite_id);
  create index suite_mutations_newest on suite_mutations (suite_id, created_at, id);
  create unique index suite_mutations_one_open on suite_mutations (suite_id) where status in ('pending', 'running');
  create index suite_mutations_open on suite_mutations (organization_id) where status in ('pending', 'running');

  -- Leased work does not know mutations, so one takes along what is about it.
  create function forget_work_of_mutation() returns trigger
    language plpgsql security definer set search_path = pg_catalog as $$
  begin
    delete from proofmark.work_groups where id = old.id and kind = 'suite-mutations';
    return null;
  end $$;
  create trigger sealed_servers_key before insert or update of sealed_servers on suite_mutations
    for each row when (new.sealed_servers is not null) execute function refuse_old_key('sealed_servers');
  create trigger sealed_providers_key before insert or update of sealed_providers on suite_mutations
    for each row when (new.sealed_providers is not null) execute function refuse_old_key('sealed_providers');
  create trigger forget_work after delete on suite_mutations for each row execute function forget_work_of_mutation();

  create table mutation_parts (
    mutation_id text not null,
    organization_id text not null,
    kind text not null check (kind in ('base', 'mutant')),
    number integer not null,
    -- JSON: what it came to, and what was seen.
    outcome text not null,
    evidence text,
    primary key (mutation_id, kind, number),
    foreign key (organization_id, mutation_id) references suite_mutations (organization_id, id) on delete cascade
  );
  create index mutation_parts_mutation on mutation_parts (organization_id, mutation_id);

  ${closedByStatement(['suite_mutations', 'mutation_parts'])}
`;
