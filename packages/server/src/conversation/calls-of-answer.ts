/** The results of the calls of one answer, in the order in which the model requested them. */
import type {
  ModelMessage,
  ModelToolCall,
  ToolResultPart,
} from '../outside/model/model-gateway.ts';
import type { TurnContext } from './trial-context.ts';
import { withoutBlobs } from './without-blobs.ts';
import { withoutWidgets } from './without-widgets.ts';

export interface AnswerToCall {
  readonly call: ModelToolCall;
  /** The tool's name on its server. */
  readonly ownName: string;
  output: ToolResultPart['output'] | undefined;
}

/** Waits for all calls, even if one of them ended the turn, and keeps their results. */
export async function endAll(
  { log, signal }: TurnContext,
  made: readonly Promise<void>[],
  keep: () => void,
): Promise<void> {
  const ends = await Promise.allSettled(made);
  log.orderAsBegun();
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  if (failures.length === 0) return;
  keep();
  // The failure of one call says more than the stop of the others.
  throw failures.find((failure) => failure !== signal.reason) ?? failures[0];
}

export function addResults(log: TurnContext['log'], answered: readonly AnswerToCall[]): void {
  const asked: ToolResultPart[] = [];
  const named: ToolResultPart[] = [];
  let isOther = false;
  for (const { call, ownName, output } of answered) {
    if (output === undefined) continue;
    const { toolCallId, toolName } = call;
    const seen = withoutWidgets(output);
    const part = { type: 'tool-result', toolCallId, toolName, output: seen } as const;
    asked.push(part);
    const kept = withoutBlobs(output);
    const isSame = ownName === toolName && kept === seen;
    named.push(isSame ? part : { ...part, toolName: ownName, output: kept });
    isOther ||= !isSame;
  }
  if (asked.length === 0) return;
  const message: ModelMessage = { role: 'tool', content: asked };
  log.addToolResults(message, isOther ? { role: 'tool', content: named } : message);
}
