import type { AgentCall, AgentOperation } from './agent-operations.ts';

export interface LexicalAgentInput {
  readonly message: string;
  readonly calls: readonly AgentCall[];
  summaryOf(operation: AgentOperation): string;
  /**
   * Whether the operation has a `limit` parameter. Lists that an MCP server returns have none and
   * reject unknown parameters.
   */
  takesLimit(operation: AgentOperation): boolean;
  /** Returns the sentences of a report about a decision summary. */
  tellRun(summary: unknown): readonly string[];
  /** Returns the sentences of a report about two compared runs. */
  tellComparison(compared: unknown): readonly string[];
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
  'I only match words. Ask “which run failed last, and why?”, “what changed since it passed?”, “how did the latest runs end?”, or to list the servers, the suites, the models, the tools of a server or the cases of a suite. I make a suite on “create a suite called "smoke" for server "Name"”.';
