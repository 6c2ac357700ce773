/**
 * A suite file becomes the suite of its id in this project: a new one, or the one that had the id before, which then says
 * what the file says and nothing else. Cases keep their row, and so their history, by their ids.
 */
import {
  editSuite,
  invalid,
  type SuiteFile,
  type SuiteFromFile,
  suiteFromFile,
} from '@proofmark/domain';
import type { Sql } from '../../storage/database.ts';
import { findLiveEnvironment } from '../../storage/environments.ts';
import { deleteAllCases, insertCases, listAllCases } from '../../storage/eval-cases.ts';
import { findDeclaredSuite, insertSuite, storeSuite } from '../../storage/eval-suites.ts';
import { listNamedServers, type NamedServer } from '../../storage/server-names.ts';
import { readSuiteFile } from '../../suite-files/read-suite-file.ts';
import { type Action, type ProjectContext, refuse } from '../action.ts';
import { recordAudit } from '../record-audit.ts';
import { committed } from './author-suite.ts';
import { findServer } from './name-servers.ts';

export const importEvalSuite: Action<'importEvalSuite'> = async (context, { body }) => {
  const { project } = context;
  const read = await readSuiteFile(body.content);
  if ('findings' in read) {
    const [first] = read.findings;
    const path = first.path === '' ? 'body.content' : `body.content.${first.path}`;
    return refuse(invalid(path, first.message, { reason: first.code, findings: read.findings }));
  }
  const { file } = read;
  return context.tenant(async (sql) => {
    const servers = await bindServers(sql, project.id, file, body.serverIds ?? {});
    const environmentIds = await bindEnvironment(sql, project.id, file);
    const from = suiteFromFile(file);
    const before = await findDeclaredSuite(sql, project.id, file.suite.id);
    const target = { serverIds: servers.map(({ id }) => id), environmentIds };
    const suiteId =
      before === undefined
        ? await makeSuite(sql, context, from, target)
        : await replaceSuite(sql, before, from, target);
    const ids = await replaceCases(sql, context, suiteId, from);
    await recordAudit(sql, context, { action: 'evalSuite.imported', subjectId: suiteId });
    return {
      suiteId,
      name: from.name,
      servers: servers.map(({ id, name: serverName }) => ({ id, name: serverName })),
      caseUpsert: { committed: committed(ids, from.cases), failed: [] },
      replaced: before !== undefined,
      warnings: warningsOf(file),
    };
  });
};

interface Target {
  readonly serverIds: readonly string[];
  readonly environmentIds: readonly string[];
}

async function makeSuite(
  sql: Sql,
  context: ProjectContext,
  { name, description, definition }: SuiteFromFile,
  target: Target,
): Promise<string> {
  const id = context.newId('evalSuite');
  const { organizationId, id: projectId } = context.project;
  const createdBy = context.caller.account.id;
  const place = { id, organizationId, projectId, createdBy };
  await insertSuite(sql, { ...place, name, description, definition, ...target });
  return id;
}

async function replaceSuite(
  sql: Sql,
  before: NonNullable<Awaited<ReturnType<typeof findDeclaredSuite>>>,
  { name, description, definition }: SuiteFromFile,
  { serverIds, environmentIds }: Target,
): Promise<string> {
  const decision = editSuite(before, { environmentIds });
  if ('refusal' in decision) return refuse(decision.refusal);
  await storeSuite(sql, { ...decision.suite, name, description, definition, serverIds });
  return before.id;
}

async function replaceCases(
  sql: Sql,
  context: ProjectContext,
  suiteId: string,
  { cases }: SuiteFromFile,
): Promise<string[]> {
  const { organizationId } = context.project;
  const before = await listAllCases(sql, suiteId);
  await deleteAllCases(sql, suiteId);
  const wanted = cases.map((definition) => {
    const { declaredId } = definition;
    const same =
      before.find((one) => one.declaredId === declaredId) ??
      before.find(({ id }) => id === declaredId);
    return same === undefined
      ? { id: context.newId('evalCase'), definition }
      : { id: same.id, caseKey: same.caseKey, definition };
  });
  return insertCases(sql, { organizationId, suiteId }, wanted);
}

/** By the ids that are sent along, by the id in the file, or by name. */
async function bindServers(
  sql: Sql,
  projectId: string,
  { target }: SuiteFile,
  given: Readonly<Record<string, string>>,
): Promise<NamedServer[]> {
  const servers = await listNamedServers(sql, projectId);
  const bound = (target.servers ?? []).map(({ name, id }, index) => {
    const chosen = Object.hasOwn(given, name) ? given[name] : undefined;
    const found =
      chosen === undefined
        ? (servers.find((server) => server.id === id) ?? findServer(servers, name))
        : servers.find((server) => server.id === chosen);
    if (found !== undefined) return found;
    const path =
      chosen === undefined ? `body.content.target.servers[${index}]` : `body.serverIds.${name}`;
    const message = `There is no server ${JSON.stringify(name)} in this project; save it first or name another in serverIds.`;
    return refuse(invalid(path, message, { reason: 'SERVER_NOT_FOUND' }));
  });
  return [...new Set(bound)];
}

async function bindEnvironment(
  sql: Sql,
  projectId: string,
  { target: { environment } }: SuiteFile,
): Promise<string[]> {
  if (environment === undefined) return [];
  const id = await findLiveEnvironment(sql, projectId, environment);
  if (id !== undefined) return [id];
  const message = `There is no environment ${JSON.stringify(environment)} in this project; make it first.`;
  const details = { reason: 'ENVIRONMENT_NOT_FOUND' };
  return refuse(invalid('body.content.target.environment', message, details));
}

function warningsOf({ cases }: SuiteFile): string[] {
  return cases.flatMap((one) =>
    one.import?.status === 'unsupported' || one.import?.status === 'unresolved'
      ? [`The case ${JSON.stringify(one.id)} was imported as ${one.import.status}; look at it.`]
      : [],
  );
}
