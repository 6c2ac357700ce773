/** What is worth telling about cases of a suite, by what its servers were last seen to list. */

import {
  type CaseToWarnOf,
  type CaseWarning,
  type ListedServers,
  nameSavedServers,
  nameServersOfSettings,
  type SettingsPath,
  type SuiteDefinition,
  warnOfCases,
  warnOfModels,
} from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { modelsOf } from '../../../models/index.ts';
import { listNamedServers, type NamedServer } from '../../../servers/index.ts';
import type { EvalsProject } from '../../evals-context.ts';
import type { AuthoredSuite } from '../../store/eval-suites.ts';
import { readListedTools } from '../../store/listed-tools.ts';

export async function warnOfSuite(
  sql: Sql,
  suite: Pick<AuthoredSuite, 'projectId' | 'definition' | 'serverIds' | 'environmentIds' | 'hosts'>,
  cases: readonly CaseToWarnOf[],
  context: WarningContext,
  { settingsPath, modelPath }: WarningPlaces = {},
): Promise<CaseWarning[]> {
  const { noWidgets } = context.runLimits;
  const servers = await serversOfSuite(sql, suite);
  const ofModels = await warnOfStatedModels(sql, suite.definition, cases, context, modelPath);
  const ofCases = warnOfCases(
    nameSavedServers(suite, cases, servers ?? []),
    nameServersOfSettings(suite, servers ?? []),
    servers && (await listedServers(sql, suite.projectId, servers)),
    { settingsPath, noWidgets },
  );
  return [...ofModels, ...ofCases];
}

/** What of an action's context the warnings are made of. */
export type WarningContext = Pick<EvalsProject, 'database' | 'models' | 'project' | 'runLimits'>;

interface WarningPlaces {
  readonly settingsPath?: SettingsPath | undefined;
  /** Where the suite states its model; absent where the request is not about the suite. */
  readonly modelPath?: string | undefined;
}

export async function warnOfStatedModels(
  sql: Sql,
  { model, provider }: SuiteDefinition,
  cases: readonly CaseToWarnOf[],
  context: Omit<WarningContext, 'runLimits'>,
  path: string | undefined,
): Promise<CaseWarning[]> {
  const { models } = await modelsOf(sql, context, context.project.organizationId);
  const ofSuite = path === undefined ? undefined : { path, model, provider };
  return warnOfModels(ofSuite, cases, models.offer);
}

/** Environments and clients bring servers of their own, so there a suite alone does not say which they are. */
async function serversOfSuite(
  sql: Sql,
  suite: Pick<AuthoredSuite, 'projectId' | 'serverIds' | 'environmentIds' | 'hosts'>,
): Promise<NamedServer[] | undefined> {
  const { projectId, serverIds, environmentIds, hosts } = suite;
  if (serverIds.length === 0 || environmentIds.length + hosts.length > 0) return undefined;
  return listNamedServers(sql, projectId, serverIds);
}

export async function listedServers(
  sql: Sql,
  projectId: string,
  servers: readonly { readonly id: string; readonly name: string }[],
): Promise<ListedServers> {
  const tools = await readListedTools(
    sql,
    projectId,
    servers.map(({ id }) => id),
  );
  return servers.map(({ id, name }) => ({ name, tools: tools.get(id) }));
}
