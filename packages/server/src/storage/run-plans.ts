/** The plan of a run and the caller's model keys, which are sealed and live only as long as the run. */
import type { RunPlan } from '@proofmark/domain';
import type { Vault } from '../vault/vault.ts';
import type { Sql } from './database.ts';
import { type Document, isRecord, readRecord } from './read-document.ts';

export type ModelKeys = Readonly<Record<string, string>>;

export async function insertRunPlan(
  sql: Sql,
  vault: Vault,
  run: { readonly id: string; readonly organizationId: string },
  plan: RunPlan,
  keys: ModelKeys,
): Promise<void> {
  const sealed =
    Object.keys(keys).length === 0 ? null : vault.seal(JSON.stringify(keys), fieldOf(run));
  await sql`
    insert into eval_run_plans (run_id, organization_id, plan, sealed_keys)
    values (${run.id}, ${run.organizationId}, ${JSON.stringify(plan)}, ${sealed})`;
}

/** Nothing where there is none that can be read. */
export async function findRunPlan(sql: Sql, runId: string): Promise<RunPlan | undefined> {
  const [row] = await sql<{ plan: string }[]>`
    select plan from eval_run_plans where run_id = ${runId}`;
  const plan = row && readRecord(row.plan);
  return plan !== undefined && isPlan(plan) ? plan : undefined;
}

/** So far that whoever walks through it finds what it walks on. */
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
  return sealed === null ? {} : JSON.parse(vault.open(sealed, fieldOf(run)));
}

export async function dropModelKeys(sql: Sql, runId: string): Promise<void> {
  await sql`
    update eval_run_plans set sealed_keys = null where run_id = ${runId} and sealed_keys is not null`;
}

function fieldOf({ id, organizationId }: { readonly id: string; readonly organizationId: string }) {
  return { organizationId, rowId: id, field: 'modelApiKeys' };
}
