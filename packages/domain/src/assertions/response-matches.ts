import * as z from 'zod';
import { assertionKind, assertionSchema, fails, holds, unanswered } from './assertion-kind.ts';
import { showValue } from './redact.ts';
import { tryPattern } from './try-pattern.ts';

/**
 * Holds if the pattern is found in the final text. If the engine cannot run the pattern, or the
 * text exceeds 100,000 characters, the assertion cannot be evaluated.
 */
export const responseMatches = assertionKind({
  stage: 'userValue',
  schema: assertionSchema('responseMatches', { pattern: z.string().min(1) }),
  evaluate({ pattern }, { finalAssistantMessage: text }, { patterns }) {
    if (text === undefined) return fails('There is no final assistant text.');
    const found = tryPattern(patterns, pattern, text, 'the response');
    if (found === true) return holds(`The response matches ${showValue(pattern)}.`);
    if (found !== false) return unanswered(found.problem);
    return fails(`The response does not match ${showValue(pattern)}. It says ${showValue(text)}.`);
  },
});
