import { createHash } from 'node:crypto';
import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decisionCaseId } from '../verdict/case-identity.ts';
import type { Trial } from '../verdict/classify-trial.ts';
import { decideRun } from '../verdict/decide-run.ts';
import { type DecisionCase, trialStatuses } from '../verdict/decision.ts';
import { readDecision } from '../verdict/read-decision.ts';
import type { AlikeTrials } from './alike-trials.ts';
import { decideReportedRun } from './decide-reported-run.ts';
import { type RunTerms, resolveTerms } from './run-terms.ts';

const policyV2 = resolveTerms({});
const legacy: RunTerms = { minimumPassRate: 50 };

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

function decide(trials: readonly AlikeTrials[], terms = policyV2, expected: number | null = null) {
  return decideReportedRun(terms, trials, expected, sha256Hex);
}

describe('counts', () => {
  test('are trials: all, passed and failed, and one without a result is in the first alone', () => {
    const trials = [
      alike({ count: 3 }),
      alike({ result: 'failed', count: 2 }),
      alike({ result: null, evaluatorError: true }),
      alike({ status: 'skipped', result: null, count: 4 }),
    ];
    for (const terms of [policyV2, legacy]) {
      expect(decide(trials, terms).counts).toEqual({ total: 10, passed: 3, failed: 2 });
    }
  });
});

describe('fewer trials than were expected', () => {
  test.each([policyV2, legacy])('leave the run undecided: %j', (terms) => {
    expect(decide([alike({ count: 4 })], terms, 5)).toEqual({
      counts: { total: 4, passed: 4, failed: 0 },
      result: null,
      integrityError: 'Only 4 of the 5 expected iterations were reported.',
    });
    expect(decide([], terms, 1)).toMatchObject({
      result: null,
      integrityError: expect.any(String),
    });
  });

  test.each([4, 5, 0])('as many as expected, or more, decide it: %i of 5', (expected) => {
    expect(decide([alike({ count: 5 })], policyV2, expected).result).toBe('passed');
    expect(decide([alike({ count: 5 })], legacy, expected).result).toBe('passed');
  });
});

describe('a legacy run', () => {
  test.each([
    [5, 5, 'passed'],
    [4, 5, 'failed'],
  ] as const)('with %i passed and %i failed has %s as its result', (passed, failed, result) => {
    const end = decide(
      [alike({ count: passed }), alike({ result: 'failed', count: failed })],
      legacy,
    );
    expect(end).toEqual({ counts: { total: passed + failed, passed, failed }, result });
  });

  test('without a trial has no result', () => {
    expect(decide([], legacy)).toEqual({
      counts: { total: 0, passed: 0, failed: 0 },
      result: null,
    });
  });
});

describe('under policy v2', () => {
  test('a case is configured with as many trials as were reported of it', () => {
    const { decision } = decide([
      alike({ count: 3 }),
      alike({ caseKey: 'external:b', declaredId: 'b', count: 2 }),
      alike({ result: null, status: 'timed_out' }),
    ]);
    expect(decision?.cases.map((row) => [row.caseId, row.configuredTrials])).toEqual([
      ['a', 4],
      ['b', 2],
    ]);
  });

  test('an inconclusive run has a decision and no result', () => {
    const end = decide([alike({ status: 'cancelled', result: null })]);
    expect(end.decision?.verdict).toBe('inconclusive');
    expect(end.result).toBeNull();
  });

  test('a run whose cases keep to one model each does not fan out, whichever model that is', () => {
    const trials = [
      alike({ model: 'small' }),
      alike({ model: null }),
      alike({ caseKey: 'external:b', declaredId: 'b', model: 'large' }),
    ];
    const rows = decide(trials).decision?.cases;
    expect(rows).toHaveLength(2);
    for (const row of rows ?? []) expect(row).not.toHaveProperty('executionVariant');
  });

  test.each<[string, Partial<AlikeTrials>[]]>([
    ['models', [{ model: 'large' }, { model: 'small' }]],
    [
      'providers of one model',
      [
        { model: 'm', provider: 'one' },
        { model: 'm', provider: 'two' },
      ],
    ],
    ['providers, one of them unnamed', [{ model: 'm', provider: 'two' }, { model: 'm' }]],
  ])(
    'a case under several %s has a row for each, and so has every other case',
    (_title, variants) => {
      const other = { caseKey: 'external:b', declaredId: 'b', model: 'only' };
      const rows = decide([...variants.map(alike), alike(other)]).decision?.cases;
      expect(rows?.map((row) => [row.caseId, row.executionVariant])).toEqual([
        ...variants.map(({ model, provider }) => ['a', { model, ...(provider && { provider }) }]),
        ['b', { model: 'only' }],
      ]);
    },
  );
});

