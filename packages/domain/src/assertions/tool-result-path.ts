import * as z from 'zod';
import { deepEqual } from './argument-matching.ts';
import { assertionKind, assertionSchema, scopeFields } from './assertion-kind.ts';
import { callsMadeIn, noCallIn, ofScope, showCallIn } from './call-scope.ts';
import { someCall } from './combine-call-answers.ts';
import { atPointer, isJsonPointer } from './json-pointer.ts';
import { showValue, showValueAt } from './redact.ts';
import { notCapturedIn, resultValue } from './result-content.ts';

const questions = ['equals', 'contains', 'exists', 'min', 'max'] as const;

/**
 * Holds if, in at least one result, the value at a JSON pointer satisfies the comparison. Bounds
 * are inclusive; the comparison of texts is case-sensitive.
 */
export const toolResultPath = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: assertionSchema(
    'toolResultPath',
    {
      pointer: z.string().max(2000).refine(isJsonPointer, {
        error:
          'A JSON pointer must be empty or begin with "/"; write "~" as "~0", and "/" inside a name as "~1".',
      }),
      equals: z.unknown().optional(),
      contains: z.unknown().optional(),
      exists: z.boolean().optional(),
      min: z.number().optional(),
      max: z.number().optional(),
      ...scopeFields,
    },
    {
      isKept: (given) => questions.filter((name) => Object.hasOwn(given, name)).length === 1,
      error: 'State exactly one of equals, contains, exists, min and max.',
    },
  ),
  evaluate({ pointer, toolName, serverName, ...rest }, { toolCalls }) {
    const scope = { toolName, serverName };
    const question = questions.find((name) => Object.hasOwn(rest, name)) ?? 'exists';
    const wanted = rest[question];
    const asked = `${showValue(pointer)} ${question} ${showValue(wanted)}`;
    return someCall(
      callsMadeIn(toolCalls, scope),
      (call) => {
        const shown = showCallIn(call, scope);
        const read = resultValue(call);
        if (read.state === 'notCaptured') {
          return { state: 'unknown', sentence: notCapturedIn(shown, call) };
        }
        if (read.state === 'none') return { state: 'no', sentence: 'The last result is not JSON.' };
        const found = atPointer(read.value, pointer);
        if (answers[question](found, wanted)) {
          if (question === 'equals' && isRounded(wanted))
            return { state: 'unknown', sentence: tooExact };
          return { state: 'yes', sentence: `In a result of ${shown}: ${asked}.` };
        }
        const seen = found === undefined ? 'nothing' : showValueAt(pointer, found.value);
        return { state: 'no', sentence: `The last result has ${seen} at this path.` };
      },
      {
        none: noCallIn(scope),
        failed: (last) => `In no result${ofScope(scope)}: ${asked}. ${last}`,
      },
    );
  },
});

/** Whether an integer may have been rounded: parsed JSON numbers are exact only up to 2^53. */
const isRounded = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value);
const tooExact =
  'Whole numbers beyond 9,007,199,254,740,991 cannot be compared exactly; make the tool send them as text.';

type Found = { readonly value: unknown } | undefined;

const answers: Readonly<
  Record<(typeof questions)[number], (found: Found, wanted: unknown) => boolean>
> = {
  equals: (found, wanted) => found !== undefined && deepEqual(found.value, wanted),
  contains: (found, wanted) => {
    if (typeof found?.value === 'string') {
      return typeof wanted === 'string' && found.value.includes(wanted);
    }
    return Array.isArray(found?.value) && found.value.some((one) => deepEqual(one, wanted));
  },
  exists: (found, wanted) => (found !== undefined) === wanted,
  min: (found, wanted) => typeof found?.value === 'number' && found.value >= Number(wanted),
  max: (found, wanted) => typeof found?.value === 'number' && found.value <= Number(wanted),
};
