/**
 * Chooses how the servers of a suite are reached: as the flags say, else as the suite states, else
 * as a file of this folder says. Only with the last choice is the user told, since no one wrote it
 * down for this suite.
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
  /** Whether programs can be started here at all. */
  looksForFiles = true,
): ServersFor {
  const tell = tellOnce();
  return async (suite) => {
    const stated = chosen ?? serversOfSuite(suite, flags);
    if (stated !== undefined || suite.hasEnvironment || !looksForFiles) return stated;
    const wanted = flags.serverName === undefined ? suite.servers : [flags.serverName];
    // A service, or data of an earlier one, may have the server saved under the suite's name.
    const takesAny = wanted.length === 0 || !mayHaveSavedServers(flags);
    return serversFound(wanted, takesAny, flags, tell);
  };
}

/** Returns the server that a file of this folder names, for commands without a suite. */
export function serversFoundHere(flags: ServerFlags): Promise<ChosenServers | undefined> {
  const wanted = flags.serverName === undefined ? [] : [flags.serverName];
  return serversFound(wanted, true, flags, tellOnce());
}

async function serversFound(
  wanted: readonly string[],
  takesAny: boolean,
  flags: ServerFlags,
  tell: (sentence: string) => void,
): Promise<ChosenServers | undefined> {
  const found = findServersFile(wanted, takesAny);
  if (found === undefined) return undefined;
  const { file, name } = found;
  tell(`using the server ${name} of ${file}; choose another with --from or --server-command.`);
  const several = wanted.length > 1;
  const { serverName: _, ...trust } = flags;
  return serversOfFile(file, several ? trust : { ...trust, serverName: name });
}

function mayHaveSavedServers({ url }: ServiceFlags): boolean {
  const { PROOFMARK_URL, PROOFMARK_DATA_DIR } = process.env;
  const isNamed = url !== undefined || Boolean(PROOFMARK_URL) || Boolean(PROOFMARK_DATA_DIR);
  return (
    isNamed ||
    existsSync('.proofmark') ||
    findFolderService(process.cwd(), process.env) !== undefined
  );
}

function tellOnce(): (sentence: string) => void {
  const told = new Set<string>();
  return (sentence) => {
    if (!told.has(sentence)) printNotice(sentence);
    told.add(sentence);
  };
}
