/**
 * The servers of a run as its trials use them. Unless the run shares its sessions, every trial has
 * its own session with each server and gets the tools listed in it.
 */
import type { Deadline, Json, SetupSignal } from '@proofmark/domain';
import type { McpSession, ServerInitInfo, ToolOutcome } from '../outside/mcp/mcp-gateway.ts';
import type { ServerEvent } from '../outside/mcp/server-events.ts';
import type { OnServerRequest } from '../outside/mcp/server-requests.ts';
import type { ToolSurface } from './trial-record.ts';

export interface RunServers {
  /**
   * Returns the servers for one trial. If the organization uses all its sessions, it waits here;
   * the trial's time begins when it has its slots. If a server asks us to wait, that is done only
   * while some of that time is left.
   */
  forTrial(signal: AbortSignal, time: TimeLeft): Promise<TrialServers>;
  /**
   * Returns the tools that a server lists now. A new session is used, because a server may answer a
   * second listing in the same session from a cache. The caller's trial has reserved a slot for it,
   * so this does not wait.
   */
  listAgain(serverId: string, signal: AbortSignal, time: TimeLeft): Promise<readonly Json[]>;
  /** Called when this process has no more trials of the run. */
  close(): Promise<void>;
}

export type TimeLeft = Pick<Deadline, 'remainingMs'>;

export interface TrialServers {
  /** Connects to every server and lists its tools. Servers that fail are reported in the result. */
  open(signal: AbortSignal, options?: OpenOptions): Promise<OpenedServers>;
  /**
   * Calls a tool; throws an McpFailure if it gets no result. `onWaiting` is called when the call
   * starts to wait for a slot, and when it is sent.
   */
  callTool(
    serverId: string,
    name: string,
    input: Json,
    signal: AbortSignal,
    onWaiting?: (isWaiting: boolean) => void,
    /**
     * Whether a call that times out while other calls of ours run on the server is repeated alone.
     */
    mayRepeat?: boolean,
  ): Promise<ToolOutcome>;
  /** Runs any other request, with the same waits and limits as a call. */
  ask<Result>(
    serverId: string,
    work: (session: McpSession) => Promise<Result>,
    signal: AbortSignal,
    onWaiting?: (isWaiting: boolean) => void,
    /**
     * Called with the timeout in milliseconds when a request is repeated alone after it. Without
     * this callback nothing is repeated.
     */
    onRepeat?: (afterMs: number) => void,
  ): Promise<Result>;
  /** Returns why the trial is waiting now, if a server asked to wait or has no free place. */
  heldBack(): string | undefined;
  /** Starts to end the trial's sessions, without waiting for their end. */
  close(): void;
  /** The servers to use for the calls around the steps, if they differ. */
  readonly around?: TrialServers;
  /** The servers to use for the calls after the trial, if they differ. */
  readonly after?: TrialServers;
}

export type OnTrialRequest = (
  ...request: [...Parameters<OnServerRequest>, serverId: string]
) => ReturnType<OnServerRequest>;

export interface OpenOptions {
  /** Answers requests that a server sends in a session of this trial. */
  readonly onServerRequest?: OnTrialRequest;
  /** Called for each unsolicited message of a server while the trial is open. */
  readonly onServerEvent?: (serverName: string, event: ServerEvent) => void;
  /**
   * Whether servers are asked to send progress and log messages if there is a listener (default:
   * true).
   */
  readonly asksForEvents?: boolean;
}

export interface OpenedServers {
  readonly servers: readonly OpenedServer[];
  /** Whether all servers could be connected, as one signal. */
  readonly connect: SetupSignal;
  readonly toolsList: SetupSignal | undefined;
  /**
   * The surface; the same object for all trials with the same listed tools. Null if a server could
   * not be listed.
   */
  readonly surface: ToolSurface | null;
}

export interface OpenedServer {
  readonly id: string;
  readonly name: string;
  /** All tools that the server lists, even those that the client hides from the model. */
  readonly tools: readonly Json[];
  /** The tools as the server listed them, if `tools` was changed. */
  readonly ownTools?: readonly Json[];
  /** The server's answer to `initialize`; absent if it gave none. */
  readonly initInfo?: ServerInitInfo;
  /** Why the server could not be opened, as a sentence. */
  readonly failure?: string;
  /** Whether the server requires OAuth and accepts none of the stored grants. */
  readonly needsOAuth?: true;
  readonly connectMs: number;
  readonly listMs: number;
}
