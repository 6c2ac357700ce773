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

/** What a scorer is asked, as a recording keeps it and a replay looks for it; nothing where it cannot be asked. */
export function questionOfScorer(
  url: string,
  conversation: TrialConversation,
  redact: (value: unknown) => unknown,
): Pick<ScorerExchange, 'hash' | 'request'> | undefined {
  // An address may hold a secret, and need not be told to be known again.
  const asked = scorerQuestion(sha256Hex(url), conversation);
  if (asked === undefined) return undefined;
  const request = redact(asked) as Json;
  const hash = sha256Hex(canonicalJson(describeRedactionMarks(request)));
  const isKept = Buffer.byteLength(canonicalJson(request)) <= maxKeptQuestionBytes;
  return { hash, ...(isKept && { request }) };
}
