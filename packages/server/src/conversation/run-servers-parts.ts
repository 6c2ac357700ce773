import type { Places } from '@proofmark/domain';
import type { McpGateway, OwnSessions } from '../outside/mcp/mcp-gateway.ts';
import type { McpTarget } from '../outside/mcp/mcp-target.ts';
import type { CallSlots } from './call-slots.ts';
import type { Attempt } from './open-server.ts';
import type { OpenedServers } from './run-servers.ts';

export interface RunServerTarget {
  readonly id: string;
  readonly name: string;
  /** A Refused says that we ourselves cannot speak to the server. */
  target(signal: AbortSignal): Promise<McpTarget>;
}

/** What the trials of a run have in common. */
export interface RunServersParts {
  readonly dependencies: RunServersDependencies;
  readonly sessions: readonly OwnSessions[];
  readonly slots: CallSlots;
  readonly callsPerServer: number;
  /** Whether a trial is still to come that would use what is prepared. */
  mayPrepare(): boolean;
  fold(tried: readonly Attempt[], signal: AbortSignal): Promise<OpenedServers>;
}

export interface RunServersDependencies {
  readonly mcp: Pick<McpGateway, 'ownSessions' | 'reserve'>;
  readonly organizationId: string;
  readonly targets: readonly RunServerTarget[];
  /** Whether all trials of the run here share one session with each server. */
  readonly sharesSessions?: boolean;
  /** Whether each trial has a slot more than it has servers, to list one of them again. */
  readonly listsAgain?: boolean;
  /** How many trials the run has; nothing is prepared for more. */
  readonly trials?: number;
  /** Whether our own egress works. */
  verifyEgress(): Promise<boolean>;
  elapsedMs(): number;
  /** Calls of one server at once. */
  readonly callsPerServer?: number;
  /** Where those are counted over all processes; left out, over all runs of this one. */
  readonly places?: Places;
  /** The first pause for a server that asks us to wait and does not say how long; the next are longer. 150 where left out. */
  readonly firstPauseMs?: number;
}
