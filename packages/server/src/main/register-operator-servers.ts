/**
 * Makes the stdio servers of the configuration file appear as saved servers, and says how each is started. That stays
 * in this process: the database learns no command.
 */
import type { StdioAddress } from '../mcp/mcp-target.ts';
import type { Database } from '../storage/database/database.ts';
import {
  findOperatorServer,
  findProjectOfOperator,
  type OperatorServer,
  syncOperatorServers,
} from '../storage/servers/operator-servers.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

export async function registerOperatorServers(
  owner: Database,
  { stdioServers }: Pick<Settings, 'stdioServers'>,
): Promise<ReadonlyMap<string, StdioAddress>> {
  const addresses = new Map<OperatorServer, StdioAddress>();
  for (const { name, projectId, command, args, env } of stdioServers) {
    const project = await findProjectOfOperator(owner, projectId);
    if (project === undefined) {
      throw new BadSetting(`stdioServers: ${name}: there is no project ${projectId ?? 'yet'}.`);
    }
    const server = { name, projectId: project.id, organizationId: project.organizationId };
    addresses.set(server, { kind: 'stdio', command, args, env });
  }
  const { ids, nameTaken } = await syncOperatorServers(owner, [...addresses.keys()]);
  const [taken] = nameTaken;
  if (taken !== undefined) {
    throw new BadSetting(
      `stdioServers: ${taken}: a saved server of the project already has this name.`,
    );
  }
  return new Map([...ids].map(([server, id]) => [id, addresses.get(server) as StdioAddress]));
}

/** How a worker of its own starts them: what its file names and the service has saved. */
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
