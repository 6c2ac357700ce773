import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GradedTrial, trialVerdict } from './trial-verdict.ts';

const result = (passed: boolean, role?: string) => ({
  predicate: { type: 'noToolErrors', ...(role === undefined ? {} : { role }) },
  passed,
  reason: 'r',
});
const clean: GradedTrial = {
  toolCallsMatch: true,
  caseAssertions: [],
  turnAssertions: [],
  hasTrialError: false,
  hasToolError: false,
  hasPinnedToolError: false,
  hasFailedStep: false,
};

test.each<[Partial<GradedTrial>, string[]]>([
  [{}, []],
  [{ toolCallsMatch: false }, ['toolCallsDoNotMatch']],
  [{ caseAssertions: [result(false)] }, ['assertionFailed']],
  [{ turnAssertions: [result(true), result(false, 'gating')] }, ['assertionFailed']],
  [{ caseAssertions: [result(false, 'advisory')] }, []],
  [{ hasTrialError: true }, ['trialError']],
  [{ hasToolError: true }, ['toolError']],
  [{ hasPinnedToolError: true }, ['pinnedToolError']],
  [{ hasFailedStep: true }, ['stepFailed']],
  [{ failOnToolError: true, hasToolError: true }, ['toolError']],
  [
    {
      failOnToolError: false,
      hasTrialError: true,
      hasToolError: true,
      hasPinnedToolError: true,
    },
    [],
  ],
  [{ failOnToolError: false, caseAssertions: [result(false)] }, ['assertionFailed']],
  [{ failOnToolError: false, hasFailedStep: true }, ['stepFailed']],
])('%j fails for %j', (evidence, failures) => {
  const verdict = trialVerdict({ ...clean, ...evidence });
  expect(verdict.failures).toEqual(failures);
  expect(verdict.passed).toBe(failures.length === 0);
});

test('an error that may be stated leaves no verdict, unless something failed or errors do not count', () => {
  const openToolError = 'Nobody knows.';
  const open = (more: Partial<GradedTrial> = {}) =>
    trialVerdict({ ...clean, openToolError, ...more });
  expect(open()).toMatchObject({ passed: false, unanswered: openToolError, failures: [] });
  expect(open({ failOnToolError: false })).toMatchObject({ passed: true });
  expect(open({ hasToolError: true })).toEqual(trialVerdict({ ...clean, hasToolError: true }));
});

test('assertions are stored case level first, then by turn', () => {
  const onCase = result(true);
  const onTurn = result(false);
  const verdict = trialVerdict({ ...clean, caseAssertions: [onCase], turnAssertions: [onTurn] });
  expect(verdict.assertions).toEqual([onCase, onTurn]);
});

test('no advisory result ever changes the verdict', () => {
  const flags = fc.record({
    toolCallsMatch: fc.boolean(),
    failOnToolError: fc.boolean(),
    hasTrialError: fc.boolean(),
    hasToolError: fc.boolean(),
    hasPinnedToolError: fc.boolean(),
    hasFailedStep: fc.boolean(),
    caseAssertions: fc.array(fc.boolean().map((passed) => result(passed))),
  });
  fc.assert(
    fc.property(flags, fc.array(fc.boolean()), (evidence, advice) => {
      const advisory = advice.map((passed) => result(passed, 'advisory'));
      const without = trialVerdict({ ...evidence, turnAssertions: [] });
      const verdict = trialVerdict({ ...evidence, turnAssertions: advisory });
      expect(verdict.failures).toEqual(without.failures);
    }),
  );
});
