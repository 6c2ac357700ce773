/**
 * Imports a suite file. If the project has a suite with the id in the file, its content is
 * replaced, but settings that a file cannot contain are kept. Cases with the same id keep their
 * row, and so their history.
 */

import {
  type EvalCaseDefinition,
  editSuite,
  environmentsAfter,
  replaceByFile,
  type SuiteFile,
  type SuiteFromFile,
  serversBefore,
  suiteFromFile,
} from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { databaseNow } from '../../../../platform/database/database-now.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { findLiveEnvironment } from '../../../environments/index.ts';
import { listNamedServers, type NamedServer } from '../../../servers/index.ts';
import type { EvalsParts, EvalsProject } from '../../evals-context.ts';
import { deleteAllCases, insertCases, type NewCase } from '../../store/eval-cases.ts';
import { findDeclaredSuite, insertSuite, storeSuite } from '../../store/eval-suites.ts';
import {
  deleteQuarantineOfFile,
  insertQuarantine,
  listQuarantine,
  type NewQuarantineEntry,
} from '../../store/quarantine.ts';
import { committed } from './author-suite.ts';
import { findSuite } from './find-suite.ts';
import { isOverfull, mostOfSuite } from './quarantine-of-suite.ts';
import {
  allowWritesPath,
  modelPath,
  placedIn,
  readImportedFile,
  refuseEnvironment,
  refuseFullQuarantine,
  refuseQuarantineOf,
  serversOfFile,
  warningsAsWritten,
  warningsOfFile,
  warningsOfTexts,
} from './read-imported-file.ts';
import { readQuarantinedSuite } from './read-quarantined-suite.ts';
import { readSuiteToWrite, type WritableSuite } from './read-suite-to-write.ts';
import { refuseTooManyRows } from './refuse-rows.ts';
import { warnOfSuite } from './warn-of-suite.ts';

export const importEvalSuite: Action<'importEvalSuite', EvalsParts> = async (context, { body }) => {
  const { project } = context;
  const imported = await readImportedFile(body);
  const { file, places } = imported;
  return context.tenant(async (sql) => {
    const now = await databaseNow(sql);
    refuseQuarantineOf({ file, places }, now);
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
    await deleteQuarantineOfFile(sql, suiteId);
    await insertQuarantine(
      sql,
      { organizationId, suiteId, account: context.caller.account, now },
      entriesOf(context, file),
    );
    await recordAudit(sql, context, { action: 'evalSuite.imported', subjectId: suiteId });
    const written = cases.map(({ definition }) => definition);
    const suite = await findSuite(sql, project.id, suiteId);
    if (file.quarantine !== undefined) {
      const quarantined = await readQuarantinedSuite(sql, suite);
      const entries = await listQuarantine(sql, suiteId);
      if (isOverfull(entries, quarantined)) {
        refuseFullQuarantine({ file, places }, mostOfSuite(quarantined));
      }
    }
    return {
      suiteId,
      name: file.suite.name,
      servers: servers.map(({ id, name: serverName }) => ({ id, name: serverName })),
      caseUpsert: { committed: committed(ids, written), failed: [] },
      replaced: before !== undefined,
      warnings: [
        ...warningsOfTexts(imported),
        ...warningsAsWritten(
          [
            ...warningsOfFile(file),
            ...(await warnOfSuite(sql, suite, placedIn(written), context, {
              modelPath,
              allowWritesPath,
            })),
          ],
          places,
        ),
      ],
    };
  });
};

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

function entriesOf(context: EvalsProject, file: SuiteFile): NewQuarantineEntry[] {
  return suiteFromFile(file).quarantine.map((entry) => ({
    ...entry,
    id: context.newId('quarantineEntry'),
    source: 'file',
  }));
}

function newCase(context: EvalsProject, definition: EvalCaseDefinition): NewCase {
  return { id: context.newId('evalCase'), definition };
}

async function bindServers(
  sql: Sql,
  projectId: string,
  file: SuiteFile,
  given: Readonly<Record<string, string>>,
  before: WritableSuite | undefined,
): Promise<NamedServer[]> {
  const servers = await listNamedServers(sql, projectId, undefined, 'forKeyShare');
  return serversOfFile(file, servers, given, before && serversBefore(before));
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
  // The suite keeps its attached environment even if the environment was archived or renamed since
  // the last import.
  const attached = before?.definition.file?.environment ?? before?.environments[0];
  if (attached === environment && before?.environmentIds[0] !== undefined) {
    return before.environmentIds[0];
  }
  return refuseEnvironment(environment);
}
