import type { FinishReason, ModelReply } from '../outside/model/model-gateway.ts';

export function incompleteAnswer(
  { finishReason }: ModelReply,
  provider: string,
): string | undefined {
  if (finishReason === 'stop' || finishReason === 'tool-calls') return undefined;
  return `The model did not finish its answer: ${causes[finishReason]} (finish reason ${finishReason} of ${provider}).`;
}

/**
 * The error text for an answer that was cut at a token limit of the case, the client or the suite.
 */
export function cutByLimit(maxTokens: number): string {
  return `The answer of the model was cut at its limit, maxTokens ${maxTokens} (finish reason length).`;
}

const causes: Readonly<Record<Exclude<FinishReason, 'stop' | 'tool-calls'>, string>> = {
  length: 'it reached its token limit',
  'content-filter': 'a filter of the provider stopped it',
  error: 'the provider had an error',
  other: 'the provider stopped it for a reason of its own',
  unknown: 'the provider gave an unknown reason',
};
