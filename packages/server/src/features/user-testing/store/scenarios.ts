/**
 * Scenarios. A scenario is found by the hash of its link. The link itself is stored encrypted, so
 * that it can be shown again.
 */
import {
  cutPage,
  type GuestExecution,
  type Page,
  type PageRequest,
  type SavedScenario,
} from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import type { SealedField, Vault } from '../../../platform/vault/vault.ts';

/** The secret part of a link. The plain text must stay in memory only briefly. */
export interface ScenarioToken {
  readonly token: string;
  readonly hash: Buffer;
}

export interface StoredScenario extends SavedScenario {
  readonly sealedToken: Buffer;
}

export const linkField = (scenario: {
  readonly id: string;
  readonly organizationId: string;
}): SealedField => ({
  organizationId: scenario.organizationId,
  rowId: scenario.id,
  field: 'link',
});

export function openScenarioToken(vault: Vault, scenario: StoredScenario): string {
  return vault.open(scenario.sealedToken, linkField(scenario));
}

export async function readScenarios(
  sql: Sql,
  projectId: string,
  page: PageRequest,
): Promise<Page<StoredScenario>> {
  const { after, limit } = page;
  const rows = await sql<ScenarioRow[]>`
    select ${scenarioColumns(sql)} from scenarios
    where project_id = ${projectId} and unpublished_at is null
      ${after ? sql`and (created_at, id) < (${new Date(after.order)}, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit + 1}`;
  return cutPage(rows.map(readScenarioRow), limit, ({ id, createdAt }) => ({
    order: createdAt.getTime(),
    id,
  }));
}

/**
 * Reads a published scenario. `forUpdate` blocks new visitors and messages until the change is
 * committed, so that nothing is accepted under the former rules afterwards.
 */
export async function readScenario(
  sql: Sql,
  projectId: string,
  scenarioId: string,
  lock: 'forUpdate' | 'read' = 'read',
): Promise<StoredScenario | undefined> {
  const [row] = await sql<ScenarioRow[]>`
    select ${scenarioColumns(sql)} from scenarios
    where project_id = ${projectId} and id = ${scenarioId} and unpublished_at is null
    ${lock === 'read' ? sql`` : sql`for update`}`;
  return row && readScenarioRow(row);
}

/**
 * Reads a scenario, published or not. Sessions of an unpublished scenario remain readable for some
 * callers.
 */
export async function readScenarioOfAnyTime(
  sql: Sql,
  projectId: string,
  scenarioId: string,
): Promise<StoredScenario | undefined> {
  const [row] = await sql<ScenarioRow[]>`
    select ${scenarioColumns(sql)} from scenarios
    where project_id = ${projectId} and id = ${scenarioId}`;
  return row && readScenarioRow(row);
}

export async function readScenarioOf(
  sql: Sql,
  projectId: string,
  environmentId: string,
  lock: 'forUpdate' | 'read' = 'read',
): Promise<StoredScenario | undefined> {
  const [row] = await sql<ScenarioRow[]>`
    select ${scenarioColumns(sql)} from scenarios
    where project_id = ${projectId} and environment_id = ${environmentId} and unpublished_at is null
    ${lock === 'read' ? sql`` : sql`for update`}`;
  return row && readScenarioRow(row);
}

/**
 * Serializes publishing in a project until the transaction ends. Concurrent requests could
 * otherwise exceed the limit or publish an environment twice.
 */
export async function holdScenariosOfProject(
  sql: Sql,
  projectId: string,
): Promise<{ readonly live: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`scenarios ${projectId}`}, 0))`;
  const [row] = await sql<{ live: number }[]>`
    select count(*)::int as live from scenarios
    where project_id = ${projectId} and unpublished_at is null`;
  return row ?? { live: 0 };
}

export interface NewScenario
  extends Pick<
    SavedScenario,
    'id' | 'organizationId' | 'projectId' | 'environmentId' | 'name' | 'description' | 'mode'
  > {
  readonly createdBy: string | null;
}

export async function insertScenario(
  sql: Sql,
  vault: Vault,
  scenario: NewScenario,
  { token, hash }: ScenarioToken,
): Promise<StoredScenario> {
  const [row] = await sql<ScenarioRow[]>`
    insert into scenarios ${sql({
      id: scenario.id,
      organization_id: scenario.organizationId,
      project_id: scenario.projectId,
      environment_id: scenario.environmentId,
      name: scenario.name,
      description: scenario.description,
      mode: scenario.mode,
      token_hash: hash,
      sealed_token: vault.seal(token, linkField(scenario)),
      created_by: scenario.createdBy,
    })} returning ${scenarioColumns(sql)}`;
  return readScenarioRow(row as ScenarioRow);
}

/** The caller must hold the lock of the scenario's row. */
export async function storeScenario(sql: Sql, scenario: SavedScenario): Promise<StoredScenario> {
  const { guestExecution } = scenario;
  const [row] = await sql<ScenarioRow[]>`
    update scenarios set ${sql({
      environment_id: scenario.environmentId,
      name: scenario.name,
      description: scenario.description,
      mode: scenario.mode,
      access_version: scenario.accessVersion,
      feedback: scenario.feedback,
      welcome: scenario.welcome,
      guest_execution: guestExecution === null ? null : JSON.stringify(guestExecution),
    })}, updated_at = clock_timestamp()
    where id = ${scenario.id} returning ${scenarioColumns(sql)}`;
  return readScenarioRow(row as ScenarioRow);
}

/** The former link becomes invalid. */
export async function replaceScenarioToken(
  sql: Sql,
  vault: Vault,
  scenario: Pick<SavedScenario, 'id' | 'organizationId'>,
  { token, hash }: ScenarioToken,
): Promise<StoredScenario> {
  const [row] = await sql<ScenarioRow[]>`
    update scenarios set token_hash = ${hash}, sealed_token = ${vault.seal(token, linkField(scenario))},
      updated_at = clock_timestamp()
    where id = ${scenario.id} returning ${scenarioColumns(sql)}`;
  return readScenarioRow(row as ScenarioRow);
}

export async function markScenarioUnpublished(sql: Sql, scenarioId: string): Promise<void> {
  await sql`
    update scenarios set unpublished_at = clock_timestamp(), updated_at = clock_timestamp(),
      access_version = access_version + 1
    where id = ${scenarioId}`;
}

export type ScenarioRow = Omit<StoredScenario, 'guestExecution'> & {
  readonly guestExecution: string | null;
};

export function readScenarioRow({ guestExecution, ...row }: ScenarioRow): StoredScenario {
  return {
    ...row,
    guestExecution: guestExecution === null ? null : (JSON.parse(guestExecution) as GuestExecution),
  };
}

export function scenarioColumns(sql: Sql): Fragment {
  return sql`id, organization_id, project_id, environment_id, name, description, mode, access_version,
    sealed_token, feedback, welcome, guest_execution, created_at, updated_at, unpublished_at`;
}
