/**
 * The servers of a run as its trials use them. Every trial has sessions of its own with all of them, and is offered
 * what those list, unless the run shares its sessions.
 */
import type { Deadline, Json, SetupSignal } from '@proofmark/domain';
import type { McpSession, ServerInitInfo, ToolOutcome } from '../outside/mcp/mcp-gateway.ts';
import type { ServerEvent } from '../outside/mcp/server-events.ts';
import type { OnServerRequest } from '../outside/mcp/server-requests.ts';
import type { ToolSurface } from './trial-record.ts';

export interface RunServers {
  /**
   * The servers for one trial. Where the organization has as many sessions as it may, it waits here: the time of a trial
   * begins when it has its slots. A server may ask us to wait only while some of that time is left.
   */
  forTrial(signal: AbortSignal, time: TimeLeft): Promise<TrialServers>;
  /**
   * What one of the servers lists now, in a session of its own: a server may tell one session what it told it before.
   * Whoever asks has a trial with a slot to spare, so nothing is waited for.
   */
  listAgain(serverId: string, signal: AbortSignal, time: TimeLeft): Promise<readonly Json[]>;
  /** No trial of the run is worked on here any more. */
  close(): Promise<void>;
}

export type TimeLeft = Pick<Deadline, 'remainingMs'>;

export interface TrialServers {
  /** Connects to every server and lists its tools, as far as that is possible. */
  open(signal: AbortSignal, options?: OpenOptions): Promise<OpenedServers>;
  /** Throws an McpFailure. `onWaiting` hears when the call waits for its turn, and when it is made. */
  callTool(
    serverId: string,
    name: string,
    input: Json,
    signal: AbortSignal,
    onWaiting?: (isWaiting: boolean) => void,
    /** Whether it is made once more, alone, where it got no answer in time beside others of ours. */
    mayRepeat?: boolean,
  ): Promise<ToolOutcome>;
  /** Anything else of a server, in the same way. */
  ask<Result>(
    serverId: string,
    work: (session: McpSession) => Promise<Result>,
    signal: AbortSignal,
    onWaiting?: (isWaiting: boolean) => void,
    /** Hears after how long it is asked once more, alone; without it, nothing is asked twice. */
    onRepeat?: (afterMs: number) => void,
  ): Promise<Result>;
  /** What is waited for, while a server makes us wait. */
  heldBack(): string | undefined;
  /** Begins to end the sessions of the trial. */
  close(): void;
  /** For the calls around the steps, where those are made of others. */
  readonly around?: TrialServers;
  /** For the calls after the trial, where those are made of others. */
  readonly after?: TrialServers;
}

export type OnTrialRequest = (
  ...request: [...Parameters<OnServerRequest>, serverId: string]
) => ReturnType<OnServerRequest>;

export interface OpenOptions {
  /** Answers what a server asks in a session of this trial. */
  readonly onServerRequest?: OnTrialRequest;
  /** Hears what a server says beside its answers, as long as the trial is open. */
  readonly onServerEvent?: (serverName: string, event: ServerEvent) => void;
  /** Whether servers are asked for their progress and their log, where events are heard (default: true). */
  readonly asksForEvents?: boolean;
}

export interface OpenedServers {
  readonly servers: readonly OpenedServer[];
  /** Of all servers together. */
  readonly connect: SetupSignal;
  readonly toolsList: SetupSignal | undefined;
  /** One object for all trials that were listed the same tools. */
  readonly surface: ToolSurface | null;
}

export interface OpenedServer {
  readonly id: string;
  readonly name: string;
  /** All that the server lists, also what the client hides from the model. */
  readonly tools: readonly Json[];
  /** What came from the server, where `tools` were changed since. */
  readonly ownTools?: readonly Json[];
  /** What it answered to initialize; absent where it did not come so far. */
  readonly initInfo?: ServerInitInfo;
  /** One sentence, when it could not be opened. */
  readonly failure?: string;
  /** It asks for OAuth, and there is no grant that it takes. */
  readonly needsOAuth?: true;
  readonly connectMs: number;
  readonly listMs: number;
}
