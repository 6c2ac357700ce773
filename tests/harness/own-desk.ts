/** The servers of one trial, each with a session of its own that is answered by the trial. */
import type { ServerDesk } from '../../packages/server/src/engine/server-desk.ts';
import type { McpTarget } from '../../packages/server/src/mcp/mcp-target.ts';
import { httpTarget } from '../mcp-servers/gateway-for-test.ts';
import { type OwnTestSession, openOwnSession } from '../mcp-servers/own-session.ts';
import type { TrialServer } from './engine-trial.ts';

export function ownDesk(
  servers: readonly TrialServer[],
  more: Partial<McpTarget> = {},
): ServerDesk & { close(): Promise<void> } {
  const sessions = new Map<string, OwnTestSession>();
  return {
    async open(_, options) {
      const opened = await Promise.all(
        servers.map(async ({ id, name, url }) => {
          const target = httpTarget(url, { serverId: id, ...more });
          const session = await openOwnSession(target, options?.onServerRequest);
          sessions.set(id, session);
          const tools = await session.use((own) => own.listAll('tools'));
          return { id, name, tools, connectMs: 1, listMs: 1 };
        }),
      );
      const ok = { ok: true } as const;
      const surface = { hash: 'hash', text: '{}' };
      return { servers: opened, connect: ok, toolsList: ok, surface };
    },
    async callTool(serverId, name, input, signal) {
      const session = sessions.get(serverId);
      if (session === undefined) throw new Error('The server is not open.');
      return session.use((own) => own.callTool(name, input), { signal });
    },
    async close() {
      for (const session of sessions.values()) await session.close();
    },
  };
}
