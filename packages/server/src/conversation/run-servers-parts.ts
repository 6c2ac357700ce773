import type { Places } from '@proofmark/domain';
import type { McpGateway, OwnSessions } from '../outside/mcp/mcp-gateway.ts';
import type { McpTarget } from '../outside/mcp/mcp-target.ts';
import type { CallSlots } from './call-slots.ts';
import type { Attempt } from './open-server.ts';
import type { OpenedServers } from './run-servers.ts';

export interface RunServerTarget {
  readonly id: string;
  readonly name: string;
  /** Throws Refused if Proofmark cannot connect for a reason on its own side. */
  target(signal: AbortSignal): Promise<McpTarget>;
}

/** What all trials of a run share. */
export interface RunServersParts {
  readonly dependencies: RunServersDependencies;
  readonly sessions: readonly OwnSessions[];
  readonly slots: CallSlots;
  readonly callsPerServer: number;
  /** Returns whether a later trial would use a session that is prepared now. */
  mayPrepare(): boolean;
  fold(tried: readonly Attempt[], signal: AbortSignal): Promise<OpenedServers>;
}

export interface RunServersDependencies {
  readonly mcp: Pick<McpGateway, 'ownSessions' | 'reserve'>;
  readonly organizationId: string;
  readonly targets: readonly RunServerTarget[];
  /** Whether all trials of the run in this process share one session with each server. */
  readonly sharesSessions?: boolean;
  /**
   * Whether each trial reserves one more slot than it has servers, so that it can list one of them
   * again.
   */
  readonly listsAgain?: boolean;
  /** The number of trials in the run; no session is prepared for more. */
  readonly trials?: number;
  /** Returns whether Proofmark's own outgoing connections work. */
  verifyEgress(): Promise<boolean>;
  elapsedMs(): number;
  /** The maximum number of concurrent calls of one server. */
  readonly callsPerServer?: number;
  /**
   * The places that limit concurrent calls across all processes (default: only the runs of this
   * process are limited together).
   */
  readonly places?: Places;
  /**
   * The first pause in milliseconds if a server asks us to wait but states no time; later pauses
   * grow (default: 150).
   */
  readonly firstPauseMs?: number;
}
