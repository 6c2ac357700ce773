import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type IdKind, makeId } from '@proofmark/domain';
import {
  hashOfConfig,
  nameConfigs,
} from '../../server/src/features/evals/store/evaluation-configs.ts';
import type { TestService } from './test-service.ts';

type Columns = Readonly<Record<string, unknown>>;

export interface ProjectIds {
  readonly organizationId: string;
  readonly projectId: string;
}

export interface SuiteIds extends ProjectIds {
  readonly suiteId: string;
}

export interface RunIds extends SuiteIds {
  readonly runId: string;
}

export async function insertSuite(
  service: TestService,
  ids: ProjectIds,
  columns: Columns = {},
): Promise<SuiteIds> {
  const suiteId = newId('evalSuite');
  await insert(service, 'eval_suites', [
    { id: suiteId, ...projectColumns(ids), name: suiteId, ...columns },
  ]);
  return { ...only(ids), suiteId };
}

export async function insertCase(
  service: TestService,
  suite: SuiteIds,
  columns: Columns = {},
): Promise<string> {
  const id = newId('evalCase');
  await insert(service, 'eval_cases', [
    {
      id,
      organization_id: suite.organizationId,
      suite_id: suite.suiteId,
      case_key: id,
      content_hash: id,
      title: 'A case',
      is_negative: false,
      ...columns,
    },
  ]);
  return id;
}

/** Default: a legacy reported run that completed and passed. */
export async function insertRun(
  service: TestService,
  suite: SuiteIds,
  columns: Columns = {},
): Promise<RunIds> {
  const { sql } = service.owner;
  const [last] = await sql`
    select coalesce(max(run_number), 0)::int as number from eval_runs where suite_id = ${suite.suiteId}`;
  const runId = newId('evalRun');
  await insert(service, 'eval_runs', [
    {
      id: runId,
      ...projectColumns(suite),
      suite_id: suite.suiteId,
      run_number: last?.['number'] + 1,
      source: 'sdk',
      status: 'completed',
      result: 'passed',
      snapshot: {
        terms: { minimumPassRate: 80 },
        servers: [],
        environment: null,
        toolSurface: null,
      },
      ...columns,
    },
  ]);
  return { ...only(suite), suiteId: suite.suiteId, runId };
}

export async function insertTrialRows(
  service: TestService,
  run: RunIds,
  rows: readonly Columns[],
): Promise<string[]> {
  const configs = new Map<string, object>();
  const complete = rows.map(({ evaluation_config: config, ...columns }, index) => ({
    run_id: run.runId,
    ordinal: index + 1,
    id: newId('evalIteration'),
    organization_id: run.organizationId,
    iteration_number: index + 1,
    numbered: false,
    status: 'completed',
    result: 'failed',
    evaluator_error: false,
    expected_tool_calls: [],
    actual_tool_calls: [],
    ...columns,
    config_hash: config === undefined ? null : keepConfig(configs, config as object),
  }));
  const { runId: id, organizationId } = run;
  await nameConfigs(service.owner.sql, { id, organizationId }, configs);
  await insert(service, 'eval_iterations', complete);
  return complete.map((row) => row.id);
}

function keepConfig(configs: Map<string, object>, config: object): string {
  const hash = hashOfConfig(config);
  configs.set(hash, config);
  return hash;
}

export async function insertOfferedTools(
  service: TestService,
  ids: ProjectIds & { readonly serverId: string },
) {
  const run = await insertRun(service, await insertSuite(service, ids), { source: 'api' });
  const hash = run.runId;
  const [iterationId = ''] = await insertTrialRows(service, run, [{ tool_surface_hash: hash }]);
  const surface = JSON.stringify({ [ids.serverId]: [{ name: 'stock', inputSchema: {} }] });
  const at = { organization_id: ids.organizationId };
  await insert(service, 'tool_surfaces', [{ ...at, hash, surface }]);
  return { runId: run.runId, iterationId };
}

/** Inserts a run with one trial whose recording is empty. */
export async function insertRecordedTrial(service: TestService, ids: ProjectIds) {
  const run = await insertRun(service, await insertSuite(service, ids), { source: 'api' });
  const hash = run.runId;
  const state = { recording_state: 'kept', recording_bytes: 50, recording_hash: hash };
  const [iterationId = ''] = await insertTrialRows(service, run, [state]);
  const at = { organization_id: ids.organizationId, hash };
  const content = gzipSync(JSON.stringify({ schemaVersion: 1, servers: [], exchanges: [] }));
  const { sql } = service.owner;
  await sql`insert into recordings ${sql({ ...at, content })}`;
  await insert(service, 'trial_recordings', [
    {
      ...at,
      run_id: run.runId,
      ordinal: 1,
      durations: JSON.stringify({ trialMs: 1, servers: [], exchanges: [] }),
    },
  ]);
  return { runId: run.runId, iterationId };
}

export async function insertTrace(
  service: TestService,
  run: RunIds,
  columns: Columns = {},
): Promise<void> {
  await insert(service, 'eval_traces', [
    {
      run_id: run.runId,
      ordinal: 1,
      organization_id: run.organizationId,
      trace: { traceVersion: 1, messages: [] },
      details: {},
      ...columns,
    },
  ]);
}

export async function insertWaiver(
  service: TestService,
  run: RunIds,
  columns: Columns = {},
): Promise<string> {
  const id = newId('gateWaiver');
  await insert(service, 'gate_waivers', [
    {
      id,
      organization_id: run.organizationId,
      suite_id: run.suiteId,
      run_id: run.runId,
      reason: 'Known and on its way.',
      expires_at: new Date(Date.now() + 3_600_000),
      created_by_email: 'owner@acme.example',
      ...columns,
    },
  ]);
  return id;
}

export async function insertProject(
  service: TestService,
  { organizationId }: Pick<ProjectIds, 'organizationId'>,
): Promise<ProjectIds> {
  const projectId = newId('project');
  await insert(service, 'projects', [
    { id: projectId, organization_id: organizationId, name: projectId, visibility: 'public' },
  ]);
  return { organizationId, projectId };
}

/** Missing columns become NULL, because the driver requires the same columns in every row. */
async function insert(service: TestService, table: string, rows: readonly Columns[]) {
  const { sql } = service.owner;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const batch = 1000;
  for (let start = 0; start < rows.length; start += batch) {
    const values = rows
      .slice(start, start + batch)
      .map((row) => Object.fromEntries(names.map((name) => [name, columnValue(name, row[name])])));
    await sql`insert into ${sql(table)} ${sql(values as never)}`;
  }
}

const documents = new Set([
  ...['snapshot', 'verdict_summary', 'ci', 'usage', 'chain', 'scores'],
  ...['expected_tool_calls', 'actual_tool_calls', 'trace', 'details', 'policy_snapshot'],
]);

function columnValue(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  return documents.has(name) ? JSON.stringify(value) : value;
}

function projectColumns(ids: ProjectIds) {
  return { organization_id: ids.organizationId, project_id: ids.projectId };
}

function only({ organizationId, projectId }: ProjectIds): ProjectIds {
  return { organizationId, projectId };
}

function newId(kind: IdKind): string {
  return makeId(kind, Date.now(), randomBytes(10));
}
