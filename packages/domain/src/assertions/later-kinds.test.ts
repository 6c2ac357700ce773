import { expect, test } from 'vitest';
import { Assertion, assertionKinds } from './assertion.ts';
import { callKinds } from './call-kinds.fixture.ts';
import { evaluateAssertion } from './evaluate-assertion.ts';
import { otherKinds } from './other-kinds.fixture.ts';
import { resultKinds } from './result-kinds.fixture.ts';
import { engines, type Outcome } from './seen.fixture.ts';
import type { Transcript } from './transcript.ts';

const table = { ...callKinds, ...resultKinds, ...otherKinds };

function outcomeOf(assertion: object, transcript: Transcript): Outcome {
  const result = evaluateAssertion(assertion, { transcript, ...engines });
  expect(result.reason).not.toBe('');
  expect(result.reason).not.toContain('malformed');
  if (result.evaluatorError === true) return 'error';
  return result.passed ? 'holds' : 'fails';
}

const rows = Object.entries(table).flatMap(([type, list]) =>
  list.map(([fields, transcript, outcome]) => [{ type, ...fields }, transcript, outcome] as const),
);

test.each(rows)('%j on %j: %s', (assertion, transcript, outcome) => {
  expect(outcomeOf(assertion, transcript)).toBe(outcome);
});

/** Answered elsewhere. */
const asked = ['goalCompleted', 'scorer'];
/** Assertion kinds that can always be evaluated, because every transcript contains their data. */
const alwaysKnown = [
  ...['toolCallCountUnder', 'toolCalledBefore', 'noRepeatedIdenticalCall'],
  ...['noEndingQuestion', 'responseCloseTo'],
];

test.each(Object.entries(table))('%s holds, fails and has no answer somewhere', (type, list) => {
  const outcomes = new Set(list.map(([, , outcome]) => outcome));
  const wanted: Outcome[] = asked.includes(type)
    ? ['error']
    : ['holds', 'fails', ...(alwaysKnown.includes(type) ? [] : (['error'] as const))];
  expect(outcomes).toEqual(new Set(wanted));
});

/** Assertion kinds whose test tables are in evaluate-assertion.test.ts. */
const firstKinds = [
  ...['toolCalledWith', 'toolCalledAtLeastOnce', 'toolNeverCalled', 'firstToolWas'],
  ...['onlyToolsCalled', 'responseContains', 'responseMatches', 'noToolErrors'],
  ...['finalAssistantMessageNonEmpty', 'tokenBudgetUnder', 'turnCountUnder'],
  ...['widgetRendered', 'widgetRenderLatencyUnder', 'widgetNoConsoleErrors'],
];

test('every kind has a table', () => {
  expect(new Set([...firstKinds, ...Object.keys(table)])).toEqual(
    new Set(Object.keys(assertionKinds)),
  );
});

test('every row of the tables is one that can be authored', () => {
  for (const [assertion] of rows) expect(Assertion.safeParse(assertion).error).toBeUndefined();
});
