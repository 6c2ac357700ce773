import type { CaseToWarnOf, CaseWarning, ListedServers, SuiteDefinition } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { modelsOf } from '../../../models/index.ts';
import { listNamedServers, type NamedServer } from '../../../servers/index.ts';
import type { EvalsProject } from '../../evals-context.ts';
import type { AuthoredSuite } from '../../store/eval-suites.ts';
import { readListedTools } from '../../store/listed-tools.ts';
import type { WarningPlaces } from './warnings-of-suite.ts';
import { warningsOfModels, warningsOfSuite } from './warnings-of-suite.ts';

export async function warnOfSuite(
  sql: Sql,
  suite: Pick<AuthoredSuite, 'projectId' | 'definition' | 'serverIds' | 'environmentIds' | 'hosts'>,
  cases: readonly CaseToWarnOf[],
  context: WarningContext,
  places: WarningPlaces = {},
): Promise<CaseWarning[]> {
  const { noWidgets } = context.runLimits;
  const servers = await serversOfSuite(sql, suite);
  const { models } = await modelsOf(sql, context, context.project.organizationId);
  return warningsOfSuite(suite, cases, {
    servers,
    listed: servers && (await listedServers(sql, suite.projectId, servers)),
    offer: models.offer,
    noWidgets,
    ...places,
  });
}

export type WarningContext = Pick<EvalsProject, 'database' | 'models' | 'project' | 'runLimits'>;

export async function warnOfStatedModels(
  sql: Sql,
  { model, provider }: SuiteDefinition,
  cases: readonly CaseToWarnOf[],
  context: Omit<WarningContext, 'runLimits'>,
  path: string | undefined,
): Promise<CaseWarning[]> {
  const { models } = await modelsOf(sql, context, context.project.organizationId);
  return warningsOfModels({ model, provider }, cases, models.offer, path);
}

/** Returns undefined if environments or clients determine the servers. */
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
