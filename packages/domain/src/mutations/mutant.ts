/** One change of one tool, which a good suite notices. */
import type { Json } from '../kernel/json.ts';
import type { MutationOperator } from './operators.ts';

export interface Mutant {
  readonly operator: MutationOperator;
  readonly serverName: string;
  readonly toolName: string;
  /** A JSON pointer: of the surface into the tool as it is listed, of an answer into the value that it carries. */
  readonly path?: string;
  /** Whose description it gets, and who gets its own. */
  readonly otherToolName?: string;
  /** Two different answers that the tool gave: where it gave none before, one of them stands for it. */
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

/** Whether the change is about this tool. */
export function isAboutTool(
  mutant: Pick<Mutant, 'serverName' | 'toolName' | 'otherToolName'>,
  { serverName, toolName }: { readonly serverName: string; readonly toolName: string },
): boolean {
  const names = [mutant.toolName, mutant.otherToolName];
  return mutant.serverName === serverName && names.includes(toolName);
}
