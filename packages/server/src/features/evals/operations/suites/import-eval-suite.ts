/**
 * A suite file becomes the suite with its id in this project. If there is one already, it takes over what the file says
 * and keeps what a file cannot say. Cases keep their row, and so their history, by their ids.
 */

import type { OutputOf } from '@proofmark/contract';
import {
  attachDataRows,
  type CaseToWarnOf,
  type EvalCaseDefinition,
  editSuite,
  environmentsAfter,
  invalid,
  replaceByFile,
  type SuiteFile,
  type SuiteFromFile,
  serversBefore,
  suiteFromFile,
  type ValueProblem,
} from '@proofmark/domain';
import { readSuiteFile } from '../../../../outside/suite-files/read-suite-file.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { findLiveEnvironment } from '../../../environments/index.ts';
import { listNamedServers, type NamedServer } from '../../../servers/index.ts';
import type { EvalsParts, EvalsProject } from '../../evals-context.ts';
import { deleteAllCases, insertCases, type NewCase } from '../../store/eval-cases.ts';
import { findDeclaredSuite, insertSuite, storeSuite } from '../../store/eval-suites.ts';
import { committed } from './author-suite.ts';
import { findSuite } from './find-suite.ts';
import { findServerByName } from './name-servers.ts';
import { readSuiteToWrite, type WritableSuite } from './read-suite-to-write.ts';
import { problemsOfCase } from './refuse-assertions.ts';
import { manyRows, manyRowsProblem, refuseTooManyRows, rowProblem } from './refuse-rows.ts';
import { warnOfSuite } from './warn-of-suite.ts';

export const importEvalSuite: Action<'importEvalSuite', EvalsParts> = async (context, { body }) => {
  const { project } = context;
  const { model } = body;
  const help = {
    servers: Object.keys(body.serverIds ?? {}),
    ...(model !== undefined && { model }),
  };
  const read = await readSuiteFile(body.content, undefined, help);
  if ('findings' in read) {
    const [first] = read.findings;
    const path = first.path === '' ? 'body.content' : `body.content.${first.path}`;
    return refuse(invalid(path, first.message, { reason: first.code, findings: read.findings }));
  }
  const brought = attachDataRows(onModel(read.file, model), body.dataFiles ?? {});
  if ('problem' in brought) return refuseFinding(brought.problem);
  const { file } = brought;
  refuseAssertionsOf(file);
  await refuseRowsOf(file);
  return context.tenant(async (sql) => {
    const found = await findDeclaredSuite(sql, project.id, file.suite.id);
    const before = found && (await readSuiteToWrite(sql, found));
    const servers = await bindServers(sql, project.id, file, body.serverIds ?? {}, before);
    const environmentId = await bindEnvironment(sql, project.id, file, before);
    const target = { serverIds: servers.map(({ id }) => id), environmentId };
    const { suiteId, cases } =
      before === undefined
        ? await makeSuite(sql, context, suiteFromFile(file), target)
        : await replaceSuite(sql, context, before, file, target);
    const { organizationId } = project;
    const ids = await insertCases(sql, { organizationId, suiteId }, cases);
    await refuseTooManyRows(sql, suiteId);
    await recordAudit(sql, context, { action: 'evalSuite.imported', subjectId: suiteId });
    const written = cases.map(({ definition }) => definition);
    const suite = await findSuite(sql, project.id, suiteId);
    return {
      suiteId,
      name: file.suite.name,
      servers: servers.map(({ id, name: serverName }) => ({ id, name: serverName })),
      caseUpsert: { committed: committed(ids, written), failed: [] },
      replaced: before !== undefined,
      warnings: [
        ...warningsOf(file),
        ...(await warnOfSuite(sql, suite, placedIn(written), context, { modelPath })),
      ],
    };
  });
};

const modelPath = 'body.content.defaults.model';

/** Whoever imports it may choose another model than the file; a case that names its own keeps it. */
function onModel(file: SuiteFile, model: string | undefined): SuiteFile {
  if (model === undefined || file.mode === 'serverContract') return file;
  return { ...file, defaults: { ...file.defaults, model } } as SuiteFile;
}

function placedIn(cases: readonly EvalCaseDefinition[]): CaseToWarnOf[] {
  return cases.map((definition, index) => ({
    path: `body.content.cases[${index}]`,
    definition,
    checksName: 'assertions',
    modelsName: 'model',
  }));
}

function refuseAssertionsOf(file: SuiteFile): void {
  const problems = placedIn(suiteFromFile(file).cases).flatMap(problemsOfCase);
  const findings = problems.map(({ path, message }) => {
    const filePath = path.replace('body.content.', '');
    return { path: filePath, code: 'SUITE_FILE_INVALID', message: `${filePath}: ${message}` };
  });
  const [first] = findings;
  if (first === undefined) return;
  const details = { reason: first.code, findings: findings.slice(0, mostFindings) };
  refuse(invalid(`body.content.${first.path}`, first.message, details));
}

function refuseFinding({ path, message }: ValueProblem): never {
  const spelled = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  const place = spelled.join('').slice(1);
  return refuseAt(place, message);
}

