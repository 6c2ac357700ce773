/**
 * What a scorer is asked, as one value: the same question has the same answer. Which trial it is about and the threshold
 * that its score is held against are no part of it.
 */
import type { Json } from '../kernel/json.ts';
import { type ScoredConversation, writeScorerRequest } from './scorer-request.ts';

type Asked = Omit<ScoredConversation, 'metadata'> & {
  readonly metadata: Pick<ScoredConversation['metadata'], 'name' | 'promptIndex'>;
};

/** Nothing where it cannot be asked, being too large. `address` says where the scorer is, without telling it. */
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
  const { metadata, ...said } = JSON.parse(body) as Record<string, unknown>;
  const { threshold: _, iterationNumber: __, ...about } = metadata as Record<string, unknown>;
  return { ...said, address, metadata: about };
}
