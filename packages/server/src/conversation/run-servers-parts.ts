import type { Places } from '@proofmark/domain';
import type { McpGateway, OwnSessions } from '../outside/mcp/mcp-gateway.ts';
import type { McpTarget } from '../outside/mcp/mcp-target.ts';
import type { CallSlots } from './call-slots.ts';
import type { Attempt } from './open-server.ts';
import type { OpenedServers } from './run-servers.ts';

export interface RunServerTarget {
  readonly id: string;
  readonly name: string;
  /** Throws Refused if Proofmark cannot connect for a reason of its own. */
  target(signal: AbortSignal): Promise<McpTarget>;
}

export interface RunServersParts {
  readonly dependencies: RunServersDependencies;
  readonly sessions: readonly OwnSessions[];
  readonly slots: CallSlots;
  readonly callsPerServer: number;
  /** Whether a later trial would use a session that is prepared now. */
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
   * Whether each trial reserves an additional slot, in which it can list one server's tools again.
   */
  readonly listsAgain?: boolean;
  /** The number of trials in the run. Sessions are prepared for at most this many. */
  readonly trials?: number;
  verifyEgress(): Promise<boolean>;
  elapsedMs(): number;
  readonly callsPerServer?: number;
  /** Limits concurrent calls across all processes (default: only within this process). */
  readonly places?: Places;
  /**
   * Milliseconds of the first pause if a server asks Proofmark to wait but states no time. Later
   * pauses grow (default: 150).
   */
  readonly firstPauseMs?: number;
}
