import { ask, type Definition, sunny, trialPlayer } from '@proofmark/harness/play-trial.ts';
import { afterAll, describe, expect, test } from 'vitest';

const player = trialPlayer();
const { play } = player;
afterAll(() => player.close());

describe('a pattern that cannot be run', () => {
  const matches = { type: 'responseMatches', pattern: '(?=sunny)' } as const;
  const ofCase = (assertion: object) =>
    ({ steps: [ask], checks: { mode: 'replace', list: [assertion] } }) as Definition;
  const ofStep = (assertion: object) =>
    ({ steps: [ask, { id: 'say', kind: 'assert', assertion }] }) as Definition;

  test.each([
    ['of the case', ofCase],
    ['of a step', ofStep],
  ])('%s: is an evaluator error, neither a failure nor a pass', async (_, definition) => {
    const { record } = await play(definition(matches), [sunny]);
    expect(record).toMatchObject({
      status: 'completed',
      result: null,
      evaluatorError: true,
      error: expect.stringContaining('was not run'),
      chain: { failureCategory: 'evaluator' },
    });
    expect(record.evidence.assertions).toMatchObject([{ unanswered: true }]);
    expect(record.scores?.find(({ scorerId }) => scorerId.startsWith('predicate:'))).toMatchObject({
      status: 'error',
      error: expect.stringContaining('was not run'),
    });
  });

  test.each([
    ['of the case', ofCase],
    ['of a step', ofStep],
  ])('%s: and only advises decides nothing', async (_, definition) => {
    const { record } = await play(definition({ ...matches, role: 'advisory' }), [sunny]);
    expect(record).toMatchObject({ result: 'passed', evaluatorError: false });
  });

  test('one with nested quantifiers is run', async () => {
    const { record } = await play(ofCase({ ...matches, pattern: '(s+u?)+n' }), [sunny]);
    expect(record).toMatchObject({ result: 'passed', evaluatorError: false });
  });
});
