/**
 * Stdio servers that were named in `proofmark test` or `proofmark init`. Their start commands are
 * in `stdio-servers.json` in the data directory, readable only by its owner because they may
 * contain secrets. The configuration file takes precedence.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import {
  ensureOperatorServer,
  findProjectOfOperator,
} from '../features/servers/store/operator-servers.ts';
import type { StdioAddress } from '../outside/mcp/mcp-target.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';
import { programsFile, sealFile } from './trusted-data-directory.ts';
import { withOperatorStore } from './with-operator-store.ts';

const FolderServer = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  cwd: z.string(),
});
export type FolderServer = z.infer<typeof FolderServer>;
export type ServerToStart = Pick<FolderServer, 'name' | 'command' | 'args' | 'env' | 'cwd'>;

type Place = Pick<Settings, 'dataDir' | 'databaseUrl' | 'stateFolder'>;

/**
 * Saves the server in the project (default: the operator's) and returns its id. A server with the
 * same name is updated.
 */
export async function saveFolderServer(
  settings: Settings,
  wanted: { readonly projectId: string | undefined; readonly server: ServerToStart },
  notify: (sentence: string) => void,
): Promise<string> {
  const { server } = wanted;
  return withOperatorStore(settings, notify, async ({ owner }) => {
    const project = await findProjectOfOperator(owner, wanted.projectId);
    if (project === undefined) throw new BadSetting(`There is no project ${wanted.projectId}.`);
    const { id: projectId, organizationId } = project;
    const row = { name: server.name, projectId, organizationId };
    const id = await owner.transaction((sql) => ensureOperatorServer(sql, row));
    if (id === undefined) {
      throw new BadSetting(
        `A saved server is already named ${server.name}; choose another name with --server-name.`,
      );
    }
    const others = readFolderServers(settings).filter((one) => one.id !== id);
    writeFolderServers(settings, [...others, { id, projectId, ...server }]);
    return id;
  });
}

export function readFolderServers({ dataDir, databaseUrl }: Place): FolderServer[] {
  if (databaseUrl !== undefined) return [];
  try {
    return z.array(FolderServer).parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')));
  } catch {
    // A file that is missing or has another format counts as an empty list.
    return [];
  }
}

export function writeFolderServers(place: Place, servers: readonly FolderServer[]): void {
  const file = fileIn(place.dataDir);
  const unfinished = `${file}.${process.pid}`;
  rmSync(unfinished, { force: true });
  const text = `${JSON.stringify(servers, undefined, 2)}\n`;
  sealFile(place, programsFile, text);
  writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, file);
}

/**
 * Returns a function that finds the start command of a server in the file. It reads the file again
 * when that has changed.
 */
export function folderAddresses(place: Place): (serverId: string) => StdioAddress | undefined {
  let readAt = -1;
  let known: FolderServer[] = [];
  return (serverId) => {
    const { mtimeMs = 0 } =
      place.databaseUrl === undefined
        ? (statSync(fileIn(place.dataDir), { throwIfNoEntry: false }) ?? {})
        : {};
    if (mtimeMs !== readAt) known = mtimeMs === 0 ? [] : readFolderServers(place);
    readAt = mtimeMs;
    const found = known.find(({ id }) => id === serverId);
    if (found === undefined) return undefined;
    const { command, args, env, cwd } = found;
    return { kind: 'stdio', command, args, env, cwd };
  };
}

function fileIn(dataDir: string): string {
  return join(dataDir, programsFile);
}
