/**
 * Selects the servers to lint, from suite files or from flags. Their tools are listed in this
 * process. A server that a suite names without an address or command must be saved in the service
 * of this folder.
 */
import { readAllPages, readPages } from '@proofmark/client';
import { type ExcludedTool, isRecord, type Json, type ServerToTest } from '@proofmark/domain';
import type { Connection } from '../../remote/connection.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { askAll } from '../../trust/require-trust.ts';
import type { ChosenServers } from '../test/chosen-servers.ts';
import type { ListedServer } from '../test/open-service.ts';
import { pairsOf } from '../test/saved-servers.ts';
import type { ServersFor } from '../test/server-choice.ts';
import type { SuiteToTest } from '../test/suite-files.ts';

export interface ServerToLint {
  /** The name in the suite file; without a suite, the name in the flags or configuration file. */
  readonly name: string;
  readonly files: readonly string[];
  /** Absent if the server's address or command is saved in the service that runs in this folder. */
  readonly server?: ServerToTest;
}

/** Asks the user for permission before any server is started. */
export async function serversToLint(
  suites: readonly SuiteToTest[],
  chosen: ChosenServers | undefined,
  serversFor: ServersFor,
): Promise<ServerToLint[]> {
  const found: ServerToLint[] = [];
  if (suites.length === 0 && chosen !== undefined) {
    const files = chosen.file === undefined ? [] : [chosen.file];
    const names = chosen.only === undefined ? chosen.names : [chosen.only];
    await chosen.agree(...names);
    for (const name of names) found.push({ name, files, server: chosen.read(name) });
  }
  await askAll(suites, async (suite) => {
    found.push(...(await serversOf(suite, await serversFor(suite))));
  });
  return joined(found);
}

/** Suites of one folder usually have the same servers. Each server is listed only once. */
function joined(found: readonly ServerToLint[]): ServerToLint[] {
  const byKey = new Map<string, ServerToLint>();
  for (const one of found) {
    const key = JSON.stringify([one.name, one.server]);
    const files = [...(byKey.get(key)?.files ?? []), ...one.files];
    byKey.set(key, { ...one, files });
  }
  return [...byKey.values()];
}

async function serversOf(
  suite: SuiteToTest,
  given: ChosenServers | undefined,
): Promise<ServerToLint[]> {
  const { file, servers, misstated } = suite;
  const [mistake] = misstated;
  if (mistake !== undefined) throw new UsageProblem(`${file}: ${mistake}`);
  if (given === undefined && servers.length === 0) {
    throw new UsageProblem(
      `${file} names no server; add one with a url or a command under target.servers, or give one with --server, --server-command or --from.`,
    );
  }
  const pairs = given === undefined ? [] : pairsOf(suite, given);
  const paired = new Set(pairs.map(([name]) => name));
  const files = [file];
  const saved = servers.filter((name) => !paired.has(name)).map((name) => ({ name, files }));
  if (given === undefined) return saved;
  await given.agree(...pairs.map(([, of]) => of));
  const stated = pairs.map(([name, of]) => ({ name, files, server: given.read(of) }));
  return [...stated, ...saved];
}

export async function listSaved(
  { client, projectId }: Pick<Connection, 'client' | 'projectId'>,
  name: string,
): Promise<ListedServer> {
  const all = await readAllPages((page) => client.listProjectServers({ projectId, ...page }));
  const found = all.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found === undefined) {
    throw new UsageProblem(
      `No server is saved as ${name}; state its url or its command under target.servers of the suite file.`,
    );
  }
  const given = { projectId, serverId: found.id };
  const { initInfo } = await client.validateServer({ ...given, body: {} });
  const excluded: ExcludedTool[] = [];
  const { items } = await readPages(async ({ cursor }) => {
    const page = await client.listTools({ ...given, body: cursor === undefined ? {} : { cursor } });
    excluded.push(...(page.excludedTools ?? []));
    return page;
  }, mostPages);
  const serverVersion = Object(initInfo).serverVersion as unknown;
  return {
    serverInfo: isRecord(serverVersion) ? serverVersion : null,
    tools: items.map((tool) => tool as Json),
    excludedTools: excluded,
  };
}

const mostPages = 100;
