import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDecision } from '../verdict/read-decision.ts';
import type { AlikeTrials } from './alike-trials.ts';
import { decideReportedRun } from './decide-reported-run.ts';
import { declaredTrials } from './declared-trials.ts';
import { resolveTerms } from './run-terms.ts';

const policyV2 = resolveTerms({});

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function alike(change: Partial<AlikeTrials> = {}): AlikeTrials {
  return {
    caseKey: 'external:a',
    declaredId: 'a',
    model: null,
    provider: null,
    status: 'completed',
    result: 'passed',
    evaluatorError: false,
    count: 1,
    ...change,
  };
}

describe('trials that the suite declares', () => {
  const decideDeclared = (trials: readonly AlikeTrials[], settings: object, cases: object[] = []) =>
    decideReportedRun(
      policyV2,
      trials,
      null,
      sha256Hex,
      declaredTrials(settings, cases as Parameters<typeof declaredTrials>[1]),
    );
  const five = { verdictPolicyDefaults: { repetitions: 5 } };

  test('and nobody reported are not terminal, so one that passed of five declared decides nothing', () => {
    const { decision, result } = decideDeclared([alike()], five);
    expect(result).toBe(null);
    expect(decision).toMatchObject({
      verdict: 'inconclusive',
      reasons: ['configuredTrialsNotAttempted'],
    });
    expect(decision?.cases[0]).toMatchObject({
      configuredTrials: 5,
      attemptedTrials: 1,
      passRate: { exclusions: { notTerminal: 4 } },
    });
    expect(readDecision(decision)).toEqual(decision);
  });

  test('are a floor: more that were reported count', () => {
    expect(decideDeclared([alike({ count: 7 })], five).decision?.cases[0]?.configuredTrials).toBe(
      7,
    );
    expect(decideDeclared([alike({ count: 5 })], five).result).toBe('passed');
  });

  test('of a case are its own number, never under the floor of the suite, with its own threshold', () => {
    const cases = [
      { caseKey: 'external:a', definition: { iterations: 2, passThreshold: 0.5 } },
      { caseKey: 'external:b', definition: {} },
    ];
    const trials = [
      alike(),
      alike({ result: 'failed' }),
      alike({ caseKey: 'external:b', declaredId: 'b', count: 3 }),
    ];
    const decided = (settings: object) =>
      decideDeclared(trials, settings, cases).decision?.cases.map((one) => [
        one.caseId,
        one.configuredTrials,
        one.effectivePassThreshold,
      ]);
    expect(decided({ verdictPolicyDefaults: { repetitions: 3 } })).toEqual([
      ['a', 2, 0.5],
      ['b', 3, 1],
    ]);
    expect(decided({ minimumIterations: 4 })).toEqual([
      ['a', 4, 0.5],
      ['b', 4, 1],
    ]);
  });

  test('are declared for every model of a case', () => {
    const trials = [alike({ model: 'm', count: 5 }), alike({ model: 'n' })];
    expect(decideDeclared(trials, five).decision?.cases.map((one) => one.configuredTrials)).toEqual(
      [5, 5],
    );
  });

  test('in any numbers give a decision that can be read, which never passes under the declared number', () => {
    fc.assert(
      fc.property(
        fc.nat(8),
        fc.nat(8),
        fc.integer({ min: 1, max: 12 }),
        (passed, failed, repetitions) => {
          const trials = [
            ...(passed > 0 ? [alike({ count: passed })] : []),
            ...(failed > 0 ? [alike({ result: 'failed', count: failed })] : []),
          ];
          fc.pre(trials.length > 0);
          const settings = { verdictPolicyDefaults: { repetitions } };
          const { decision, result } = decideDeclared(trials, settings);
          expect(readDecision(decision)).toEqual(decision);
          expect(decision?.cases[0]?.configuredTrials).toBe(Math.max(passed + failed, repetitions));
          if (passed + failed < repetitions) expect(result).toBe(null);
          else expect(result).toBe(failed === 0 ? 'passed' : 'failed');
        },
      ),
    );
  });
});
