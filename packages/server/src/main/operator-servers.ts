/** Makes the stdio servers of the configuration file appear as saved servers. */
import type { Database } from '../storage/database.ts';
import {
  findProjectOfOperator,
  type OperatorServer,
  syncOperatorServers,
} from '../storage/operator-servers.ts';
import { BadSetting } from './setting.ts';
import type { StdioServer } from './stdio-servers.ts';

export async function placeOperatorServers(
  owner: Database,
  servers: readonly StdioServer[],
): Promise<void> {
  const placed: OperatorServer[] = [];
  for (const server of servers) {
    const project = await findProjectOfOperator(owner, server.projectId);
    if (project === undefined) {
      throw new BadSetting(
        `stdioServers: ${server.name}: there is no project ${server.projectId ?? 'yet'}.`,
      );
    }
    placed.push({
      name: server.name,
      projectId: project.id,
      organizationId: project.organizationId,
    });
  }
  const { nameTaken } = await syncOperatorServers(owner, placed);
  if (nameTaken[0] !== undefined) {
    throw new BadSetting(
      `stdioServers: ${nameTaken[0]}: a saved server of the project already has this name.`,
    );
  }
}
