/** What `mcp` offers to others: using a server, and examining one. */
import type { DoctorCheckName, DoctorCheckResult, DoctorFindings, Json } from '@proofmark/domain';
import type { McpTarget } from './mcp-target.ts';
import type { OnServerEvent } from './server-events.ts';
import type { OnServerRequest } from './server-requests.ts';

export interface McpGateway {
  /** The guarded fetch, for OAuth. */
  readonly fetch: typeof fetch;
  /**
   * Runs the work on a session with the server, a pooled one where there is one. Whatever the server does wrong
   * is an McpFailure. The whole of it has the deadline of the target.
   */
  use<Result>(
    target: McpTarget,
    work: (session: McpSession) => Promise<Result>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result>;
  /**
   * Slots for so many sessions of one's own, all at once; what it returns gives them back. Whoever waits waits for as
   * long as the signal allows.
   */
  reserve(organizationId: string, count: number, signal: AbortSignal): Promise<() => void>;
  /** A way to open sessions with one server that are shared with nobody, not even with `use`. */
  ownSessions(): OwnSessions;
  /** Never fails for what the server does: that is what the report is about. */
  examine(
    target: McpTarget,
    options?: {
      readonly signal?: AbortSignal;
      readonly onCheck?: (name: DoctorCheckName, check: DoctorCheckResult) => void;
    },
  ): Promise<DoctorFindings>;
  /** Whether the server wants a grant, asked without any credential. */
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
  /** Begins what the next session will need, where there is something that takes its time. */
  prepare(target: McpTarget): void;
  /** Ends all that is open, and what was begun ahead. */
  close(): Promise<void>;
}

export interface OwnSession {
  /** As `use` of the gateway, always with this session; it is connected anew where it was lost or refused. */
  use<Result>(
    work: (session: McpSession) => Promise<Result>,
    options?: {
      readonly signal?: AbortSignal;
      /** Whether a call without an answer in time leaves the session as it is, for another try. */
      keepsAfterTimeout?(): boolean;
    },
  ): Promise<Result>;
  close(): Promise<void>;
}

export interface McpSession {
  readonly initInfo: ServerInitInfo;
  /** One page, as the server cuts it. */
  listTools(cursor?: string): Promise<McpPage>;
  listPrompts(cursor?: string): Promise<McpPage>;
  listResources(cursor?: string): Promise<McpPage>;
  listResourceTemplates(cursor?: string): Promise<McpPage>;
  /** All pages, within `mcpLimits`; empty where the server lacks the capability. */
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
  /** As the server sent it. */
  readonly result: Json;
  readonly durationMs: number;
  /** It was called a second time, alone, after it got no answer in this time beside other calls of ours. */
  readonly repeatedAfterMs?: number;
  /** Nobody kept how long it took. */
  readonly isTimed?: false;
  /** How much of that this process stood still, so that the answer may have lain unread. */
  readonly stillMs?: number;
  /** Of a result that says it is an error: its text, fit to be quoted, without what was sent as a secret. */
  readonly errorText?: string;
  /** Of a result that says it is an error: what the server wanted of its client and could not have. */
  readonly undeclaredCapability?: string;
  /** Absent where the tool states no outputSchema. */
  readonly outputCheck?: {
    readonly state: 'valid' | 'invalid' | 'notValidated';
    readonly message?: string;
  };
}
