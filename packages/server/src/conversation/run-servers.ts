/**
 * The servers of a run as its trials use them. Every trial has separate sessions with all of them,
 * and gets the tools listed in these, unless the run shares its sessions.
 */
import type { Deadline, Json, SetupSignal } from '@proofmark/domain';
import type { McpSession, ServerInitInfo, ToolOutcome } from '../outside/mcp/mcp-gateway.ts';
import type { ServerEvent } from '../outside/mcp/server-events.ts';
import type { OnServerRequest } from '../outside/mcp/server-requests.ts';
import type { ToolSurface } from './trial-record.ts';

export interface RunServers {
  /**
   * Returns the servers for one trial. It waits here while the organization has its limit of
   * sessions: the time of a trial begins when it has its slots. A server's request to wait is
   * followed only while some of that time is left.
   */
  forTrial(signal: AbortSignal, time: TimeLeft): Promise<TrialServers>;
  /**
   * Returns the tools that one of the servers lists now, in a separate session: a server may answer
   * a second listing of one session from the first. The caller's trial has a spare slot, so nothing
   * waits.
   */
  listAgain(serverId: string, signal: AbortSignal, time: TimeLeft): Promise<readonly Json[]>;
  /** Called when no trial of the run is left in this process. */
  close(): Promise<void>;
}

export type TimeLeft = Pick<Deadline, 'remainingMs'>;

export interface TrialServers {
  /** Connects to every server and lists its tools, as far as possible. */
  open(signal: AbortSignal, options?: OpenOptions): Promise<OpenedServers>;
  /**
   * Throws an McpFailure. `onWaiting` is called when the call waits for its turn, and when it is
   * made.
   */
  callTool(
    serverId: string,
    name: string,
    input: Json,
    signal: AbortSignal,
    onWaiting?: (isWaiting: boolean) => void,
    /** Whether a call that was not answered in time beside others of ours is repeated alone. */
    mayRepeat?: boolean,
  ): Promise<ToolOutcome>;
  /** Runs any other request in the same way. */
  ask<Result>(
    serverId: string,
    work: (session: McpSession) => Promise<Result>,
    signal: AbortSignal,
    onWaiting?: (isWaiting: boolean) => void,
    /**
     * Called with the milliseconds after which it is repeated alone; without it, nothing is
     * repeated.
     */
    onRepeat?: (afterMs: number) => void,
  ): Promise<Result>;
  /** Returns the reason of the present wait, while a server makes us wait. */
  heldBack(): string | undefined;
  /** Begins to end the sessions of the trial. */
  close(): void;
  /** The servers for the calls around the steps, if different. */
  readonly around?: TrialServers;
  /** The servers for the calls after the trial, if different. */
  readonly after?: TrialServers;
}

export type OnTrialRequest = (
  ...request: [...Parameters<OnServerRequest>, serverId: string]
) => ReturnType<OnServerRequest>;

export interface OpenOptions {
  /** Answers the requests of a server in a session of this trial. */
  readonly onServerRequest?: OnTrialRequest;
  /** Called for unsolicited messages of a server, while the trial is open. */
  readonly onServerEvent?: (serverName: string, event: ServerEvent) => void;
  /** Whether servers are asked for their progress and their log, where events are heard (default: true). */
  readonly asksForEvents?: boolean;
}

export interface OpenedServers {
  readonly servers: readonly OpenedServer[];
  /** The signal of all servers together. */
  readonly connect: SetupSignal;
  readonly toolsList: SetupSignal | undefined;
  /** One object for all trials with the same listed tools. */
  readonly surface: ToolSurface | null;
}

export interface OpenedServer {
  readonly id: string;
  readonly name: string;
  /** All tools that the server lists, including those that the client hides from the model. */
  readonly tools: readonly Json[];
  /** The server's original tools, if `tools` were changed. */
  readonly ownTools?: readonly Json[];
  /** Its answer to initialize; absent if it did not get that far. */
  readonly initInfo?: ServerInitInfo;
  /** One sentence, if it could not be opened. */
  readonly failure?: string;
  /** True if it requires OAuth and accepts no grant that we have. */
  readonly needsOAuth?: true;
  readonly connectMs: number;
  readonly listMs: number;
}
