/** What is worth telling about cases of a suite, by what its servers were last seen to list. */
import {
  type CaseToWarnOf,
  type CaseWarning,
  type ListedServers,
  nameSavedServers,
  nameServersOfSettings,
  type SettingsPath,
  warnOfCases,
} from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readListedTools } from '../../storage/eval-runs/listed-tools.ts';
import type { AuthoredSuite } from '../../storage/eval-suites/eval-suites.ts';
import { listNamedServers, type NamedServer } from '../../storage/servers/server-names.ts';
import type { RunLimits } from '../eval-runs/run-limits.ts';

export async function warnOfSuite(
  sql: Sql,
  suite: Pick<AuthoredSuite, 'projectId' | 'definition' | 'serverIds' | 'environmentIds' | 'hosts'>,
  cases: readonly CaseToWarnOf[],
  { noWidgets }: Pick<RunLimits, 'noWidgets'>,
  settingsPath?: SettingsPath,
): Promise<CaseWarning[]> {
  const servers = await serversOfSuite(sql, suite);
  return warnOfCases(
    nameSavedServers(suite, cases, servers ?? []),
    nameServersOfSettings(suite, servers ?? []),
    servers && (await listedServers(sql, suite.projectId, servers)),
    { settingsPath, noWidgets },
  );
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
