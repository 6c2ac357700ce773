/**
 * An evaluation configuration defines how scores are computed. Trials with the same configuration
 * share one stored text, which is kept as long as a run references it.
 */
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import { columnsOfRows } from '../../../platform/database/columns-of-rows.ts';
import type { Database, Fragment, Sql } from '../../../platform/database/database.ts';
import { inEveryOrganization } from '../../../platform/database/in-every-organization.ts';

/** Hashes exactly the text that is stored. */
export function hashOfConfig(config: object): string {
  return sha256Hex(JSON.stringify(config));
}

const columnsOfConfigs = columnsOfRows<readonly [hash: string, config: object]>([
  { name: 'hash', type: 'text', of: ([hash]) => hash },
  { name: 'config', type: 'text', of: ([, config]) => config },
]);

/**
 * Registers a run's configurations before its trials reference them. An existing text is locked in
 * shared mode, so that housekeeping does not delete it; a new text is inserted. The hashes are
 * processed in sorted order, so that two runs cannot deadlock.
 */
export async function nameConfigs(
  sql: Sql,
  run: { readonly id: string; readonly organizationId: string },
  configs: ReadonlyMap<string, object>,
): Promise<void> {
  if (configs.size === 0) return;
  await sql`
    with told as materialized (select * from ${columnsOfConfigs.of([...configs])} configs),
    held as materialized (
      select hash from evaluation_configs
      where organization_id = ${run.organizationId} and hash in (select hash from told)
      for key share),
    written as (
      insert into evaluation_configs (organization_id, hash, config)
      select ${run.organizationId}, hash, config from told where hash not in (select hash from held) order by hash
      on conflict (organization_id, hash) do update set config = excluded.config)
    insert into run_evaluation_configs (organization_id, run_id, hash)
    select ${run.organizationId}, ${run.id}, hash from told
    on conflict (run_id, hash) do nothing`;
}

export function configColumn(sql: Sql, trials = 'eval_iterations'): Fragment {
  return sql`(
    select config from evaluation_configs
    where evaluation_configs.organization_id = ${sql(trials)}.organization_id
      and evaluation_configs.hash = ${sql(trials)}.config_hash) as evaluation_config`;
}

/** Returns the evaluation configurations of all trials of the run, by hash. */
export async function listConfigs(sql: Sql, runId: string): Promise<Map<string, string>> {
  const rows = await sql<{ hash: string; config: string }[]>`
    select hash, config
    from run_evaluation_configs join evaluation_configs using (organization_id, hash)
    where run_id = ${runId}`;
  return new Map(rows.map(({ hash, config }) => [hash, config]));
}

interface UnnamedConfig {
  readonly organizationId: string;
  readonly hash: string;
}

const columnsOfUnnamed = columnsOfRows<UnnamedConfig>([
  { name: 'organization_id', type: 'text', of: (row) => row.organizationId },
  { name: 'hash', type: 'text', of: (row) => row.hash },
]);

/**
 * Deletes configurations that no run references. A run that is about to reference a configuration
 * locks it, so locked ones are skipped. The references are checked again after locking, because a
 * run may have added one since the first check.
 */
export function deleteUnnamedConfigs(database: Database): Promise<number> {
  return inEveryOrganization(database, async (sql) => {
    const unnamed = sql`not exists (
      select from run_evaluation_configs
      where run_evaluation_configs.organization_id = evaluation_configs.organization_id
        and run_evaluation_configs.hash = evaluation_configs.hash)`;
    const locked = await sql<UnnamedConfig[]>`
      select organization_id, hash from evaluation_configs where ${unnamed} for update skip locked`;
    return sql`
      delete from evaluation_configs using ${columnsOfUnnamed.of(locked)} locked
      where evaluation_configs.organization_id = locked.organization_id
        and evaluation_configs.hash = locked.hash and ${unnamed}`;
  });
}
