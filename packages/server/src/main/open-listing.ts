/**
 * Lists the tools of servers in this process, with the same outgoing connections and limits as a
 * service for one person. No database is opened and nothing is stored.
 */
import { randomUUID } from 'node:crypto';
import { version } from '@proofmark/contract';
import type { Json, ServerToTest } from '@proofmark/domain';
import { createMcpGateway } from '../outside/mcp/create-mcp-gateway.ts';
import { bindAddress } from './bind-address.ts';
import { egressPolicy } from './egress-policy.ts';
import type { Settings } from './settings.ts';

export interface ListedServer {
  /** The name and version that the server states about itself. */
  readonly serverInfo: Json | null;
  readonly instructions?: string;
  readonly tools: readonly Json[];
}

export interface Listing {
  /** Starts or calls the server and reads all pages of its list of tools. */
  list(server: ServerToTest): Promise<ListedServer>;
  close(): Promise<void>;
}

export async function openListing(settings: Settings): Promise<Listing> {
  const bind = await bindAddress(settings.host, settings.dangerouslyBindAll);
  const egress = egressPolicy(settings, bind, []);
  const mcp = createMcpGateway({ egress, client: { name: 'proofmark', version } });
  return {
    list({ name, ...address }) {
      // Each server is listed once, so no session is shared and its identity says nothing.
      const target = { organizationId: '', serverId: name, address, identity: randomUUID() };
      return mcp.use(target, async (session) => {
        const tools = await session.listAll('tools');
        const { serverVersion, instructions } = session.initInfo;
        return { serverInfo: serverVersion, tools, ...(instructions && { instructions }) };
      });
    },
    close: () => mcp.close(),
  };
}
