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
   * Two different answers of the tool. If the tool has not answered before in the conversation, one
   * of them is used as the earlier answer.
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
  readonly result: Json;
}

export function isAboutTool(
  mutant: Pick<Mutant, 'serverName' | 'toolName' | 'otherToolName'>,
  { serverName, toolName }: { readonly serverName: string; readonly toolName: string },
): boolean {
  const names = [mutant.toolName, mutant.otherToolName];
  return mutant.serverName === serverName && names.includes(toolName);
}
