import * as z from 'zod';
import { assertionKind, assertionSchema } from './assertion-kind.ts';
import { hasNestedQuantifier, maxMatchedTextLength } from './pattern-engine.ts';
import { showError, showValue } from './redact.ts';

/**
 * The pattern is found in the final text. A pattern with a repeated group that ends in a quantifier,
 * one the engine cannot run, and a text over 100,000 characters are refused, which fails.
 */
export const responseMatches = assertionKind({
  schema: assertionSchema('responseMatches', { pattern: z.string().min(1) }),
  evaluate({ pattern }, { finalAssistantMessage: text }, patterns) {
    if (text === undefined) return { passed: false, reason: 'There is no final assistant text.' };
    if (hasNestedQuantifier(pattern)) {
      return refused(pattern, 'it repeats a group that ends in a quantifier; write it without one');
    }
    if (text.length > maxMatchedTextLength) {
      return refused(pattern, `the response is longer than ${maxMatchedTextLength} characters`);
    }
    const found = patterns.test(pattern, text);
    if (found === true) {
      return { passed: true, reason: `The response matches ${showValue(pattern)}.` };
    }
    if (found !== false) return refused(pattern, showError(found.problem));
    return {
      passed: false,
      reason: `The response does not match ${showValue(pattern)}. It says ${showValue(text)}.`,
    };
  },
});

function refused(pattern: string, why: string) {
  return { passed: false, reason: `The pattern ${showValue(pattern)} was not run: ${why}.` };
}
