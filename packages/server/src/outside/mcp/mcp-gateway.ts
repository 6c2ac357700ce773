import type {
  DoctorCheckName,
  DoctorCheckResult,
  DoctorFindings,
  ExcludedTool,
  Json,
  TaskTrace,
} from '@proofmark/domain';
import type { McpTarget } from './mcp-target.ts';
import type { OnServerEvent } from './server-events.ts';
import type { OnServerRequest } from './server-requests.ts';

export interface McpGateway {
  /** The `fetch` that enforces the egress policy, for OAuth requests. */
  readonly fetch: typeof fetch;
  /**
   * Runs the work on a session with the server, if possible a pooled one. Every fault of the server
   * is thrown as an McpFailure. The target's time limit applies to the whole work.
   */
  use<Result>(
    target: McpTarget,
    work: (session: McpSession) => Promise<Result>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result>;
  /**
   * Reserves this number of session slots, and returns a function that frees them. Waits for free
   * slots until the signal aborts.
   */
  reserve(organizationId: string, count: number, signal: AbortSignal): Promise<() => void>;
  /** Returns a factory of sessions that are not shared with any other caller, nor with `use`. */
  ownSessions(): OwnSessions;
  /** Examines a server. Its faults are reported and never thrown. */
  examine(
    target: McpTarget,
    options?: {
      readonly signal?: AbortSignal;
      readonly onCheck?: (name: DoctorCheckName, check: DoctorCheckResult) => void;
    },
  ): Promise<DoctorFindings>;
  /** Returns whether the server requires OAuth tokens. The request is sent without credentials. */
  requiresOAuth(target: McpTarget, options?: { readonly signal?: AbortSignal }): Promise<boolean>;
  /**
   * Sends one HTTP request to the server's address as it is, with the saved headers and the access
   * token, and returns the answer as it is. Every fault is thrown as an McpFailure.
   */
  forward(target: McpTarget, request: ForwardedRequest): Promise<Response>;
  /** Ends the pooled sessions of a server that was changed or deleted. */
  forget(serverId: string): void;
  close(): Promise<void>;
}

export interface ForwardedRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** The Host header if it is not that of the address; only servers on this machine get it. */
  readonly host?: string | undefined;
  readonly signal: AbortSignal;
}

export interface OwnSessions {
  /**
   * Returns a session, which connects when it is first used. `onServerRequest` answers the server's
   * requests in this session, and `onServerEvent` receives its notifications.
   */
  open(
    target: McpTarget,
    onServerRequest?: OnServerRequest,
    onServerEvent?: OnServerEvent,
    options?: OwnSessionOptions,
  ): OwnSession;
  /** Prepares the next session if that takes time, for example by starting the server's process. */
  prepare(target: McpTarget): void;
  /** Ends all open sessions and everything that was prepared. */
  close(): Promise<void>;
}

export interface OwnSessionOptions {
  /**
   * Whether the server is asked for progress and log messages, if a listener gets them (default:
   * true).
   */
  readonly asksForEvents?: boolean | undefined;
  /** Whether the client declares elicitation by URL (default: false). */
  readonly answersUrls?: boolean | undefined;
}

export interface OwnSession {
  /**
   * Runs the work on this session, with the same errors and time limit as the gateway's `use`. If
   * the session was lost or rejected, a new one is opened.
   */
  use<Result>(
    work: (session: McpSession) => Promise<Result>,
    options?: {
      readonly signal?: AbortSignal;
      /** Returns whether the session stays open for another try after a call that timed out. */
      keepsAfterTimeout?(): boolean;
    },
  ): Promise<Result>;
  close(): Promise<void>;
}

export interface McpSession {
  readonly initInfo: ServerInitInfo;
  /** The tools that the last list left out, because clients must hide them. */
  readonly excludedTools: readonly ExcludedTool[];
  listTools(cursor?: string): Promise<McpPage>;
  listPrompts(cursor?: string): Promise<McpPage>;
  listResources(cursor?: string): Promise<McpPage>;
  listResourceTemplates(cursor?: string): Promise<McpPage>;
  /**
   * Returns the entries of all pages, within `mcpLimits`. Returns an empty list if the server lacks
   * the capability.
   */
  listAll(list: McpList): Promise<readonly Json[]>;
  /** `onTask` is called whenever the state of a task changes with which the server answers. */
  callTool(
    name: string,
    parameters: Json,
    onTask?: (trace: TaskTrace) => void,
  ): Promise<ToolOutcome>;
  getPrompt(name: string, parameters: Readonly<Record<string, string>>): Promise<Json>;
  readResource(uri: string): Promise<Json>;
}

export type McpList = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

export interface McpPage {
  readonly items: readonly Json[];
  readonly nextCursor?: string;
  /** Only in a list of tools: those that clients must hide. They are not among the items. */
  readonly excludedTools?: readonly ExcludedTool[];
}

export interface ServerInitInfo extends Json {
  readonly protocolVersion: string;
  readonly transport: 'streamable-http' | 'sse' | 'stdio';
  readonly serverCapabilities: Json;
  readonly serverVersion: Json | null;
  readonly instructions?: string;
  readonly clientCapabilities: Json;
}

export interface ToolOutcome {
  /** The server's result, unchanged. */
  readonly result: Json;
  readonly durationMs: number;
  /**
   * Set if the call timed out while other calls of this process were running, and was repeated with
   * no other call in flight: the duration of the first try in milliseconds.
   */
  readonly repeatedAfterMs?: number;
  /** False if the duration was not recorded. */
  readonly isTimed?: false;
  /**
   * The part of `durationMs` in which this process was paused, in milliseconds. The answer may have
   * arrived during that time without being read.
   */
  readonly stillMs?: number;
  /**
   * The text of an error result. Secrets that were sent to the server are redacted, so it may be
   * quoted.
   */
  readonly errorText?: string;
  /** For an error result: the capability that the server needed but the client did not declare. */
  readonly undeclaredCapability?: string;
  /** The result of the check against the output schema. Absent if the tool has none. */
  readonly outputCheck?: {
    readonly state: 'valid' | 'invalid' | 'notValidated';
    readonly message?: string;
  };
}
