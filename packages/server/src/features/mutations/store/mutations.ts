/**
 * A mutation of a suite is played in parts. The result of a part is written only once, by the
 * worker that holds the lease.
 */
import {
  cutPage,
  type DecidedMutant,
  type MutationOperator,
  type NamedVariant,
  type Page,
  type PageRequest,
  type RunPlan,
  type SavedProvider,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecord } from '../../../platform/database/read-document.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import {
  addWork,
  closeWork,
  type HeldWork,
  holdWork,
} from '../../../platform/work/store/leased-work.ts';
import { pinnedProvidersField } from '../../evals/index.ts';
import { type PinnedServer, pinnedServersField, readPinned } from '../../servers/index.ts';

export const mutationsWork = 'suite-mutations';

export interface MutationRequest {
  readonly seed: number;
  readonly maxMutants: number;
  readonly operators: readonly MutationOperator[];
  readonly model: string;
  readonly servers: 'live' | 'recorded';
  readonly runId?: string;
}

export interface MutationEstimate {
  readonly mutants: number;
  readonly trials: number;
  readonly worstCaseCredits: number | null;
}

export type MutationStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface StoredMutation {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly suiteId: string;
  readonly status: MutationStatus;
  readonly request: MutationRequest;
  readonly estimate: MutationEstimate;
  /** Null before the mutants are planned. */
  readonly mutantCount: number | null;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** The result of a case variant that was played without any mutant. */
export interface BaseOutcome extends NamedVariant {
  /** The reason that the variant was left out; absent if it passed every time. */
  readonly leftOut?: string;
}

export interface NewMutation
  extends Pick<
    StoredMutation,
    'id' | 'organizationId' | 'projectId' | 'suiteId' | 'request' | 'estimate'
  > {
  readonly plan: RunPlan;
  readonly requestedBy: string | null;
}

export async function insertMutation(
  sql: Sql,
  vault: Vault,
  mutation: NewMutation,
  pinned: {
    readonly servers: readonly PinnedServer[];
    readonly providers: readonly SavedProvider[];
  },
): Promise<void> {
  const { id, organizationId, projectId, suiteId, request, estimate, plan } = mutation;
  await sql`
    insert into suite_mutations (id, organization_id, project_id, suite_id, request, estimate, plan,
      sealed_servers, sealed_providers, requested_by)
    values (${id}, ${organizationId}, ${projectId}, ${suiteId}, ${JSON.stringify(request)},
      ${JSON.stringify(estimate)}, ${JSON.stringify(plan)},
      ${vault.seal(JSON.stringify(pinned.servers), pinnedServersField(mutation))},
      ${vault.seal(JSON.stringify(pinned.providers), pinnedProvidersField(mutation))},
      ${mutation.requestedBy})`;
  const group = { kind: mutationsWork, id, organizationId, projectId, atOnce: 1 };
  await addWork(sql, group, [{ firstItem: 1, lastItem: 1 }]);
}

export async function findOpenMutation(sql: Sql, suiteId: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from suite_mutations where suite_id = ${suiteId} and status in ('pending', 'running')`;
  return row?.id;
}

export async function readMutation(
  sql: Sql,
  { suiteId, mutationId }: { readonly suiteId: string; readonly mutationId: string },
  lock: 'forUpdate' | 'read' = 'read',
): Promise<StoredMutation | undefined> {
  const [row] = await sql<MutationRow[]>`
    ${selected(sql)} where id = ${mutationId} and suite_id = ${suiteId}
    ${lock === 'read' ? sql`` : sql`for update`}`;
  return row && mutationOfRow(row);
}

export async function listMutations(
  sql: Sql,
  suiteId: string,
  { after, limit }: PageRequest,
): Promise<Page<StoredMutation>> {
  const rows = await sql<MutationRow[]>`
    ${selected(sql)} where suite_id = ${suiteId}
      ${after ? sql`and (created_at, id) < (${new Date(after.order)}, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit + 1}`;
  return cutPage(rows.map(mutationOfRow), limit, ({ id, createdAt }) => ({
    order: createdAt.getTime(),
    id,
  }));
}

interface MutationRow extends Omit<StoredMutation, 'request' | 'estimate'> {
  readonly request: string;
  readonly estimate: string;
}

function selected(sql: Sql) {
  return sql`
    select id, organization_id, project_id, suite_id, status, request, estimate, mutant_count, error, created_at,
      completed_at
    from suite_mutations`;
}

function mutationOfRow({ request, estimate, ...row }: MutationRow): StoredMutation {
  return {
    ...row,
    request: { ...noRequest, ...readRecord(request) },
    estimate: { mutants: 0, trials: 0, worstCaseCredits: null, ...readRecord(estimate) },
  };
}

const noRequest: MutationRequest = {
  seed: 1,
  maxMutants: 0,
  operators: [],
  model: '',
  servers: 'live',
};

/** Lists the completed mutants of these mutations, in planned order. */
export async function listDecidedMutants(
  sql: Sql,
  mutationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly DecidedMutant[]>> {
  const rows = await sql<{ mutationId: string; outcome: string }[]>`
    select mutation_id, outcome from mutation_parts
    where mutation_id = any (${mutationIds as string[]}) and kind = 'mutant'
    order by mutation_id, number`;
  const found = new Map<string, DecidedMutant[]>();
  for (const { mutationId, outcome } of rows) {
    const read = readDocument(outcome) as DecidedMutant | undefined;
    if (read === undefined) continue;
    found.set(mutationId, [...(found.get(mutationId) ?? []), read]);
  }
  return found;
}

export async function listLeftOut(
  sql: Sql,
  mutationId: string,
): Promise<(BaseOutcome & { readonly leftOut: string })[]> {
  const rows = await sql<{ outcome: string }[]>`
    select outcome from mutation_parts where mutation_id = ${mutationId} and kind = 'base' order by number`;
  return rows.flatMap(({ outcome }) => {
    const read = readDocument(outcome) as BaseOutcome | undefined;
    return read?.leftOut === undefined ? [] : [{ ...read, leftOut: read.leftOut }];
  });
}

export interface MutationToDo extends StoredMutation {
  readonly plan: RunPlan;
  readonly servers: readonly PinnedServer[];
  readonly providers: readonly SavedProvider[];
}

export async function openMutation(
  sql: Sql,
  vault: Vault,
  mutationId: string,
): Promise<MutationToDo | undefined> {
  const [row] = await sql<
    (MutationRow & { plan: string; sealedServers: Buffer; sealedProviders: Buffer })[]
  >`
    select id, organization_id, project_id, suite_id, status, request, estimate, mutant_count, error, created_at,
      completed_at, plan, sealed_servers, sealed_providers
    from suite_mutations where id = ${mutationId} and status in ('pending', 'running')`;
  if (row === undefined) return undefined;
  const { plan, sealedServers, sealedProviders, ...rest } = row;
  return {
    ...mutationOfRow(rest),
    plan: JSON.parse(plan) as RunPlan,
    servers: readPinned(vault.open(sealedServers, pinnedServersField(row))),
    providers: JSON.parse(vault.open(sealedProviders, pinnedProvidersField(row))),
  };
}

export type PartKind = 'base' | 'mutant';

export interface StoredPart {
  readonly number: number;
  readonly outcome: unknown;
  readonly evidence: unknown;
}

export async function listParts(
  sql: Sql,
  mutationId: string,
  kind: PartKind,
): Promise<StoredPart[]> {
  const rows = await sql<{ number: number; outcome: string; evidence: string | null }[]>`
    select number, outcome, evidence from mutation_parts
    where mutation_id = ${mutationId} and kind = ${kind} order by number`;
  return rows.map(({ number, outcome, evidence }) => ({
    number,
    outcome: readDocument(outcome),
    evidence: readDocument(evidence),
  }));
}

/**
 * Writes a part. Returns whether the lease is still valid. Writing the same part again changes
 * nothing.
 */
export async function writePart(
  sql: Sql,
  held: HeldWork,
  part: { readonly kind: PartKind } & StoredPart,
): Promise<boolean> {
  if (!(await holds(sql, held))) return false;
  const { kind, number, outcome, evidence } = part;
  await sql`
    insert into mutation_parts (mutation_id, organization_id, kind, number, outcome, evidence)
    values (${held.groupId}, ${held.organizationId}, ${kind}, ${number}, ${JSON.stringify(outcome)},
      ${evidence === undefined ? null : JSON.stringify(evidence)})
    on conflict do nothing`;
  return true;
}

/** Returns whether the lease is still valid. */
export async function markMutating(
  sql: Sql,
  held: HeldWork,
  mutantCount: number | null,
): Promise<boolean> {
  if (!(await holds(sql, held))) return false;
  await sql`
    update suite_mutations set status = 'running', mutant_count = ${mutantCount}
    where id = ${held.groupId} and status in ('pending', 'running')`;
  return true;
}

async function holds(sql: Sql, held: HeldWork): Promise<boolean> {
  const [isHeld] = await holdWork(sql, held, [{ held, madeProgress: true }]);
  return isHeld === true;
}

/**
 * Ends the mutation, deletes its keys and evidence, and invalidates the leases of its work. The
 * caller must hold the row's lock.
 */
export async function endMutation(
  sql: Sql,
  mutationId: string,
  status: Exclude<MutationStatus, 'pending' | 'running'>,
  error: string | null = null,
): Promise<void> {
  await sql`
    update suite_mutations set status = ${status}, error = ${error}, completed_at = clock_timestamp(),
      sealed_servers = null, sealed_providers = null
    where id = ${mutationId} and status in ('pending', 'running')`;
  await sql`update mutation_parts set evidence = null where mutation_id = ${mutationId}`;
  await closeWork(sql, { kind: mutationsWork, groupId: mutationId });
}

export async function lockMutation(sql: Sql, mutationId: string): Promise<void> {
  await sql`select from suite_mutations where id = ${mutationId} for update`;
}
