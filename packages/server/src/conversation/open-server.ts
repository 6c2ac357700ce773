/**
 * Connects to one server for a trial and lists its tools. A fault of the server is returned, not
 * thrown.
 */
import {
  type Attribution,
  attributeFailure,
  type ExcludedTool,
  isConnectFailure,
  type Json,
  Refused,
  trialSentence,
  wasAnswered,
} from '@proofmark/domain';
import { factsOf, McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { OwnSession, ServerInitInfo } from '../outside/mcp/mcp-gateway.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import type { OpenedServer } from './run-servers.ts';

export interface Attempt {
  readonly server: OpenedServer;
  readonly failed?: {
    readonly stage: 'connect' | 'toolsList';
    readonly attribution: Attribution;
    /**
     * Whether any response arrived. A response proves that Proofmark's own outgoing connections
     * work.
     */
    readonly isAnswered: boolean;
  };
}

export interface ServerToOpen {
  readonly id: string;
  readonly name: string;
  /** Throws Refused if Proofmark cannot connect for a reason of its own. */
  session(): Promise<OwnSession>;
  /** Runs a request, and repeats it while the server asks Proofmark to wait. */
  ask<Result>(work: () => Promise<Result>): Promise<Result>;
  elapsedMs(): number;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one attempt, whose times are kept on every way out of it.
export async function openServer(
  { id, name, session, ask, elapsedMs }: ServerToOpen,
  signal: AbortSignal,
): Promise<Attempt> {
  let startedMs = elapsedMs();
  let connectedMs: number | undefined;
  let initInfo: ServerInitInfo | undefined;
  let excludedTools: readonly ExcludedTool[] = [];
  try {
    const own = await session();
    const tools = await ask(() => {
      // The server's time starts here, after the wait for a slot of Proofmark.
      if (connectedMs === undefined) startedMs = elapsedMs();
      return own.use(
        async (connected) => {
          connectedMs ??= elapsedMs();
          initInfo = connected.initInfo;
          const listed = await connected.listAll('tools');
          ({ excludedTools } = connected);
          return listed;
        },
        { signal },
      );
    });
    const listedMs = elapsedMs();
    const connectMs = (connectedMs ?? listedMs) - startedMs;
    const listMs = listedMs - (connectedMs ?? listedMs);
    const hidden = excludedTools.length > 0 && { excludedTools };
    const told = { ...(initInfo && { initInfo }), ...hidden };
    return { server: { id, name, tools, connectMs, listMs, ...told } };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    const endedMs = elapsedMs();
    const stage = connectedMs === undefined || failure.isConnect ? 'connect' : 'toolsList';
    const none: readonly Json[] = [];
    return {
      server: {
        id,
        name,
        tools: none,
        ...(initInfo && { initInfo }),
        failure: trialSentence(failure.message),
        ...(failure.needsOAuth && { needsOAuth: true }),
        connectMs: (connectedMs ?? endedMs) - startedMs,
        listMs: connectedMs === undefined ? 0 : endedMs - connectedMs,
      },
      failed: { stage, attribution: failure.attribution, isAnswered: failure.isAnswered },
    };
  }
}

function failureOf(error: unknown) {
  if (error instanceof Refused || isRefusedEvenAlone(error)) {
    const isConnect = error instanceof Refused;
    const { message } = error;
    const needsOAuth = isConnect && error.refusal.code === 'OAUTH_REQUIRED';
    return { message, isConnect, attribution: 'ours' as const, isAnswered: !isConnect, needsOAuth };
  }
  // Proofmark opened too many sessions concurrently, which is not the server's fault. So the error
  // is not returned as a fault, and the trial is retried.
  if (!(error instanceof McpFailure) || error.code === 'RATE_LIMITED') return undefined;
  const facts = factsOf(error);
  return {
    message: error.message,
    isConnect: isConnectFailure(facts),
    attribution: attributeFailure(facts),
    isAnswered: wasAnswered(facts),
    needsOAuth: error.code === 'OAUTH_REQUIRED',
  };
}
