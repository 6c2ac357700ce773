/**
 * Lists the tools of servers in this process, with the same outgoing connections and limits as a
 * service for one person. No database is opened and nothing is stored.
 */
import { randomUUID } from 'node:crypto';
import { version } from '@proofmark/contract';
import type { ExcludedTool, Json, SampleAnswer, SampleCall, ServerToTest } from '@proofmark/domain';
import { createMcpGateway } from '../outside/mcp/create-mcp-gateway.ts';
import { McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { McpGateway } from '../outside/mcp/mcp-gateway.ts';
import type { McpTarget } from '../outside/mcp/mcp-target.ts';
import { bindAddress } from './bind-address.ts';
import { egressPolicy } from './egress-policy.ts';
import type { Settings } from './settings.ts';

export interface ListedServer {
  /** The name and version that the server states about itself. */
  readonly serverInfo: Json | null;
  readonly instructions?: string;
  readonly tools: readonly Json[];
  /** The tools as listed a second time in the session, to see whether their order is stable. */
  readonly listedAgain: readonly Json[];
  /** The tools that the server listed, but that clients must hide. */
  readonly excludedTools: readonly ExcludedTool[];
}

export interface Listing {
  list(server: ServerToTest): Promise<ListedServer>;
  /** Makes the calls one after the other. Each call has a time limit of a few seconds. */
  call(server: ServerToTest, calls: readonly SampleCall[]): Promise<readonly SampleAnswer[]>;
  close(): Promise<void>;
}

export async function openListing(settings: Settings): Promise<Listing> {
  const bind = await bindAddress(settings.host, settings.dangerouslyBindAll);
  const egress = egressPolicy(settings, bind, []);
  const mcp = createMcpGateway({ egress, client: { name: 'proofmark', version } });
  return {
    list({ name, ...address }) {
      // MCP sessions are shared by targets with the same identity. Each server is used once here,
      // so a random identity is enough.
      const target = { organizationId: '', serverId: name, address, identity: randomUUID() };
      return mcp.use(target, async (session) => {
        const tools = await session.listAll('tools');
        const listedAgain = await session.listAll('tools');
        const { serverVersion, instructions } = session.initInfo;
        return {
          serverInfo: serverVersion,
          tools,
          listedAgain,
          excludedTools: session.excludedTools,
          ...(instructions && { instructions }),
        };
      });
    },
    async call({ name, ...address }, calls) {
      const identity = randomUUID();
      const target = { organizationId: '', serverId: name, address, identity, timeoutMs: callMs };
      const answers: SampleAnswer[] = [];
      for (const call of calls) answers.push({ ...call, ...(await answerTo(mcp, target, call)) });
      return answers;
    },
    close: () => mcp.close(),
  };
}

const callMs = 10_000;

async function answerTo(
  mcp: McpGateway,
  target: McpTarget,
  { toolName, arguments: args }: SampleCall,
): Promise<Pick<SampleAnswer, 'outcome' | 'message'>> {
  try {
    const {
      result,
      errorText = '',
      outputCheck,
    } = await mcp.use(target, (session) => session.callTool(toolName, args));
    if (result['isError'] === true) return { outcome: 'failed', message: errorText };
    return { outcome: outputCheck?.state === 'invalid' ? 'broken' : 'answered' };
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    const { code, message, details } = error;
    if (code === 'TIMEOUT') return { outcome: 'late', message };
    return { outcome: details['mcpErrorCode'] === undefined ? 'broken' : 'failed', message };
  }
}
