/**
 * The plan of a run, its pinned servers and model providers, and the caller's model keys. The keys
 * are sealed, and deleted when the run ends.
 */
import { isRecord, type RunPlan, type SavedProvider } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { type Document, readRecord } from '../../../platform/database/read-document.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { type PinnedServer, sealPinned } from '../../servers/index.ts';
import { modelKeysField, pinnedProvidersField } from './sealed-fields.ts';

export type ModelKeys = Readonly<Record<string, string>>;

export async function insertRunPlan(
  sql: Sql,
  vault: Vault,
  run: { readonly id: string; readonly organizationId: string },
  plan: RunPlan,
  keys: ModelKeys,
  pinned: {
    readonly servers: readonly PinnedServer[];
    readonly providers: readonly SavedProvider[];
  },
): Promise<void> {
  const sealed =
    Object.keys(keys).length === 0 ? null : vault.seal(JSON.stringify(keys), modelKeysField(run));
  await sql`
    insert into eval_run_plans (run_id, organization_id, plan, sealed_keys, sealed_servers, sealed_providers)
    values (${run.id}, ${run.organizationId}, ${JSON.stringify(plan)}, ${sealed},
      ${sealPinned(vault, run, pinned.servers)},
      ${vault.seal(JSON.stringify(pinned.providers), pinnedProvidersField(run))})`;
}

/** Returns undefined if the run has no plan, or an unreadable one. */
export async function findRunPlan(sql: Sql, runId: string): Promise<RunPlan | undefined> {
  const [row] = await sql<{ plan: string }[]>`
    select plan from eval_run_plans where run_id = ${runId}`;
  const plan = row && readRecord(row.plan);
  return plan !== undefined && isPlan(plan) ? plan : undefined;
}

/** Checks the plan only as far as needed so that iterating over it cannot fail. */
function isPlan(plan: Document): plan is Document & RunPlan {
  const { cases, servers, client, skills, limits } = plan;
  return (
    Array.isArray(cases) &&
    cases.every(isPlannedCase) &&
    [servers, skills].every((list) => Array.isArray(list) && list.every(isRecord)) &&
    isRecord(client) &&
    isRecord(client['config']) &&
    isRecord(limits)
  );
}

function isPlannedCase(one: unknown): boolean {
  return (
    isRecord(one) &&
    [one['caseId'], one['caseKey'], one['title']].every((name) => typeof name === 'string') &&
    [one['steps'], one['assertions'], one['variants']].every(
      (list) => Array.isArray(list) && list.every(isRecord),
    )
  );
}

export async function openModelKeys(
  sql: Sql,
  vault: Vault,
  run: { readonly id: string; readonly organizationId: string },
): Promise<ModelKeys> {
  const [row] = await sql<{ sealedKeys: Buffer | null }[]>`
    select sealed_keys from eval_run_plans where run_id = ${run.id}`;
  const sealed = row?.sealedKeys ?? null;
  return sealed === null ? {} : JSON.parse(vault.open(sealed, modelKeysField(run)));
}

/**
 * Returns undefined for old and ended runs, which have no pinned providers; the current providers
 * are then used.
 */
export async function openPinnedProviders(
  sql: Sql,
  vault: Vault,
  run: { readonly id: string; readonly organizationId: string },
): Promise<readonly SavedProvider[] | undefined> {
  const [row] = await sql<{ sealedProviders: Buffer | null }[]>`
    select sealed_providers from eval_run_plans where run_id = ${run.id}`;
  const sealed = row?.sealedProviders ?? null;
  return sealed === null ? undefined : JSON.parse(vault.open(sealed, pinnedProvidersField(run)));
}

export async function dropModelKeys(sql: Sql, runId: string): Promise<void> {
  await sql`
    update eval_run_plans set sealed_keys = null, sealed_providers = null
    where run_id = ${runId} and (sealed_keys is not null or sealed_providers is not null)`;
}

/**
 * Deletes the pinned servers of an ended run, unless cleanup calls after its trials are still
 * pending.
 */
export async function dropPinnedServers(sql: Sql, runId: string): Promise<void> {
  await sql`
    update eval_run_plans set sealed_servers = null
    where run_id = ${runId} and not exists (select from owed_teardowns where run_id = ${runId})`;
}
