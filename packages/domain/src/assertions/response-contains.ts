import * as z from 'zod';
import { assertionKind, assertionSchema } from './assertion-kind.ts';
import { showValue } from './redact.ts';

/** The final text holds the needle; upper and lower case are the same unless said otherwise. */
export const responseContains = assertionKind({
  schema: assertionSchema('responseContains', {
    needle: z.string().min(1),
    caseSensitive: z.boolean().optional(),
  }),
  evaluate({ needle, caseSensitive = false }, { finalAssistantMessage: text }) {
    if (text === undefined) return { passed: false, reason: 'There is no final assistant text.' };
    const found = caseSensitive
      ? text.includes(needle)
      : text.toLowerCase().includes(needle.toLowerCase());
    if (found) return { passed: true, reason: `The response contains ${showValue(needle)}.` };
    return {
      passed: false,
      reason: `The response does not contain ${showValue(needle)}. It says ${showValue(text)}.`,
    };
  },
});
