import { closedByStatement } from './closed-to-others.ts';

/**
 * Mutations of suites, and the outcome of each part. A part is one mutant, or a case variant
 * without a mutant. It is written as a whole, with the evidence that later parts need; the evidence
 * is deleted when the mutation ends.
 */
export const mutations = /* sql */ `
  create table suite_mutations (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    suite_id text not null,
    status text not null default 'pending'
      check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
    -- JSON: the request, and what it may cost.
    request text not null,
    estimate text not null,
    -- JSON: all that its trials need, fixed at the request.
    plan text not null,
    -- As they were then; deleted at the end.
    sealed_servers bytea,
    sealed_providers bytea,
    -- Known after the base was played.
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

  -- Leased work does not refer to mutations, so a mutation deletes its own.
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
    -- JSON: the outcome, and the evidence of later parts.
    outcome text not null,
    evidence text,
    primary key (mutation_id, kind, number),
    foreign key (organization_id, mutation_id) references suite_mutations (organization_id, id) on delete cascade
  );
  create index mutation_parts_mutation on mutation_parts (organization_id, mutation_id);

  ${closedByStatement(['suite_mutations', 'mutation_parts'])}
`;
