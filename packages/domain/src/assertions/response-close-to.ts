import * as z from 'zod';
import { assertionKind, assertionSchema, fails } from './assertion-kind.ts';
import { showValue } from './redact.ts';
import { wordF1, wordsOf } from './word-f1.ts';

/**
 * Holds if the final text is close enough to the reference. Closeness is the F1 score of the words,
 * without regard to order and case.
 */
export const responseCloseTo = assertionKind({
  stage: 'userValue',
  schema: assertionSchema('responseCloseTo', {
    reference: z
      .string()
      .max(100_000)
      .refine((text) => wordsOf(text).length > 0, { error: 'The reference contains no words.' }),
    threshold: z.number().min(0).max(1),
  }),
  evaluate({ reference, threshold }, { finalAssistantMessage: text }) {
    if (text === undefined) return fails('There is no final assistant text.');
    const score = wordF1(text, reference);
    // Rounded down, so that a score just below the threshold is not shown as equal to it.
    const shown = Math.floor(score * 1000) / 1000;
    const compared = `The words of the response and the reference have an F1 score of ${shown}; at least ${threshold} is required.`;
    const passed = score >= threshold;
    return {
      passed,
      reason: passed ? compared : `${compared} The response says ${showValue(text)}.`,
    };
  },
});
