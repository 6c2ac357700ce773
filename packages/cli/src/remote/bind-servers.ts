import { readAllPages } from '@proofmark/client';
import { namedOne } from './choose-project.ts';
import type { Connection } from './connection.ts';
import { UsageProblem } from './exit-codes.ts';

/**
 * Reads flags `NAME=SAVED`. NAME is a server's name in a suite file, SAVED is the id or name of a
 * saved server.
 */
export async function bindServers(
  { client, projectId }: Connection,
  flags: readonly string[],
): Promise<Record<string, string>> {
  const pairs = flags.map(readPair);
  const isKnown = pairs.every(([, saved]) => /^srv_\w+$/.test(saved));
  if (isKnown) return Object.fromEntries(pairs);
  const servers = await readAllPages((page) => client.listProjectServers({ projectId, ...page }));
  return Object.fromEntries(
    pairs.map(([name, saved]) => [name, namedOne(servers, saved, 'server').id]),
  );
}

export function readPair(flag: string): [string, string] {
  const at = flag.indexOf('=');
  const [name, saved] = [flag.slice(0, at).trim(), flag.slice(at + 1).trim()];
  if (at < 1 || name === '' || saved === '') {
    throw new UsageProblem(
      '--server takes a name of the file and a saved server by id or name, as "Weather=Sample bookshop".',
    );
  }
  return [name, saved];
}
