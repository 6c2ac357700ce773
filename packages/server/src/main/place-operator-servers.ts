/**
 * Makes the stdio servers of the configuration file, and the sample, appear as saved servers, and says how
 * each is started. That stays in this process: the database learns no command.
 */
import type { StdioAddress } from '../mcp/mcp-target.ts';
import type { Database } from '../storage/database.ts';
import {
  findProjectOfOperator,
  type OperatorServer,
  syncOperatorServers,
} from '../storage/operator-servers.ts';
import { sampleServerAddress } from './sample-server-address.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

const sampleServerName = 'Sample bookshop';

export async function placeOperatorServers(
  owner: Database,
  { stdioServers, sample }: Pick<Settings, 'stdioServers' | 'sample'>,
): Promise<ReadonlyMap<string, StdioAddress>> {
  const wanted: Wanted[] = stdioServers.map(({ name, projectId, command, args, env }) => ({
    ...{ name, projectId },
    address: { kind: 'stdio', command, args, env },
  }));
  if (sample) wanted.push({ name: sampleServerName, address: sampleServerAddress() });
  const addresses = new Map<OperatorServer, StdioAddress>();
  for (const { name, projectId, address } of wanted) {
    const project = await findProjectOfOperator(owner, projectId);
    if (project === undefined) {
      throw new BadSetting(`stdioServers: ${name}: there is no project ${projectId ?? 'yet'}.`);
    }
    const placed = { name, projectId: project.id, organizationId: project.organizationId };
    addresses.set(placed, address);
  }
  const { ids, nameTaken } = await syncOperatorServers(owner, [...addresses.keys()]);
  // Somebody's own server may be called like the sample; then there is no sample.
  const taken = nameTaken.find((name) => name !== sampleServerName);
  if (taken !== undefined) {
    throw new BadSetting(
      `stdioServers: ${taken}: a saved server of the project already has this name.`,
    );
  }
  return new Map([...ids].map(([placed, id]) => [id, addresses.get(placed) as StdioAddress]));
}

interface Wanted {
  readonly name: string;
  readonly projectId?: string | undefined;
  readonly address: StdioAddress;
}
