/** The input and the result of each step of the lexical agent. */
import type { AgentCall, AgentOperation } from './agent-operations.ts';

export interface LexicalAgentInput {
  /** The user's last message. */
  readonly message: string;
  readonly calls: readonly AgentCall[];
  /** Returns a one-line summary of an operation. */
  summaryOf(operation: AgentOperation): string;
  /**
   * Whether an operation accepts a `limit`. The lists that an MCP server returns do not, and reject
   * unknown parameters.
   */
  takesLimit(operation: AgentOperation): boolean;
  sha256Hex(text: string): string;
}

export type LexicalAgentStep =
  | {
      readonly call: {
        readonly operation: AgentOperation;
        readonly arguments: Readonly<Record<string, unknown>>;
      };
    }
  | { readonly reply: string };

export const notUnderstood =
  'I only match words and understand two kinds of request: “create a suite called "smoke" for server "Name"” and “list the suites of this project”.';