async function refuseRowsOf(file: SuiteFile): Promise<void> {
  const cases = placedIn(suiteFromFile(file).cases);
  const tooMany = manyRowsProblem(cases);
  if (tooMany !== undefined) refuseAt('cases', tooMany, manyRows);
  for (const one of cases) {
    const problem = await rowProblem(one);
    if (problem !== undefined) refuseAt(problem.path.replace('body.content.', ''), problem.message);
  }
}

function refuseAt(path: string, said: string, more: object = {}): never {
  const message = `${path}: ${said}`;
  const code = 'SUITE_FILE_INVALID';
  const details = { reason: code, findings: [{ path, code, message }], ...more };
  return refuse(invalid(`body.content.${path}`, message, details));
}

const mostFindings = 20;

interface Target {
  readonly serverIds: readonly string[];
  readonly environmentId: string | undefined;
}

interface ImportedSuite {
  readonly suiteId: string;
  readonly cases: readonly NewCase[];
}

async function makeSuite(
  sql: Sql,
  context: EvalsProject,
  { name, description, definition, cases }: SuiteFromFile,
  { serverIds, environmentId }: Target,
): Promise<ImportedSuite> {
  const id = context.newId('evalSuite');
  const { organizationId, id: projectId } = context.project;
  const createdBy = context.caller.account.id;
  const environmentIds = environmentsAfter([], environmentId);
  const ids = { id, organizationId, projectId, createdBy, serverIds, environmentIds };
  await insertSuite(sql, { ...ids, name, description, definition });
  return { suiteId: id, cases: cases.map((one) => newCase(context, one)) };
}

async function replaceSuite(
  sql: Sql,
  context: EvalsProject,
  before: WritableSuite,
  file: SuiteFile,
  { serverIds, environmentId }: Target,
): Promise<ImportedSuite> {
  const environmentIds = environmentsAfter(before.environmentIds, environmentId);
  const decision = editSuite(before, { environmentIds });
  if ('refusal' in decision) return refuse(decision.refusal);
  const { name, description, definition, cases } = replaceByFile(before, file);
  await storeSuite(sql, { ...decision.suite, name, description, definition, serverIds });
  await deleteAllCases(sql, before.id);
  return {
    suiteId: before.id,
    cases: cases.map((one) =>
      one.before === undefined
        ? newCase(context, one.definition)
        : { id: one.before.id, caseKey: one.before.caseKey, definition: one.definition },
    ),
  };
}

function newCase(context: EvalsProject, definition: EvalCaseDefinition): NewCase {
  return { id: context.newId('evalCase'), definition };
}

/** By the ids that are sent along, by the id in the file, by what the name stood for before, or by name. */
async function bindServers(
  sql: Sql,
  projectId: string,
  { target }: SuiteFile,
  given: Readonly<Record<string, string>>,
  before: WritableSuite | undefined,
): Promise<NamedServer[]> {
  const servers = await listNamedServers(sql, projectId, undefined, 'forKeyShare');
  const known: ReadonlyMap<string, string> =
    before === undefined ? new Map() : serversBefore(before);
  const withId = (id: string | undefined) => servers.find((server) => server.id === id);
  const bound = (target.servers ?? []).map(({ name, id }, index) => {
    const chosen = Object.hasOwn(given, name) ? given[name] : undefined;
    const found =
      chosen === undefined
        ? (withId(id) ?? withId(known.get(name)) ?? findServerByName(servers, name))
        : withId(chosen);
    if (found !== undefined) return found;
    const path =
      chosen === undefined ? `body.content.target.servers[${index}]` : `body.serverIds.${name}`;
    const wanted = JSON.stringify(chosen ?? name);
    const message = `There is no server ${wanted} in this project; save it first, or map ${JSON.stringify(name)} to a saved server with serverIds or --server.`;
    return refuse(invalid(path, message, { reason: 'SERVER_NOT_FOUND' }));
  });
  return [...new Set(bound)];
}

async function bindEnvironment(
  sql: Sql,
  projectId: string,
  { target: { environment } }: SuiteFile,
  before: WritableSuite | undefined,
): Promise<string | undefined> {
  if (environment === undefined) return undefined;
  const id = await findLiveEnvironment(sql, projectId, environment);
  if (id !== undefined) return id;
  // Archived or renamed since, but attached all the same.
  const attached = before?.definition.file?.environment ?? before?.environments[0];
  if (attached === environment && before?.environmentIds[0] !== undefined) {
    return before.environmentIds[0];
  }
  const message = `There is no environment ${JSON.stringify(environment)} in this project; make it first.`;
  const details = { reason: 'ENVIRONMENT_NOT_FOUND' };
  return refuse(invalid('body.content.target.environment', message, details));
}

function warningsOf({ cases }: SuiteFile): Warnings {
  return cases.flatMap(({ id, import: imported }, index) => {
    const status = imported?.status;
    if (status !== 'unsupported' && status !== 'unresolved') return [];
    const message = `The case ${JSON.stringify(id)} was imported as ${status}; look at it.`;
    return [{ path: `body.content.cases[${index}]`, code: 'CASE_IMPORTED_IN_PART', message }];
  });
}

type Warnings = OutputOf<'importEvalSuite'>['warnings'];
