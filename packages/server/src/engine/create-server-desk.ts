/**
 * Opens the servers of a run, all at once, and makes calls on them. A server that could not be opened has a signal
 * that says whose failure it was; whether our own way out works is asked only where it seems to be the server's, and
 * once. What was never connected is no evidence about its tools, so then there is no signal of the lists.
 */
import { createHash } from 'node:crypto';
import {
  type Attribution,
  attributeFailure,
  canonicalToolSurface,
  foldSignals,
  isConnectFailure,
  Refused,
  type SetupSignal,
  trialSentence,
  wasAnswered,
} from '@proofmark/domain';
import { factsOf, McpFailure } from '../mcp/mcp-failure.ts';
import type { McpGateway } from '../mcp/mcp-gateway.ts';
import type { McpTarget } from '../mcp/mcp-target.ts';
import { CallSlots } from './call-slots.ts';
import type { OpenedServer, OpenedServers, ServerDesk } from './server-desk.ts';
import { SharedAttempt } from './shared-attempt.ts';
import type { ToolSurface } from './trial-record.ts';

export interface DeskTarget {
  readonly id: string;
  readonly name: string;
  /** A Refused says that we ourselves cannot speak to the server. */
  target(signal: AbortSignal): Promise<McpTarget>;
}

export interface DeskMeans {
  readonly mcp: Pick<McpGateway, 'use'>;
  readonly targets: readonly DeskTarget[];
  /** Whether our own way out to the network works. */
  verifyEgress(): Promise<boolean>;
  elapsedMs(): number;
  /** Calls of one server at once, counted over all desks of the process. */
  readonly callsPerServer?: number;
}

export const defaultCallsPerServer = 8;
const callSlots = new CallSlots();

export function createServerDesk(means: DeskMeans): ServerDesk {
  const { callsPerServer = defaultCallsPerServer } = means;
  const attempts = means.targets.map(
    (target) =>
      new SharedAttempt<Attempt>(
        (signal) => openServer(means, target, signal),
        ({ failed }) => failed === undefined,
      ),
  );
  const egress = new SharedAttempt(
    () => means.verifyEgress(),
    () => true,
  );
  // Trials that begin together share the work, down to the spelling of the tools.
  const whole = new SharedAttempt<OpenedServers>(
    async (signal) => {
      const tried = await Promise.all(attempts.map((attempt) => attempt.get(signal)));
      return foldAttempts(tried, () => egress.get(signal));
    },
    ({ surface }) => surface !== null,
  );
  return {
    open: (signal) => whole.get(signal),
    async callTool(serverId, name, input, signal) {
      const index = means.targets.findIndex(({ id }) => id === serverId);
      const target = attempts[index]?.kept?.target;
      if (target === undefined) throw new Error('The server of the call is not open.');
      return callSlots.run(serverId, callsPerServer, signal, () =>
        means.mcp.use(target, (session) => session.callTool(name, input), { signal }),
      );
    },
  };
}

interface Attempt {
  readonly server: OpenedServer;
  readonly target?: McpTarget;
  readonly failed?: {
    readonly stage: 'connect' | 'toolsList';
    readonly attribution: Attribution;
    /** Something came back, which shows by itself that our way out works. */
    readonly isAnswered: boolean;
  };
}

async function openServer(
  { mcp, elapsedMs }: DeskMeans,
  { id, name, target }: DeskTarget,
  signal: AbortSignal,
): Promise<Attempt> {
  const startedMs = elapsedMs();
  let connectedMs: number | undefined;
  try {
    const found = await target(signal);
    const tools = await mcp.use(
      found,
      (session) => {
        connectedMs = elapsedMs();
        return session.listAll('tools');
      },
      { signal },
    );
    const listedMs = elapsedMs();
    const connectMs = (connectedMs ?? listedMs) - startedMs;
    const listMs = listedMs - (connectedMs ?? listedMs);
    return { server: { id, name, tools, connectMs, listMs }, target: found };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    const endedMs = elapsedMs();
    const stage = connectedMs === undefined || failure.isConnect ? 'connect' : 'toolsList';
    return {
      server: {
        id,
        name,
        tools: [],
        failure: trialSentence(failure.message),
        connectMs: (connectedMs ?? endedMs) - startedMs,
        listMs: connectedMs === undefined ? 0 : endedMs - connectedMs,
      },
      failed: { stage, attribution: failure.attribution, isAnswered: failure.isAnswered },
    };
  }
}

function failureOf(error: unknown) {
  if (error instanceof Refused) {
    const { message } = error;
    return { message, isConnect: true, attribution: 'ours' as const, isAnswered: false };
  }
  // Too many sessions of our own at once are no doing of a server; the trial is worth another try.
  if (!(error instanceof McpFailure) || error.code === 'RATE_LIMITED') return undefined;
  const facts = factsOf(error);
  return {
    message: error.message,
    isConnect: isConnectFailure(facts),
    attribution: attributeFailure(facts),
    isAnswered: wasAnswered(facts),
  };
}

async function foldAttempts(
  tried: readonly Attempt[],
  verifyEgress: () => Promise<boolean>,
): Promise<OpenedServers> {
  const servers = tried.map(({ server }) => server);
  const isTheirs = tried.some(
    ({ failed }) =>
      failed?.stage === 'connect' && failed.attribution === 'theirs' && !failed.isAnswered,
  );
  const egressVerified = isTheirs && (await verifyEgress());
  const connect = foldSignals(
    tried.map(({ failed }) => signalOf(failed, 'connect', egressVerified)),
  );
  return {
    servers,
    connect,
    // A list that failed on a connection that held shows by itself that our way out works.
    toolsList: connect.ok
      ? foldSignals(tried.map(({ failed }) => signalOf(failed, 'toolsList', true)))
      : undefined,
    surface: tried.every(({ failed }) => failed === undefined) ? surfaceOf(servers) : null,
  };
}

function signalOf(
  failed: Attempt['failed'],
  stage: 'connect' | 'toolsList',
  egressVerified: boolean,
): SetupSignal {
  if (failed?.stage !== stage) return { ok: true };
  const { attribution, isAnswered } = failed;
  return { ok: false, attribution, egressVerified: egressVerified || isAnswered };
}

function surfaceOf(servers: readonly OpenedServer[]): ToolSurface {
  const spelled = servers
    .map(({ id, tools }) => ({ id, text: canonicalToolSurface(tools) }))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, text }) => `${JSON.stringify(id)}:${text}`);
  const text = `{${spelled.join(',')}}`;
  return { text, hash: createHash('sha256').update(text).digest('hex') };
}
