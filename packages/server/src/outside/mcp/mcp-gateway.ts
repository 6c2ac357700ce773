/** The interface of `mcp`: using a server, and examining one. */
import type { DoctorCheckName, DoctorCheckResult, DoctorFindings, Json } from '@proofmark/domain';
import type { McpTarget } from './mcp-target.ts';
import type { OnServerEvent } from './server-events.ts';
import type { OnServerRequest } from './server-requests.ts';

export interface McpGateway {
  /** The guarded fetch, for OAuth. */
  readonly fetch: typeof fetch;
  /**
   * Runs the work on a session with the server, a pooled one if possible. Every fault of the server
   * is an McpFailure. The whole has the deadline of the target.
   */
  use<Result>(
    target: McpTarget,
    work: (session: McpSession) => Promise<Result>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result>;
  /**
   * Reserves this number of session slots at once; the returned function frees them. It waits until
   * the signal aborts.
   */
  reserve(organizationId: string, count: number, signal: AbortSignal): Promise<() => void>;
  /** Returns a way to open sessions that are shared with nobody, not even with `use`. */
  ownSessions(): OwnSessions;
  /** Examines a server; its faults go into the report and never throw. */
  examine(
    target: McpTarget,
    options?: {
      readonly signal?: AbortSignal;
      readonly onCheck?: (name: DoctorCheckName, check: DoctorCheckResult) => void;
    },
  ): Promise<DoctorFindings>;
  /** Returns whether the server requires a grant. The request has no credentials. */
  requiresOAuth(target: McpTarget, options?: { readonly signal?: AbortSignal }): Promise<boolean>;
  /** Ends the sessions of a server that was changed or deleted. */
  forget(serverId: string): void;
  close(): Promise<void>;
}

export interface OwnSessions {
  /**
   * It is connected when it is first used. The handler answers what the server asks in this session; the listener hears
   * what it says beside its answers. The server is asked for its progress and its log for the listener (default: true).
   */
  open(
    target: McpTarget,
    onServerRequest?: OnServerRequest,
    onServerEvent?: OnServerEvent,
    asksForEvents?: boolean,
  ): OwnSession;
  /** Prepares the next session, if a part of it takes time. */
  prepare(target: McpTarget): void;
  /** Ends all open sessions, and prepared parts. */
  close(): Promise<void>;
}

export interface OwnSession {
  /**
   * Like `use` of the gateway, always with this session; it is reconnected if it was lost or
   * refused.
   */
  use<Result>(
    work: (session: McpSession) => Promise<Result>,
    options?: {
      readonly signal?: AbortSignal;
      /**
       * Returns whether a call that was not answered in time leaves the session in use, for another
       * try.
       */
      keepsAfterTimeout?(): boolean;
    },
  ): Promise<Result>;
  close(): Promise<void>;
}

export interface McpSession {
  readonly initInfo: ServerInitInfo;
  /** Returns one page of the server's list. */
  listTools(cursor?: string): Promise<McpPage>;
  listPrompts(cursor?: string): Promise<McpPage>;
  listResources(cursor?: string): Promise<McpPage>;
  listResourceTemplates(cursor?: string): Promise<McpPage>;
  /** Returns all pages, within `mcpLimits`; empty if the server lacks the capability. */
  listAll(list: McpList): Promise<readonly Json[]>;
  callTool(name: string, parameters: Json): Promise<ToolOutcome>;
  getPrompt(name: string, parameters: Readonly<Record<string, string>>): Promise<Json>;
  readResource(uri: string): Promise<Json>;
}

export type McpList = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

export interface McpPage {
  readonly items: readonly Json[];
  readonly nextCursor?: string;
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
   * Set if the call was repeated alone, after it was not answered within this time beside other
   * calls of ours.
   */
  readonly repeatedAfterMs?: number;
  /** False if the duration was not recorded. */
  readonly isTimed?: false;
  /**
   * Milliseconds of that in which this process was paused, so that the answer may have waited
   * unread.
   */
  readonly stillMs?: number;
  /**
   * The text of an error result, in a form that may be quoted, without the secrets that were sent.
   */
  readonly errorText?: string;
  /** For an error result: the ability that the server wanted and the client had not declared. */
  readonly undeclaredCapability?: string;
  /** Absent if the tool has no outputSchema. */
  readonly outputCheck?: {
    readonly state: 'valid' | 'invalid' | 'notValidated';
    readonly message?: string;
  };
}
