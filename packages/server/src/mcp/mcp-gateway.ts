/** The room as others see it: a way to use a server, and a way to examine one. */
import type { DoctorCheck, DoctorCheckName, DoctorReport } from '@proofmark/domain';
import type { McpTarget } from './mcp-target.ts';

type Json = Readonly<Record<string, unknown>>;

export interface McpGateway {
  /** The guarded way out, for OAuth. */
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
  /** Never fails for what the server does: that is what the report is about. */
  examine(
    target: McpTarget,
    options?: {
      readonly signal?: AbortSignal;
      readonly onCheck?: (name: DoctorCheckName, check: DoctorCheck) => void;
    },
  ): Promise<DoctorReport>;
  /** Whether the server wants a grant, asked without any credential. */
  requiresOAuth(target: McpTarget, options?: { readonly signal?: AbortSignal }): Promise<boolean>;
  /** Ends the sessions of a server that was changed or deleted. */
  forget(serverId: string): void;
  close(): Promise<void>;
}

export interface McpSession {
  readonly initInfo: InitInfo;
  /** One page, as the server cuts it. */
  listTools(cursor?: string): Promise<McpPage>;
  listPrompts(cursor?: string): Promise<McpPage>;
  listResources(cursor?: string): Promise<McpPage>;
  listResourceTemplates(cursor?: string): Promise<McpPage>;
  /** All pages, within the limits of the room; empty where the server lacks the capability. */
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

export interface InitInfo extends Json {
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
  /** Of a result that says it is an error: its text, fit to be quoted, without what was sent as a secret. */
  readonly errorText?: string;
  /** Of a result that says it is an error: what the server wanted of its client and could not have. */
  readonly missingAbility?: string;
  /** Absent where the tool states no outputSchema. */
  readonly outputCheck?: {
    readonly state: 'valid' | 'invalid' | 'notValidated';
    readonly message?: string;
  };
}
