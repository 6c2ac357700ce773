import * as z from 'zod';
import { assertionKind, assertionSchema, unanswered } from './assertion-kind.ts';

const ScorerUrl = z.string().max(2000).refine(isHttpUrl, {
  error: 'This must be an http or https address without a user name or password.',
});

/**
 * An assertion that an own scorer (an organization's HTTP program) answers. Other code calls the
 * scorer, so `evaluate` has no answer.
 */
export const scorer = assertionKind({
  stage: 'userValue',
  schema: assertionSchema('scorer', {
    url: ScorerUrl,
    threshold: z.number().min(0).max(1),
    timeoutMs: z.int().min(1).max(30_000).optional(),
    name: z.string().trim().min(1).max(200).optional(),
  }),
  evaluate: () => unanswered('The scorer was not asked.'),
});

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