describe('what cannot be decided is refused with a sentence, never guessed', () => {
  const unreported = { status: 'cancelled', result: null } as const;
  const titled = { caseKey: 'title:weather', declaredId: null, title: 'weather in Rome' };
  const timedOut = (count: number) => alike({ status: 'timed_out', result: null, count });
  const fannedOut = [alike({ model: 'large' }), alike({ model: 'small' })];
  const many = (cases: number) =>
    Array.from({ length: cases }, (_, index) =>
      alike({ caseKey: `external:${index}`, declaredId: `case-${index}` }),
    );
  test.each<[string, AlikeTrials[], string]>([
    ['no trial at all', [], 'No iteration was reported.'],
    [
      '101 trials of a case of which too few were measured',
      [alike({ count: 60 }), alike({ ...unreported, count: 41 })],
      'A case can be decided by at most 100 trials, but a has 101. A simpler verdict was not possible either, because too little was measured.',
    ],
    [
      '501 cases of which too few were measured',
      many(501).map((trial) => ({ ...trial, ...unreported })),
      'A decision holds at most 500 cases and this run has 501. A simpler verdict was not possible either, because too little was measured.',
    ],
    [
      'a trial without a model in a case that fans out',
      [...fannedOut, alike()],
      'The run used several models, but some of its trials name no model; report the model of every trial.',
    ],
    [
      'a trial without a model in another case',
      [...fannedOut, alike({ caseKey: 'external:b', declaredId: 'b' })],
      'The run used several models, but some of its trials name no model; report the model of every trial.',
    ],
    [
      'a completed trial with neither result nor broken grader',
      [alike(), alike({ result: null })],
      'The case a cannot be decided: a completed trial has neither a verdict nor an evaluator error.',
    ],
    [
      'a status nobody knows',
      [alike({ status: 'odd' as never })],
      'The case a cannot be decided: a trial has an unknown status.',
    ],
    [
      'two things that are wrong with one case, in any order',
      [alike({ status: 'odd' as never }), alike({ result: null })],
      'The case a cannot be decided: a completed trial has neither a verdict nor an evaluator error.',
    ],
    [
      'a case that has only a title, told by that and not by our key',
      [alike({ ...titled, ...unreported, count: 101 })],
      'A case can be decided by at most 100 trials, but “weather in Rome” has 101. A simpler verdict was not possible either, because too little was measured.',
    ],
    [
      'a case with a title that cannot be decided',
      [alike({ ...titled, result: null })],
      'The case “weather in Rome” cannot be decided: a completed trial has neither a verdict nor an evaluator error.',
    ],
    [
      'two cases of one title under one id',
      [alike({ title: 'Rome' }), alike({ title: 'Rome', caseKey: 'external:b' })],
      'The case “Rome” (a) is listed twice with the same execution variant.',
    ],
    [
      'two cases under one id',
      [alike(), alike({ caseKey: 'external:b' })],
      'The case a is listed twice with the same execution variant.',
    ],
  ])('%s', (_title, trials, integrityError) => {
    const end = decide(trials);
    expect(end).toMatchObject({ result: null, integrityError });
    expect(end).not.toHaveProperty('decision');
    expect(decide([...trials].reverse())).toEqual(end);
  });

  test.each<[string, AlikeTrials[], string]>([
    ['150 passed trials of a case', [alike({ count: 150 })], 'passed'],
    ['one failure', [alike({ count: 149 }), alike({ result: 'failed' })], 'failed'],
    ['a few that ran out of time', [alike({ count: 140 }), timedOut(10)], 'passed'],
    ['501 cases', many(501), 'passed'],
    [
      '501 cases and a failure',
      [...many(501), alike({ declaredId: 'z', caseKey: 'z', result: 'failed' })],
      'failed',
    ],
  ])('more than a decision holds has a result by the same rules: %s', (_title, trials, result) => {
    const end = decide(trials);
    expect(end).toEqual({ counts: end.counts, result, isLegacy: true });
    expect(decide([...trials].reverse())).toEqual(end);
  });

  test('a share below 1 holds for every case, also where they are too many for a decision', () => {
    const terms = resolveTerms({ verdictPolicy: { passThreshold: 0.9 } });
    const red = alike({ caseKey: 'external:b', declaredId: 'b', result: 'failed' });
    expect(decide([alike({ count: 150 }), red], terms).result).toBe('failed');
    expect(
      decide([alike({ count: 140 }), alike({ result: 'failed', count: 10 })], terms).result,
    ).toBe('passed');
  });

  test('100 trials of each of 500 cases under two models are decided', () => {
    const trials = ['large', 'small'].flatMap((model) =>
      many(500).map((trial) => ({ ...trial, model, count: 100 })),
    );
    const { decision, counts } = decide(trials);
    expect(counts.total).toBe(100_000);
    expect(decision?.cases).toHaveLength(1000);
    expect(readDecision(decision)).toEqual(decision);
  });
});

