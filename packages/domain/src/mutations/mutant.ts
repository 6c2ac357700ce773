/** A mutant: one change of one tool, which a good suite notices. */
import type { Json } from '../kernel/json.ts';
import type { MutationOperator } from './operators.ts';

export interface Mutant {
  readonly operator: MutationOperator;
  readonly serverName: string;
  readonly toolName: string;
  /** The changed part as a JSON pointer, into the listed tool or into the value of the answer. */
  readonly path?: string;
  /** The tool that swaps descriptions with this tool. */
  readonly otherToolName?: string;
  /**
   * Two different answers of the tool. One of them is used in place of an earlier answer if the
   * tool has not answered before in the conversation.
   */
  readonly earlierAnswers?: readonly [Json, Json];
}

export interface ServerTools {
  readonly serverName: string;
  readonly tools: readonly Json[];
}

export interface ObservedAnswer {
  readonly serverName: string;
  readonly toolName: string;
  /** The answer as the server sent it. */
  readonly result: Json;
}

/** Returns whether the mutant changes this tool. */
export function isAboutTool(
  mutant: Pick<Mutant, 'serverName' | 'toolName' | 'otherToolName'>,
  { serverName, toolName }: { readonly serverName: string; readonly toolName: string },
): boolean {
  const names = [mutant.toolName, mutant.otherToolName];
  return mutant.serverName === serverName && names.includes(toolName);
}
