/** What the lexical agent is given for each step, and what a step is. */
import type { AgentCall, AgentOperation } from './agent-operations.ts';

export interface LexicalAgentInput {
  /** The last message of the user. */
  readonly message: string;
  readonly calls: readonly AgentCall[];
  /** What an operation does, in one line. */
  summaryOf(operation: AgentOperation): string;
  /** Whether it takes a `limit`: a list of a server does not, and rejects what it does not take. */
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
  'I go by words alone and understand two kinds of request: “create a suite called "smoke" for server "Name"” and “list the suites of this project”.';
