import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isToConfirm,
  type MutantTrial,
  mutantOutcomes,
  outcomeOfMutant,
} from './mutant-outcome.ts';
import { type DecidedMutant, mutationFindings, withCheck } from './mutation-report.ts';
import { mutationOperators } from './operators.ts';

const trial = (verdict: MutantTrial['verdict'], over: Partial<MutantTrial> = {}): MutantTrial => ({
  verdict,
  wasMet: true,
  madeSameCalls: false,
  ...over,
});
const variant = (...trials: MutantTrial[]) => ({
  trials,
  assertsSurface: false,
  failsUnchanged: false,
});
const failing = (...trials: MutantTrial[]) => ({ ...variant(...trials), failsUnchanged: true });
const [passed, failed, open] = [trial('passed'), trial('failed'), trial('inconclusive')];
const same = trial('passed', { madeSameCalls: true });
const unmet = trial('passed', { wasMet: false });

test.each([
  ['killed', 'error', [variant(passed), variant(failed)]],
  ['killed', 'error', [variant(open), variant(failed)]],
  ['killed', 'error', [variant(failed, failed, passed)]],
  ['survived', 'error', [variant(failed, passed, passed)]],
  ['survived', 'error', [variant(passed)]],
  ['survived', 'error', [variant(same)]],
  ['equivalent', 'error', []],
  ['equivalent', 'error', [variant(unmet)]],
  ['equivalent', 'error', [variant(trial('failed', { wasMet: false }))]],
  ['undecided', 'error', [variant(open), variant(passed)]],
  ['undecided', 'error', [variant(trial('inconclusive', { wasMet: false }))]],
  ['undecided', 'error', [variant(failed, passed)]],
  ['undecided', 'error', [variant(passed, trial('inconclusive', { wasMet: false }), open)]],
  ['undecided', 'error', [failing(failed)]],
  ['undecided', 'description-blank', [failing(failed), variant(passed)]],
  ['killed', 'error', [failing(failed), variant(failed)]],
  ['equivalent', 'description-blank', [variant(same)]],
  ['survived', 'description-blank', [{ ...variant(same), assertsSurface: true }]],
  ['survived', 'description-blank', [variant(same), variant(passed)]],
] as const)('%s: %s with %j', (outcome, operator, variants) => {
  expect(outcomeOfMutant(operator, variants)).toBe(outcome);
});

test.each([
  [true, [failed], 'live'],
  [false, [failed], 'recorded'],
  [false, [passed], 'live'],
  [false, [open], 'live'],
  [false, [trial('failed', { wasMet: false })], 'live'],
  [false, [failed, failed, passed], 'live'],
] as const)(
  'that one trial failed is confirmed (%s): %j with servers %s',
  (is, trials, servers) => {
    expect(isToConfirm(trials, servers)).toBe(is);
  },
);

const anyMutant = fc
  .record({
    operator: fc.constantFrom(...mutationOperators),
    outcome: fc.constantFrom(...mutantOutcomes),
  })
  .map(
    ({ operator, outcome }): DecidedMutant => ({
      outcome,
      killedBy: [],
      mutant: { operator, serverName: 's', toolName: 't' },
    }),
  );

test('counts add up, the score lies within its interval, and survivors stand first', () => {
  fc.assert(
    fc.property(fc.array(anyMutant, { maxLength: 80 }), (decided) => {
      const { score, byStage, mutants } = mutationFindings(decided);
      const counted = (...outcomes: string[]) =>
        mutants.filter(({ outcome }) => outcomes.includes(outcome)).length;
      expect(mutants).toHaveLength(decided.length);
      expect(score.killed).toBe(counted('killed'));
      expect(score.decided).toBe(counted('killed', 'survived'));
      const sum = (field: 'killed' | 'decided') =>
        byStage.reduce((total, stage) => total + stage[field], 0);
      expect([sum('killed'), sum('decided')]).toEqual([score.killed, score.decided]);
      if (score.value === null) expect([score.decided, score.interval]).toEqual([0, null]);
      else {
        expect(score.interval?.lower).toBeLessThanOrEqual(score.value);
        expect(score.interval?.upper).toBeGreaterThanOrEqual(score.value);
      }
      const survivors = mutants.slice(0, counted('survived'));
      expect(survivors.every(({ outcome }) => outcome === 'survived')).toBe(true);
    }),
  );
});

test('a check is added to those of the case, once', () => {
  const assertion = { type: 'noToolErrors' } as const;
  const list = [assertion];
  expect(withCheck(undefined, assertion)).toEqual({ mode: 'extend', list });
  expect(withCheck({ mode: 'inherit', list: [] }, assertion)).toEqual({ mode: 'extend', list });
  expect(withCheck({ mode: 'replace', list: [] }, assertion)).toEqual({ mode: 'replace', list });
  expect(withCheck({ mode: 'extend', list }, assertion)).toBeUndefined();
});
