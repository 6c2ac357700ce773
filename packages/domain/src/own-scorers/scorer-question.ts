/**
 * The request to an own scorer (an organization's HTTP program) as one value. A replay finds the
 * recorded answer by this value, so the value contains neither the trial's number nor the
 * threshold.
 */
import type { Json } from '../kernel/json.ts';
import { type ScoredConversation, writeScorerRequest } from './scorer-request.ts';

type Asked = Omit<ScoredConversation, 'metadata'> & {
  readonly metadata: Pick<ScoredConversation['metadata'], 'name' | 'promptIndex'>;
};

/**
 * Returns undefined if the request is too large. `address` identifies the scorer without revealing
 * the scorer's URL.
 */
export function scorerQuestion(address: string, asked: Asked): Json | undefined {
  const { name, promptIndex } = asked.metadata;
  const body = writeScorerRequest({
    ...asked,
    metadata: {
      ...(name !== undefined && { name }),
      ...(promptIndex !== undefined && { promptIndex }),
      threshold: 0,
      iterationNumber: 1,
    },
  });
  if (body === undefined) return undefined;
  const { metadata, ...rest } = JSON.parse(body) as Record<string, unknown>;
  const { threshold: _, iterationNumber: __, ...about } = metadata as Record<string, unknown>;
  return { ...rest, address, metadata: about };
}
