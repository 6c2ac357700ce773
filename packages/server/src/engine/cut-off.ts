import type { FinishReason, ModelReply } from '../model/model-gateway.ts';

/** Why an answer is not a whole one, in a sentence. */
export function cutOff({ finishReason }: ModelReply, provider: string): string | undefined {
  if (finishReason === 'stop' || finishReason === 'tool-calls') return undefined;
  return `The model did not finish its answer: ${causes[finishReason]} (finish reason ${finishReason} of ${provider}).`;
}

const causes: Readonly<Record<Exclude<FinishReason, 'stop' | 'tool-calls'>, string>> = {
  length: 'it ran into the limit of its tokens',
  'content-filter': 'a filter of the provider stopped it',
  error: 'the provider had an error',
  other: 'the provider stopped it for a reason of its own',
  unknown: 'the provider gives no reason that is known here',
};
