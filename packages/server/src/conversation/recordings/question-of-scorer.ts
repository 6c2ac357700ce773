import {
  canonicalJson,
  describeRedactionMarks,
  type Json,
  maxKeptQuestionBytes,
  type ScorerExchange,
  scorerQuestion,
} from '@proofmark/domain';
import { sha256Hex } from '../../kernel/sha256-hex.ts';
import type { TrialConversation } from '../../outside/scorers/own-scorers.ts';

/**
 * Returns a scorer's question in the format of recordings, so that replays can find it. Undefined
 * if it is too large to send.
 */
export function questionOfScorer(
  url: string,
  conversation: TrialConversation,
  redact: (value: unknown) => unknown,
): Pick<ScorerExchange, 'hash' | 'request'> | undefined {
  // The URL may contain a secret. Its hash is enough to identify the scorer.
  const asked = scorerQuestion(sha256Hex(url), conversation);
  if (asked === undefined) return undefined;
  const request = redact(asked) as Json;
  const hash = sha256Hex(canonicalJson(describeRedactionMarks(request)));
  const isKept = Buffer.byteLength(canonicalJson(request)) <= maxKeptQuestionBytes;
  return { hash, ...(isKept && { request }) };
}
