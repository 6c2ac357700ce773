import * as z from 'zod';
import { assertionKind, assertionSchema } from './assertion-kind.ts';
import { containsText } from './contains-text.ts';
import { showValue } from './redact.ts';

export const responseContains = assertionKind({
  stage: 'userValue',
  schema: assertionSchema('responseContains', {
    needle: z.string().min(1),
    caseSensitive: z.boolean().optional(),
  }),
  evaluate({ needle, caseSensitive }, { finalAssistantMessage: text }) {
    if (text === undefined) return { passed: false, reason: 'There is no final assistant text.' };
    if (containsText(text, needle, caseSensitive))
      return { passed: true, reason: `The response contains ${showValue(needle)}.` };
    return {
      passed: false,
      reason: `The response does not contain ${showValue(needle)}. It says ${showValue(text)}.`,
    };
  },
});
