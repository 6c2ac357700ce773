/**
 * The servers of a run as its trials use them. Unless the run shares its sessions, every trial has
 * its own session with each server and lists the tools in it.
 */
import type { Deadline, ExcludedTool, Json, SetupSignal, TaskTrace } from '@proofmark/domain';
import type { McpSession, ServerInitInfo, ToolOutcome } from '../outside/mcp/mcp-gateway.ts';
import type { ServerEvent } from '../outside/mcp/server-events.ts';
import type { OnServerRequest } from '../outside/mcp/server-requests.ts';
import type { ToolSurface } from './trial-record.ts';

export interface RunServers {
  /**
   * Waits if the organization uses all its sessions. The trial's time begins once it has its slots.
   * If a server asks Proofmark to wait, the trial waits only while some of its time is left.
   */
  forTrial(signal: AbortSignal, time: TimeLeft): Promise<TrialServers>;
  /**
   * Lists a server's tools in a new session, because a server may answer a second listing in the
   * same session from a cache. The trial has reserved a slot for this session, so there is no wait.
   */
  listAgain(serverId: string, signal: AbortSignal, time: TimeLeft): Promise<readonly Json[]>;
  close(): Promise<void>;
}

export type TimeLeft = Pick<Deadline, 'remainingMs'>;

export interface TrialServers {
  /** Connects to every server and lists its tools. The result contains the servers that failed. */
  open(signal: AbortSignal, options?: OpenOptions): Promise<OpenedServers>;
  /**
   * Throws an McpFailure if the call gets no result. `onWaiting` is called when the call starts to
   * wait for a slot, and when it is sent.
   */
  callTool(
    serverId: string,
    name: string,
    input: Json,
    signal: AbortSignal,
    onWaiting?: (isWaiting: boolean) => void,
    /**
     * If the call times out while other calls of Proofmark to the server are in flight: whether it
     * is repeated with none in flight.
     */
    mayRepeat?: boolean,
    /** Called whenever the state of a task changes with which the server answers. */
    onTask?: (trace: TaskTrace) => void,
  ): Promise<ToolOutcome>;
  /** Runs a request that is no tool call, with the same waits and limits as a tool call. */
  ask<Result>(
    serverId: string,
    work: (session: McpSession) => Promise<Result>,
    signal: AbortSignal,
    onWaiting?: (isWaiting: boolean) => void,
    /**
     * Called with the timeout in milliseconds when a timed-out request is repeated with no other
     * call in flight. Without this callback, no request is repeated.
     */
    onRepeat?: (afterMs: number) => void,
  ): Promise<Result>;
  /**
   * Why the trial is waiting now: a server asked to wait, or its limit of concurrent calls is
   * reached. Otherwise undefined.
   */
  heldBack(): string | undefined;
  close(): void;
  readonly around?: TrialServers;
  readonly after?: TrialServers;
}

export type OnTrialRequest = (
  ...request: [...Parameters<OnServerRequest>, serverId: string]
) => ReturnType<OnServerRequest>;

export interface OpenOptions {
  readonly onServerRequest?: OnTrialRequest;
  readonly onServerEvent?: (serverName: string, event: ServerEvent) => void;
  /**
   * Whether servers are asked for progress and log messages if there is a listener (default: true).
   */
  readonly asksForEvents?: boolean;
  /**
   * Whether the client declares elicitation by URL (default: false). Sessions that trials share
   * never declare it.
   */
  readonly answersUrls?: boolean;
}

export interface OpenedServers {
  readonly servers: readonly OpenedServer[];
  readonly connect: SetupSignal;
  readonly toolsList: SetupSignal | undefined;
  /**
   * The same object for all trials with the same listed tools. Null if a server could not be
   * listed.
   */
  readonly surface: ToolSurface | null;
}

export interface OpenedServer {
  readonly id: string;
  readonly name: string;
  /** Includes tools that the client hides from the model. */
  readonly tools: readonly Json[];
  /** The tools that the server listed, but that clients must hide. Absent if there are none. */
  readonly excludedTools?: readonly ExcludedTool[];
  /** The tools as the server listed them; present if `tools` was changed. */
  readonly ownTools?: readonly Json[];
  /** The server's response to `initialize`; absent if there was none. */
  readonly initInfo?: ServerInitInfo;
  readonly failure?: string;
  /** True if the server requires OAuth and accepts none of the stored grants. */
  readonly needsOAuth?: true;
  readonly connectMs: number;
  readonly listMs: number;
}
