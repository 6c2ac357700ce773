/**
 * Saves the stdio servers of the configuration file as servers, and returns their start commands.
 * The commands stay in this process: the database never contains one.
 */

import {
  findOperatorServer,
  findProjectOfOperator,
  type OperatorServer,
  syncOperatorServers,
} from '../features/servers/store/operator-servers.ts';
import type { StdioAddress } from '../outside/mcp/mcp-target.ts';
import type { Database } from '../platform/database/database.ts';
import {
  type FolderServer,
  folderAddresses,
  readFolderServers,
  writeFolderServers,
} from './folder-servers.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

export async function registerOperatorServers(
  owner: Database,
  settings: Pick<
    Settings,
    'stdioServers' | 'dataDir' | 'databaseUrl' | 'stateFolder' | 'leavesServersOut'
  >,
): Promise<(serverId: string) => StdioAddress | undefined> {
  const { stdioServers } = settings;
  const addresses = new Map<OperatorServer, StdioAddress>();
  for (const { name, projectId, command, args, env } of stdioServers) {
    const project = await findProjectOfOperator(owner, projectId);
    if (project === undefined) {
      throw new BadSetting(`stdioServers: ${name}: there is no project ${projectId ?? 'yet'}.`);
    }
    const server = { name, projectId: project.id, organizationId: project.organizationId };
    addresses.set(server, { kind: 'stdio', command, args, env });
  }
  const ofFolder = await placed(owner, settings, [...addresses.keys()]);
  const { ids, nameTaken } = await syncOperatorServers(
    owner,
    [...addresses.keys(), ...ofFolder.keys()],
    settings.leavesServersOut,
  );
  const taken = nameTaken.find((name) => [...addresses.keys()].some((one) => one.name === name));
  if (taken !== undefined) {
    throw new BadSetting(
      `stdioServers: ${taken}: a saved server of the project already has this name.`,
    );
  }
  if (ofFolder.size > 0) {
    writeFolderServers(
      settings,
      [...ofFolder].flatMap(([server, one]) => {
        const id = ids.get(server);
        return id === undefined ? [] : [{ ...one, id, projectId: server.projectId }];
      }),
    );
  }
  const configured = new Map([...ids].map(([server, id]) => [id, addresses.get(server)]));
  const addedOf = folderAddresses(settings);
  return (serverId) => configured.get(serverId) ?? addedOf(serverId);
}

/**
 * Returns the servers that were named at the terminal, if their project exists and the
 * configuration file does not name them.
 */
async function placed(
  owner: Database,
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  configured: readonly OperatorServer[],
): Promise<ReadonlyMap<OperatorServer, FolderServer>> {
  const found = new Map<OperatorServer, FolderServer>();
  for (const one of readFolderServers(settings)) {
    const project = await findProjectOfOperator(owner, one.projectId);
    const isNamed = configured.some(
      ({ name, projectId }) =>
        projectId === project?.id && name.toLowerCase() === one.name.toLowerCase(),
    );
    if (project === undefined || isNamed) continue;
    const { id: projectId, organizationId } = project;
    found.set({ name: one.name, projectId, organizationId }, one);
  }
  return found;
}

/**
 * Returns the start commands for a separate worker: from the worker's own configuration file, if
 * the service has saved a server of that name.
 */
export async function findOperatorServers(
  owner: Database,
  { stdioServers }: Pick<Settings, 'stdioServers'>,
): Promise<ReadonlyMap<string, StdioAddress>> {
  const found = new Map<string, StdioAddress>();
  for (const { name, projectId, command, args, env } of stdioServers) {
    const project = await findProjectOfOperator(owner, projectId);
    const id = project && (await findOperatorServer(owner, project.id, name));
    if (id !== undefined) found.set(id, { kind: 'stdio', command, args, env });
  }
  return found;
}
