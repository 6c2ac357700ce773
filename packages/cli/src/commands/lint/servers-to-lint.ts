/**
 * The servers that a lint reads: those that suite files state or name, or those that flags give.
 * Their tools are listed in this process; only a server that a suite merely names comes from the
 * service of this folder, which has it saved.
 */
import { readAllPages, readPages } from '@proofmark/client';
import { isRecord, type Json, type ServerToTest } from '@proofmark/domain';
import type { Connection } from '../../remote/connection.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import type { TrustFlags } from '../../trust/require-trust.ts';
import { type ChosenServers, serversOfSuite } from '../test/chosen-servers.ts';
import type { ListedServer } from '../test/open-service.ts';
import { pairsOf } from '../test/saved-servers.ts';
import type { SuiteToTest } from '../test/suite-files.ts';

export interface ServerToLint {
  /** The name in the suite file, or in what gives the server if there is no suite. */
  readonly name: string;
  /** The suite file that names the server. */
  readonly file?: string;
  /** Absent for a server that the service of this folder has saved. */
  readonly server?: ServerToTest;
}

/** Asks for permission before anything is started. */
export async function serversToLint(
  suites: readonly SuiteToTest[],
  chosen: ChosenServers | undefined,
  flags: TrustFlags,
): Promise<ServerToLint[]> {
  const found: ServerToLint[] = [];
  if (suites.length === 0 && chosen !== undefined) {
    for (const name of chosen.only === undefined ? chosen.names : [chosen.only]) {
      found.push({ name, server: await readAgreed(chosen, name) });
    }
  }
  for (const suite of suites) found.push(...(await serversOf(suite, chosen, flags)));
  const seen = new Set<string>();
  // Suites of one folder usually state the same servers.
  return found.filter(({ name, server }) => {
    const key = JSON.stringify([name, server]);
    return !seen.has(key) && seen.add(key);
  });
}

async function serversOf(
  suite: SuiteToTest,
  chosen: ChosenServers | undefined,
  flags: TrustFlags,
): Promise<ServerToLint[]> {
  const { file } = suite;
  const read = async (servers: ChosenServers, [name, of]: readonly [string, string]) => ({
    name,
    file,
    server: await readAgreed(servers, of),
  });
  if (chosen !== undefined) {
    return inOrder(pairsOf(suite, chosen), (pair) => read(chosen, pair));
  }
  if (suite.servers.length === 0) {
    throw new UsageProblem(
      `${file} names no server; add one with a url or a command under target.servers, or give one with --server, --server-command or --config.`,
    );
  }
  const stated = serversOfSuite(suite, flags);
  return inOrder(suite.servers, async (name) =>
    stated?.names.includes(name) ? read(stated, [name, name]) : { name, file },
  );
}

/** One after the other, since each may ask a question. */
async function inOrder<Given, Made>(
  given: readonly Given[],
  make: (one: Given) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const one of given) made.push(await make(one));
  return made;
}

async function readAgreed(chosen: ChosenServers, name: string): Promise<ServerToTest> {
  await chosen.agree(name);
  return chosen.read(name);
}

/** Lists the tools of a server that the service has saved under this name. */
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
  const { items } = await readPages(
    ({ cursor }) => client.listTools({ ...given, body: cursor === undefined ? {} : { cursor } }),
    mostPages,
  );
  const said = Object(initInfo).serverVersion as unknown;
  return { serverInfo: isRecord(said) ? said : null, tools: items.map((tool) => tool as Json) };
}

const mostPages = 100;
