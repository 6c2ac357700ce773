/** One change of one tool, which a good suite notices. */
import type { Json } from '../kernel/json.ts';
import type { MutationOperator } from './operators.ts';

export interface Mutant {
  readonly operator: MutationOperator;
  readonly serverName: string;
  readonly toolName: string;
  /** A JSON pointer: for the surface, into the listed tool; for an answer, into its value. */
  readonly path?: string;
  /** The tool with which it exchanges descriptions. */
  readonly otherToolName?: string;
  /**
   * Two different answers of the tool; one of them is used if the tool gave no answer before in the
   * conversation.
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
  /** As the server sent it. */
  readonly result: Json;
}

/** Whether the mutant changes this tool. */
export function isAboutTool(
  mutant: Pick<Mutant, 'serverName' | 'toolName' | 'otherToolName'>,
  { serverName, toolName }: { readonly serverName: string; readonly toolName: string },
): boolean {
  const names = [mutant.toolName, mutant.otherToolName];
  return mutant.serverName === serverName && names.includes(toolName);
}
