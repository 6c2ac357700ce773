/**
 * Saves each server of a test once. A saved server with the same name is reused, and its address is
 * updated if it differs.
 */
import { readAllPages } from '@proofmark/client';
import { UsageProblem } from '../../remote/exit-codes.ts';
import type { ChosenServers } from './chosen-servers.ts';
import type { LiveService } from './open-service.ts';
import type { SuiteToTest } from './suite-files.ts';

export type SaveServer = (name: string) => Promise<string>;

export function serverSaver(opened: LiveService, chosen: ChosenServers): SaveServer {
  const saved = new Map<string, Promise<string>>();
  return (name) => {
    const known = saved.get(name) ?? save(opened, chosen, name);
    saved.set(name, known);
    return known;
  };
}

async function save(opened: LiveService, chosen: ChosenServers, name: string): Promise<string> {
  await chosen.agree(name);
  const server = chosen.read(name);
  if (server.kind === 'stdio') return opened.saveProgram(server);
  const { client, projectId } = opened.connection;
  const all = await readAllPages((page) => client.listProjectServers({ projectId, ...page }));
  const found = all.find((one) => one.name.toLowerCase() === name.toLowerCase());
  const { url, headers } = server;
  const address = { url, ...(Object.keys(headers).length > 0 && { headers }) };
  if (found === undefined) {
    const body = { name, enabled: true, transportType: 'http', ...address } as const;
    return (await client.createProjectServer({ projectId, body })).id;
  }
  if (found.transportType !== 'http') {
    throw new UsageProblem(
      `A program is already saved as ${name}; choose another name with --server-name.`,
    );
  }
  if (found.url !== url || 'headers' in address || !found.enabled) {
    const body = { ...address, enabled: true };
    await client.updateProjectServer({ projectId, serverId: found.id, body });
  }
  return found.id;
}

/**
 * Maps a suite's server names to ids of saved servers. Returns undefined if no server is given and
 * the suite itself chooses saved servers or an environment.
 */
export async function bindSuite(
  suite: SuiteToTest,
  chosen: ChosenServers | undefined,
  save: SaveServer | undefined,
): Promise<Record<string, string> | undefined> {
  if (chosen === undefined || save === undefined) {
    if (suite.hasTarget) return undefined;
    throw new UsageProblem(
      `${suite.file} does not say how to reach a server; add a url or a command under target.servers, or give one with --server, --server-command or --from.`,
    );
  }
  const pairs = pairsOf(suite, chosen);
  await chosen.agree(...pairs.map(([, server]) => server));
  const bound = await Promise.all(
    pairs.map(async ([name, server]) => [name, await save(server)] as const),
  );
  return Object.fromEntries(bound);
}

/**
 * Pairs the suite's server names with the given servers. A single given server matches a suite with
 * at most one name even if the names differ.
 */
export function pairsOf(
  { file, servers }: Pick<SuiteToTest, 'file' | 'servers'>,
  { names, only }: Pick<ChosenServers, 'names' | 'only'>,
): [string, string][] {
  const called = servers.filter((name) => names.includes(name));
  if (called.length > 0 && (only === undefined || called.includes(only) || servers.length > 1)) {
    return called.map((name) => [name, name]);
  }
  if (only === undefined) {
    throw new UsageProblem(
      `${file} names none of the given servers; choose one with --server-name: ${names.join(', ')}.`,
    );
  }
  const [first, another] = servers;
  if (another === undefined) return [[first ?? only, only]];
  throw new UsageProblem(
    `${file} names the servers ${servers.join(', ')}; say with --server-name which of them the given server is.`,
  );
}
