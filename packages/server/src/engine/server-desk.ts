/**
 * The servers of a run as its trials use them. A list of tools that was read is kept for all trials of the desk; a
 * server that could not be reached is tried again by the next trial.
 */
import type { SetupSignal } from '@proofmark/domain';
import type { ToolOutcome } from '../mcp/mcp-gateway.ts';
import type { OnServerRequest } from '../mcp/server-requests.ts';
import type { ToolSurface } from './trial-record.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ServerDesk {
  /** Connects to every server and lists its tools, as far as that is possible. */
  open(signal: AbortSignal, options?: OpenOptions): Promise<OpenedServers>;
  /** Throws an McpFailure. */
  callTool(serverId: string, name: string, input: Json, signal: AbortSignal): Promise<ToolOutcome>;
}

export interface OpenOptions {
  /** Answers what a server asks in a session of this trial. */
  readonly onServerRequest?: OnServerRequest;
}

export interface OpenedServers {
  readonly servers: readonly OpenedServer[];
  /** Of all servers together. */
  readonly connect: SetupSignal;
  readonly toolsList: SetupSignal | undefined;
  readonly surface: ToolSurface | null;
}

export interface OpenedServer {
  readonly id: string;
  readonly name: string;
  /** All that the server lists, also what the client hides from the model. */
  readonly tools: readonly Json[];
  /** One sentence, when it could not be opened. */
  readonly failure?: string;
  readonly connectMs: number;
  readonly listMs: number;
}
