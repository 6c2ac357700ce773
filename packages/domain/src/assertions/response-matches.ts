import * as z from 'zod';
import { assertionKind, assertionSchema } from './assertion-kind.ts';
import { maxMatchedTextLength, type PatternEngine } from './pattern-engine.ts';
import { showError, showValue } from './redact.ts';

/**
 * The pattern is found in the final text. A pattern that the engine cannot run, and a text over 100,000
 * characters, leave the question without an answer: that is the grader's doing.
 */
export const responseMatches = assertionKind({
  schema: assertionSchema('responseMatches', { pattern: z.string().min(1) }),
  evaluate({ pattern }, { finalAssistantMessage: text }, patterns) {
    if (text === undefined) return { passed: false, reason: 'There is no final assistant text.' };
    if (text.length > maxMatchedTextLength) {
      return notRun(pattern, `the response is longer than ${maxMatchedTextLength} characters`);
    }
    const found = run(patterns, pattern, text);
    if (found === true) {
      return { passed: true, reason: `The response matches ${showValue(pattern)}.` };
    }
    if (found !== false) return notRun(pattern, showError(found.problem));
    return {
      passed: false,
      reason: `The response does not match ${showValue(pattern)}. It says ${showValue(text)}.`,
    };
  },
});

function run(patterns: PatternEngine, pattern: string, text: string) {
  try {
    return patterns.test(pattern, text);
  } catch (error) {
    return { problem: showError(error) };
  }
}

function notRun(pattern: string, why: string) {
  const reason = `The pattern ${showValue(pattern)} was not run: ${why}.`;
  return { passed: false, reason, evaluatorError: true } as const;
}
