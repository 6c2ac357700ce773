/**
 * The configuration that the scores of a trial were made by, about 1 KB, is the same for all trials of a case, so its text
 * is kept once in an organization and a trial names it by a hash. Which runs name which texts is kept as it is for texts of
 * tools, so that a text goes when the last run that names it has gone.
 *
 * All trials are read twice and then written anew in one go, with their indexes. That leaves no dead rows behind; meanwhile
 * it needs as much free room as the table takes, and nobody else reaches the table. 200,000 trials of 2 KB took 4 s on two
 * cores.
 */
export const evaluationConfigs = /* sql */ `
  create table evaluation_configs (
    organization_id text not null references organizations on delete cascade,
    -- SHA-256 of the text. The hash inside it was made by whoever made the configuration.
    hash text not null,
    config text not null,
    primary key (organization_id, hash)
  );
  create table run_evaluation_configs (
    organization_id text not null,
    run_id text not null,
    hash text not null,
    primary key (run_id, hash),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index run_evaluation_configs_hash on run_evaluation_configs (organization_id, hash);

  alter table evaluation_configs enable row level security;
  alter table run_evaluation_configs enable row level security;
  create policy tenant on evaluation_configs
    using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on run_evaluation_configs
    using (organization_id = any ((select visible_organizations())::text[]));

  insert into evaluation_configs (organization_id, hash, config)
    select organization_id, encode(sha256(convert_to(evaluation_config, 'UTF8')), 'hex'), evaluation_config
    from (
      select distinct organization_id, evaluation_config from eval_iterations
      where evaluation_config is not null) kept;
  insert into run_evaluation_configs (organization_id, run_id, hash)
    select organization_id, run_id, encode(sha256(convert_to(evaluation_config, 'UTF8')), 'hex')
    from (
      select distinct organization_id, run_id, evaluation_config from eval_iterations
      where evaluation_config is not null) named;

  alter table eval_iterations alter column evaluation_config type text
    using encode(sha256(convert_to(evaluation_config, 'UTF8')), 'hex');
  alter table eval_iterations rename column evaluation_config to config_hash;
`;
