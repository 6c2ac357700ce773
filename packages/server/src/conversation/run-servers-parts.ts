import type { Places } from '@proofmark/domain';
import type { McpGateway, OwnSessions } from '../outside/mcp/mcp-gateway.ts';
import type { McpTarget } from '../outside/mcp/mcp-target.ts';
import type { CallSlots } from './call-slots.ts';
import type { Attempt } from './open-server.ts';
import type { OpenedServers } from './run-servers.ts';

export interface RunServerTarget {
  readonly id: string;
  readonly name: string;
  /** Throws Refused if we cannot connect to the server. */
  target(signal: AbortSignal): Promise<McpTarget>;
}

/** The parts that the trials of a run share. */
export interface RunServersParts {
  readonly dependencies: RunServersDependencies;
  readonly sessions: readonly OwnSessions[];
  readonly slots: CallSlots;
  readonly callsPerServer: number;
  /** Returns whether a later trial would use the prepared parts. */
  mayPrepare(): boolean;
  fold(tried: readonly Attempt[], signal: AbortSignal): Promise<OpenedServers>;
}

export interface RunServersDependencies {
  readonly mcp: Pick<McpGateway, 'ownSessions' | 'reserve'>;
  readonly organizationId: string;
  readonly targets: readonly RunServerTarget[];
  /** True if all trials of the run in this process share one session with each server. */
  readonly sharesSessions?: boolean;
  /** True if each trial has one slot more than servers, to list one of them again. */
  readonly listsAgain?: boolean;
  /** The number of trials of the run; nothing is prepared beyond it. */
  readonly trials?: number;
  /** Returns whether our own egress works. */
  verifyEgress(): Promise<boolean>;
  elapsedMs(): number;
  /** The most concurrent calls of one server. */
  readonly callsPerServer?: number;
  /** The places that count them over all processes (default: over all runs of this process). */
  readonly places?: Places;
  /**
   * The first pause, in milliseconds, for a server that asks us to wait without a time; later ones
   * are longer (default: 150).
   */
  readonly firstPauseMs?: number;
}
