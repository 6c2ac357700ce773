/**
 * Chooses the servers of a suite: from flags, else from the suite file, else from a file of this
 * folder. In the third case the user is informed, because the suite does not mention that file.
 */
import { existsSync } from 'node:fs';
import { printNotice } from '../../output.ts';
import { findFolderService } from '../../remote/folder-service.ts';
import { type ChosenServers, type ServerFlags, serversOfSuite } from './chosen-servers.ts';
import type { ServiceFlags } from './open-service.ts';
import { findServersFile, serversOfFile } from './servers-of-file.ts';
import type { SuiteToTest } from './suite-files.ts';

export type ServersFor = (suite: SuiteToTest) => Promise<ChosenServers | undefined>;

export function serversForSuites(
  chosen: ChosenServers | undefined,
  flags: ServerFlags & ServiceFlags,
  /** Whether a server may be taken from a file of this folder. */
  looksForFiles = true,
): ServersFor {
  const print = makeOncePrinter();
  return async (suite) => {
    const stated = chosen ?? serversOfSuite(suite, flags);
    if (stated !== undefined || suite.hasEnvironment || !looksForFiles) return stated;
    const wanted = flags.serverName === undefined ? suite.servers : [flags.serverName];
    if (wanted.length > 0 && mayHaveSavedServers(flags)) return undefined;
    return serversFound(wanted, flags, print);
  };
}

export function serversFoundHere(flags: ServerFlags): Promise<ChosenServers | undefined> {
  const wanted = flags.serverName === undefined ? [] : [flags.serverName];
  return serversFound(wanted, flags, makeOncePrinter());
}

async function serversFound(
  wanted: readonly string[],
  flags: ServerFlags,
  print: (sentence: string) => void,
): Promise<ChosenServers | undefined> {
  const { found, broken } = findServersFile(wanted);
  if (found === undefined) return undefined;
  for (const problem of broken) print(`warning: ${problem} It is not used.`);
  const { file, name } = found;
  const several = wanted.length > 1;
  const which = several ? `the servers ${wanted.join(', ')}` : `the server ${name}`;
  print(`using ${which} of ${file}; choose another with --from or --server-command.`);
  const { serverName: _, ...trust } = flags;
  return serversOfFile(file, several ? trust : { ...trust, serverName: name });
}

/**
 * A service, its data directory or its settings may contain a saved server with the name in the
 * suite.
 */
function mayHaveSavedServers({ url }: ServiceFlags): boolean {
  const { PROOFMARK_URL, PROOFMARK_DATA_DIR } = process.env;
  const isNamed = url !== undefined || Boolean(PROOFMARK_URL) || Boolean(PROOFMARK_DATA_DIR);
  return (
    isNamed ||
    ['.proofmark', 'proofmark.config.json'].some((name) => existsSync(name)) ||
    findFolderService(process.cwd(), process.env) !== undefined
  );
}

function makeOncePrinter(): (sentence: string) => void {
  const printed = new Set<string>();
  return (sentence) => {
    if (!printed.has(sentence)) printNotice(sentence);
    printed.add(sentence);
  };
}
