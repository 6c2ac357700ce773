import {
  type CaseToWarnOf,
  type CaseWarning,
  type EvalCaseDefinition,
  type SuiteDefinition,
  warnOfAllowedWrites,
  warnOfCases,
} from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { refuseFirstMissing } from '../../../../platform/operations/refuse-missing.ts';
import { listNamedServers } from '../../../servers/index.ts';
import type { EvalsProject } from '../../evals-context.ts';
import { insertCases } from '../../store/eval-cases.ts';
import { insertSuite } from '../../store/eval-suites.ts';
import { callsOfSettings, refuseUnknownServers } from './refuse-unknown-servers.ts';
import { listedServers, warnOfStatedModels } from './warn-of-suite.ts';

export interface SuiteToAuthor {
  readonly name: string;
  readonly description?: string | undefined;
  readonly serverIds: readonly string[];
  readonly tags?: readonly string[] | undefined;
  readonly definition: SuiteDefinition;
  readonly cases: readonly CaseToWarnOf[];
}

export interface AuthoredNow {
  readonly suiteId: string;
  readonly name: string;
  readonly servers: { readonly id: string; readonly name: string }[];
  readonly caseUpsert: { readonly committed: { id: string; name: string }[]; failed: [] };
  readonly warnings: CaseWarning[];
}

export async function authorSuite(
  sql: Sql,
  context: EvalsProject,
  suite: SuiteToAuthor,
): Promise<AuthoredNow> {
  const { project, caller } = context;
  const serverIds = [...new Set(suite.serverIds)];
  const servers = await listNamedServers(sql, project.id, serverIds, 'forKeyShare');
  const found = new Set(servers.map(({ id }) => id));
  refuseFirstMissing('server', 'body.serverIds', suite.serverIds, found);
  const ofSettings = callsOfSettings(suite.definition.settings);
  await refuseUnknownServers(sql, project.id, [ofSettings, ...suite.cases]);
  const suiteId = context.newId('evalSuite');
  const { organizationId } = project;
  await insertSuite(sql, {
    id: suiteId,
    organizationId,
    projectId: project.id,
    name: suite.name,
    description: suite.description ?? null,
    definition: suite.definition,
    serverIds,
    tags: suite.tags ?? [],
    createdBy: caller.account.id,
  });
  const definitions = suite.cases.map(({ definition }) => definition);
  const cases = definitions.map((definition) => ({ id: context.newId('evalCase'), definition }));
  const ids = await insertCases(sql, { organizationId, suiteId }, cases);
  await recordAudit(sql, context, { action: 'evalSuite.created', subjectId: suiteId });
  const listed = await listedServers(sql, project.id, servers);
  const { settings } = suite.definition;
  const stated = { path: 'body.settings.allowWrites', allowWrites: settings.allowWrites };
  const nameOf = new Map(servers.map(({ id, name }) => [id, name]));
  return {
    suiteId,
    name: suite.name,
    servers: serverIds.map((id) => ({ id, name: nameOf.get(id) as string })),
    caseUpsert: { committed: committed(ids, definitions), failed: [] },
    warnings: [
      ...(await warnOfStatedModels(sql, suite.definition, suite.cases, context, 'body.model')),
      ...warnOfAllowedWrites(stated, listed),
      ...warnOfCases(suite.cases, settings, listed, {
        settingsPath: 'body.settings',
        noWidgets: context.runLimits.noWidgets,
      }),
    ],
  };
}

export function committed(
  ids: readonly string[],
  cases: readonly EvalCaseDefinition[],
): { id: string; name: string }[] {
  return ids.map((id, index) => ({ id, name: cases[index]?.title ?? '' }));
}
