/**
 * Reads the untrusted answer of an own scorer (an organization's HTTP program). An invalid score or
 * reason makes the whole answer invalid; nothing is repaired. Other fields are ignored, including
 * the scorer's own verdict, since the assertion's threshold decides.
 */
import * as z from 'zod';
import { capText, hideSecrets } from '../assertions/redact.ts';

export const scorerAnswerBytes = 64 * 1024;
export const longestScorerReason = 2000;

export const ScorerAnswer = z
  .object({
    score: z.number().min(0).max(1),
    reason: z.string().max(longestScorerReason).optional(),
  })
  .meta({ id: 'ScorerAnswer' });
export type ScorerAnswer = z.infer<typeof ScorerAnswer>;

/** `problem` completes the sentence “The scorer …”. */
export function readScorerAnswer(body: Uint8Array): ScorerAnswer | { readonly problem: string } {
  const parsed = parse(body);
  if (parsed === undefined) return { problem: 'did not answer with JSON.' };
  const answer = ScorerAnswer.safeParse(parsed.value);
  if (!answer.success) {
    const field = answer.error.issues[0]?.path[0];
    if (field === 'score') return { problem: 'gave no score from 0 to 1.' };
    if (field === 'reason') {
      return { problem: 'gave a reason that is not a text of at most 2,000 characters.' };
    }
    return { problem: 'did not answer with one JSON object.' };
  }
  const { score, reason } = answer.data;
  if (reason === undefined) return { score };
  const shown = capText(String(hideSecrets(plainText(reason))).trim(), longestScorerReason);
  return shown === '' ? { score } : { score, reason: shown };
}

function parse(body: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}

function plainText(text: string): string {
  return text.replaceAll(steering, '\ufffd');
}

const steering = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
