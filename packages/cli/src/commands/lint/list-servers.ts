import type { LintedServer } from '@proofmark/domain';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { chosenServers, type ServerFlags } from '../test/chosen-servers.ts';
import {
  type ListedServer,
  type OwnService,
  openService,
  type ServiceFlags,
} from '../test/open-service.ts';
import { serversForSuites, serversFoundHere } from '../test/server-choice.ts';
import { problemOfFilesFound } from '../test/servers-of-file.ts';
import { readSuiteToTest, suiteFilesHere, suiteFilesOf } from '../test/suite-files.ts';
import { listSaved, type ServerToLint, serversToLint } from './servers-to-lint.ts';

export interface ServerRead extends ListedServer, LintedServer {
  readonly name: string;
  readonly files: readonly string[];
}

export interface ServersToRead {
  /** Suite files; empty if flags or a file of this folder name the server. */
  readonly files: readonly string[];
  read(own: OwnService): Promise<ServerRead[]>;
}

/** Asks the user for all necessary permissions. No server is started before `read` is called. */
export async function serversToRead(
  named: readonly string[],
  flags: ServerFlags & ServiceFlags,
): Promise<ServersToRead> {
  const given = await chosenServers(flags);
  const files = suiteFilesHere(named);
  // Without suite files, a configuration file of this folder can name the server.
  const chosen = given ?? (files.length === 0 ? await serversFoundHere(flags) : undefined);
  if (chosen === undefined && files.length === 0) {
    const problem = problemOfFilesFound();
    if (problem !== undefined) throw new UsageProblem(problem);
    suiteFilesOf(named);
  }
  const suites = await Promise.all(files.map(readSuiteToTest));
  const wanted = await serversToLint(suites, chosen, serversForSuites(chosen, flags));
  const options = { ...flags, isTyped: chosen?.isTyped ?? false };
  return { files, read: (own) => listServers(wanted, options, own) };
}

/**
 * Lists the servers one after another, so that a slow machine does not start many programs at once.
 */
export async function listServers(
  wanted: readonly ServerToLint[],
  options: ServiceFlags & { readonly isTyped: boolean },
  own: OwnService,
): Promise<ServerRead[]> {
  const listed: ServerRead[] = [];
  const lister = await own.openLister(options);
  try {
    for (const { name, files, server } of wanted) {
      if (server !== undefined) listed.push({ name, files, ...(await lister.list(server)) });
    }
  } finally {
    await lister.stop();
  }
  const saved = wanted.filter(({ server }) => server === undefined);
  if (saved.length === 0) return listed;
  const service = await openService(options, own);
  try {
    for (const { name, files } of saved) {
      listed.push({ name, files, ...(await listSaved(service.connection, name)) });
    }
  } finally {
    await service.stop();
  }
  return listed;
}