describe('whatever was reported', () => {
  const name = fc.constantFrom('a', 'b', 'ü not opaque', 'k_1');
  const model = fc.option(fc.constantFrom('large', 'small', 'a "quoted" one'), { nil: null });
  const group = fc
    .record({
      caseKey: name,
      model: fc.oneof({ weight: 3, arbitrary: fc.constant('only') }, model),
      provider: fc.option(fc.constantFrom('one', 'two'), { nil: null }),
      status: fc.oneof(
        { weight: 4, arbitrary: fc.constant('completed' as const) },
        fc.constantFrom(...trialStatuses),
      ),
      outcome: fc.constantFrom('passed', 'passed', 'failed', 'broken', 'nothing'),
      count: fc.integer({ min: 1, max: 40 }),
    })
    .map(
      ({ caseKey, outcome, status, ...rest }): AlikeTrials => ({
        ...rest,
        caseKey,
        status,
        declaredId: caseKey === 'b' ? null : caseKey,
        result:
          status === 'completed' && (outcome === 'passed' || outcome === 'failed') ? outcome : null,
        evaluatorError: status === 'completed' && outcome === 'broken',
      }),
    );
  const reports = fc.array(group, { maxLength: 12 });
  const terms = fc.constantFrom<RunTerms>(
    policyV2,
    legacy,
    resolveTerms({
      verdictPolicy: { minEligibleTrials: 2, passThreshold: 0.5, minCompletionRate: 0 },
    }),
  );
  const runs = runsOf(400);

  test('any order and any split into groups ends in the same bytes', () => {
    const orders = fc.array(fc.nat(), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(terms, reports, orders, (stated, trials, order) => {
        const parts = trials
          .flatMap((trial, index) => split(trial, order[index] ?? 0))
          .map((trial, index) => ({ trial, key: order[(index * 7) % 30] ?? 0 }))
          .sort((one, other) => one.key - other.key)
          .map(({ trial }) => trial);
        expect(JSON.stringify(decide(parts, stated))).toBe(JSON.stringify(decide(trials, stated)));
      }),
      runs,
    );
  });

  test('a decision reads back as it is, and its counts are those of the run', () => {
    let decided = 0;
    fc.assert(
      fc.property(terms, reports, (stated, trials) => {
        const { decision, counts, result, integrityError } = decide(trials, stated);
        expect(counts.total).toBe(trials.reduce((sum, { count }) => sum + count, 0));
        if (decision === undefined) return;
        decided += 1;
        expect(integrityError).toBeUndefined();
        expect(readDecision(JSON.parse(JSON.stringify(decision)))).toEqual(decision);
        expect(result).toBe(decision.verdict === 'inconclusive' ? null : decision.verdict);
        const sum = (count: 'configuredTrials' | 'passedTrials' | 'failedTrials') =>
          decision.cases.reduce((total, row) => total + row[count], 0);
        expect(sum('configuredTrials')).toBe(counts.total);
        expect(sum('passedTrials')).toBe(counts.passed);
        expect(sum('failedTrials')).toBe(counts.failed);
      }),
      runs,
    );
    expect(decided).toBeGreaterThan(20);
  });

  test('it is decided as its trials one by one are', () => {
    fc.assert(
      fc.property(reports, (trials) => {
        const { decision } = decide(trials);
        if (decision === undefined || !('policy' in policyV2)) return;
        const cases = decision.cases.map((row) => ({
          caseId: row.caseId,
          configuredTrials: row.configuredTrials,
          effectivePassThreshold: 1,
          ...(row.executionVariant && { executionVariant: row.executionVariant }),
          trials: trials.filter((trial) => isOfRow(trial, row)).flatMap(oneByOne),
        }));
        expect(decideRun({ policy: policyV2.policy, cases })).toEqual({ decision });
      }),
      runs,
    );
  });

  test('a run has a decision or a reason why not, and a legacy run never has a decision', () => {
    fc.assert(
      fc.property(terms, reports, (stated, trials) => {
        const end = decide(trials, stated);
        if ('minimumPassRate' in stated) expect(end.decision).toBeUndefined();
        else {
          const isExplained = end.integrityError !== undefined || end.isLegacy === true;
          expect(end.decision === undefined).toBe(isExplained);
          if (end.isLegacy) expect(end.result).not.toBeNull();
        }
      }),
      runs,
    );
  });

  test('no row mixes trials with and without a model once the run fans out', () => {
    fc.assert(
      fc.property(reports, (trials) => {
        const keyed = decide(trials).decision?.cases.map(
          (row) => row.executionVariant !== undefined,
        );
        expect(new Set(keyed).size).toBeLessThan(2);
      }),
      runs,
    );
  });
});

function split(trial: AlikeTrials, by: number): AlikeTrials[] {
  const first = by % trial.count;
  if (first === 0) return [trial];
  return [
    { ...trial, count: first },
    { ...trial, count: trial.count - first },
  ];
}

function isOfRow(trial: AlikeTrials, { caseId, executionVariant }: DecisionCase): boolean {
  if (decisionCaseId(trial, sha256Hex) !== caseId) return false;
  if (executionVariant === undefined) return true;
  const { model, provider = null } = executionVariant;
  return trial.model === model && trial.provider === provider;
}

function oneByOne({ status, result, evaluatorError, count }: AlikeTrials): Trial[] {
  return Array.from({ length: count }, () => ({
    status,
    evaluatorError,
    ...(result !== null && { taskVerdict: result }),
  }));
}
