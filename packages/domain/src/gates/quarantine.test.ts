import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DecisionCase } from '../verdict/decision.ts';
import { asksForModel, gateQuarantine } from './gate-quarantine.ts';
import { exitCodeOfGate, wordOfGate } from './open-gate.ts';
import {
  holdsFor,
  isQuarantineOverfull,
  mostQuarantined,
  type QuarantineEntry,
  quarantineDaysLeft,
  quarantineProblem,
  quarantineState,
  type StatedQuarantine,
} from './quarantine-entry.ts';
import {
  FileQuarantineEntry,
  type FileWithQuarantine,
  quarantineFromFile,
  quarantineProblemOfFile,
  quarantineToFile,
} from './quarantine-of-file.ts';

const day = 86_400_000;
type Place = readonly (string | number)[] | undefined;
const nowMs = Date.UTC(2026, 10, 19, 12);

interface Given extends Partial<QuarantineEntry> {
  readonly isSteady?: boolean;
  readonly hasCase?: boolean;
}

function entry({ isSteady = false, hasCase = true, ...more }: Given = {}): QuarantineEntry {
  const caseId = more.caseId ?? 'refund';
  const expiresAt = more.expiresAt ?? nowMs + 3 * day;
  return {
    id: 'qrn_1',
    caseId,
    model: null,
    owner: 'Mika',
    reason: 'Races with the cache',
    expiresAt,
    source: 'api',
    state: quarantineState({ expiresAt }, { nowMs, hasCase, isSteady }),
    daysLeft: quarantineDaysLeft(expiresAt, nowMs),
    decisionCaseIds: [caseId],
    title: 'Asks for a refund',
    ...more,
  };
}

function variant(caseId: string, verdict: DecisionCase['verdict'], model?: string): DecisionCase {
  return {
    caseId,
    verdict,
    ...(model !== undefined && { executionVariant: { model } }),
  } as DecisionCase;
}

const red = [variant('refund', 'failed'), variant('search', 'passed')];
const green = [variant('refund', 'passed'), variant('search', 'passed')];
const twoModels = [variant('refund', 'failed', 'large'), variant('refund', 'passed', 'small')];
const expired = { expiresAt: nowMs - 1 };

interface Row {
  readonly cases?: readonly DecisionCase[];
  readonly entries: readonly QuarantineEntry[];
  readonly playedOn?: Readonly<Record<string, string>>;
  readonly word: string;
  readonly exitCode: number;
  readonly letThrough?: number;
  readonly stale?: number;
}

test.each<readonly [string, Row]>([
  ['none', { entries: [], word: 'FAILED', exitCode: 1 }],
  ['in force', { entries: [entry()], word: 'QUARANTINED', exitCode: 0, letThrough: 1 }],
  ['expired', { entries: [entry(expired)], word: 'FAILED', exitCode: 1, stale: 1 }],
  [
    'expired, over a green run',
    { cases: green, entries: [entry(expired)], word: 'FAILED', exitCode: 1, stale: 1 },
  ],
  [
    'of a case that is gone',
    { cases: green, entries: [entry({ hasCase: false })], word: 'FAILED', exitCode: 1, stale: 1 },
  ],
  [
    'of a case that is steady',
    { cases: green, entries: [entry({ isSteady: true })], word: 'FAILED', exitCode: 1, stale: 1 },
  ],
  ['not needed', { cases: green, entries: [entry()], word: 'PASSED', exitCode: 0 }],
  [
    'of one of two failing cases',
    {
      cases: [...red, variant('pay', 'failed')],
      entries: [entry()],
      word: 'FAILED',
      exitCode: 1,
      letThrough: 1,
    },
  ],
  [
    'of the model that failed',
    {
      cases: twoModels,
      entries: [entry({ model: 'large' })],
      word: 'QUARANTINED',
      exitCode: 0,
      letThrough: 1,
    },
  ],
  [
    'of another model',
    { cases: twoModels, entries: [entry({ model: 'small' })], word: 'FAILED', exitCode: 1 },
  ],
  [
    'of the only model of the run',
    {
      entries: [entry({ model: 'large' })],
      playedOn: { refund: 'large' },
      word: 'QUARANTINED',
      exitCode: 0,
      letThrough: 1,
    },
  ],
  [
    'of another model than the only one',
    {
      entries: [entry({ model: 'small' })],
      playedOn: { refund: 'large' },
      word: 'FAILED',
      exitCode: 1,
    },
  ],
  [
    'of a model on which only another case was played',
    {
      entries: [entry({ model: 'large' })],
      playedOn: { search: 'large', refund: 'small' },
      word: 'FAILED',
      exitCode: 1,
    },
  ],
  [
    'of a model that no trial shows',
    { entries: [entry({ model: 'large' })], word: 'FAILED', exitCode: 1 },
  ],
  [
    'in the file',
    { entries: [entry({ source: 'file' })], word: 'QUARANTINED', exitCode: 0, letThrough: 1 },
  ],
  [
    'in the file, beside one of the API',
    {
      entries: [entry({ source: 'file' }), entry({ id: 'qrn_2' })],
      word: 'QUARANTINED',
      exitCode: 0,
      letThrough: 1,
    },
  ],
  [
    'in the file, beside one of the API that expired',
    {
      entries: [entry({ source: 'file' }), entry({ id: 'qrn_2', ...expired })],
      word: 'FAILED',
      exitCode: 1,
      letThrough: 1,
      stale: 1,
    },
  ],
  [
    'of a case with rows',
    {
      cases: [variant('refund-0123456789ab', 'failed')],
      entries: [entry()],
      word: 'QUARANTINED',
      exitCode: 0,
      letThrough: 1,
    },
  ],
])('an entry %s: %o', (_, { cases = red, entries, playedOn = {}, word, exitCode, ...more }) => {
  const notPassed = Object.entries(playedOn).map(([caseId, model]) => ({
    caseId,
    testCaseId: null,
    model,
  }));
  const quarantine = gateQuarantine({ cases, entries, notPassed });
  const verdict = cases.some((one) => one.verdict === 'failed') ? 'failed' : 'passed';
  const found = wordOfGate({ status: 'completed', verdict, isWaived: false, quarantine });
  expect(found).toBe(word);
  expect(exitCodeOfGate[found]).toBe(exitCode);
  expect(quarantine.letThrough).toHaveLength(more.letThrough ?? 0);
  expect(quarantine.stale).toHaveLength(more.stale ?? 0);
});

test('a run that was not decided by cases is let through by no entry', () => {
  expect(gateQuarantine({ cases: undefined, entries: [entry()] }).excusesAll).toBe(false);
});

test('only an entry in force that names a model needs that of the run', () => {
  expect(asksForModel([entry()])).toBe(false);
  expect(asksForModel([entry({ model: 'large' })])).toBe(true);
  expect(asksForModel([entry({ model: 'large', ...expired })])).toBe(false);
});

test('a gate passes a failed run exactly if each failing variant has an entry', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const verdicts = fc.constantFrom('passed' as const, 'failed' as const);
  const given = fc.tuple(fc.tuple(verdicts, verdicts, verdicts, verdicts), fc.subarray(ids));
  fc.assert(
    fc.property(given, ([outcomes, named]) => {
      const cases = outcomes.map((verdict, at) => variant(ids[at] as string, verdict));
      const failing = cases.filter(({ verdict }) => verdict === 'failed');
      const entries = named.map((caseId) => entry({ caseId }));
      const { excusesAll, letThrough } = gateQuarantine({ cases, entries });
      const isExcused = failing.every(({ caseId }) => named.includes(caseId));
      expect(excusesAll).toBe(failing.length > 0 && isExcused);
      expect(letThrough.every(({ variant: one }) => one.verdict === 'failed')).toBe(true);
    }),
  );
});

describe('an entry', () => {
  test.each([
    [true, nowMs + 1, false, 'inForce'],
    [true, nowMs, false, 'expired'],
    [true, nowMs + 1, true, 'steady'],
    [true, nowMs, true, 'expired'],
    [false, nowMs + 1, true, 'gone'],
    [false, nowMs, false, 'gone'],
  ])('with its case: %s, until %i, steady: %s is %s', (hasCase, expiresAt, isSteady, state) => {
    expect(quarantineState({ expiresAt }, { nowMs, hasCase, isSteady })).toBe(state);
  });

  test.each([
    [-day, 0],
    [0, 0],
    [1, 1],
    [day, 1],
    [day + 1, 2],
    [30 * day, 30],
  ])('that ends in %i ms has %i days left', (inMs, days) => {
    expect(quarantineDaysLeft(nowMs + inMs, nowMs)).toBe(days);
  });

  test.each<readonly [string, Partial<StatedQuarantine>, string | undefined]>([
    ['with all', {}, undefined],
    ['without an owner', { owner: ' ' }, 'owner'],
    ['with a long owner', { owner: 'x'.repeat(201) }, 'owner'],
    ['with the longest owner', { owner: 'x'.repeat(200) }, undefined],
    ['without a reason', { reason: '' }, 'reason'],
    ['with a long reason', { reason: 'x'.repeat(501) }, 'reason'],
    ['with the longest reason', { reason: 'x'.repeat(500) }, undefined],
    ['that has ended', { expiresAt: nowMs }, 'expiresAt'],
    ['without a whole end', { expiresAt: nowMs + 0.5 }, 'expiresAt'],
    ['that ends too late', { expiresAt: nowMs + 30 * day + 1 }, 'expiresAt'],
    ['that ends as late as it may', { expiresAt: nowMs + 30 * day }, undefined],
  ])('%s: %o is refused at %s', (_, more, at) => {
    const stated = { owner: 'Mika', reason: 'Races', expiresAt: nowMs + day, ...more };
    expect(quarantineProblem(stated, nowMs)?.path).toEqual(at === undefined ? undefined : [at]);
  });

  test.each([
    [null, null, true],
    [null, 'large', true],
    ['large', 'large', true],
    ['large', 'small', false],
    ['large', null, false],
  ])('of model %s holds for %s: %s', (model, wanted, holds) => {
    const caseId = 'refund';
    expect(holdsFor({ caseId, model }, { caseId, model: wanted })).toBe(holds);
    expect(holdsFor({ caseId, model }, { caseId: 'other', model: wanted })).toBe(false);
  });
});

describe('how many cases may be in quarantine', () => {
  test.each([
    [0, undefined, 1],
    [4, undefined, 1],
    [9, undefined, 1],
    [10, undefined, 2],
    [100, 0.29, 29],
    [10, 0, 1],
    [10, 1, 10],
  ])('of %i cases with a share of %s: %i', (cases, share, most) => {
    expect(mostQuarantined(cases, share)).toBe(most);
  });

  test('never more than the share but for the first, and more with more cases', () => {
    const given = fc.tuple(fc.nat(2000), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(given, ([cases, share]) => {
        const most = mostQuarantined(cases, share);
        expect(most).toBeLessThanOrEqual(Math.max(1, cases * share + 1e-6));
        expect(most).toBeGreaterThan(cases * share - 1);
        expect(mostQuarantined(cases + 1, share)).toBeGreaterThanOrEqual(most);
      }),
    );
  });

  test('counts cases, and none that an entry no longer excuses', () => {
    const at = { most: 1, nowMs, hasCase: (id: string) => id !== 'gone' };
    const of = (...caseIds: string[]) => caseIds.map((caseId) => entry({ caseId }));
    expect(isQuarantineOverfull(of('a', 'a'), at)).toBe(false);
    expect(isQuarantineOverfull(of('a', 'b'), at)).toBe(true);
    expect(isQuarantineOverfull(of('a', 'gone'), at)).toBe(false);
    expect(isQuarantineOverfull([...of('a'), entry({ caseId: 'b', ...expired })], at)).toBe(false);
  });
});

describe('a suite file', () => {
  const stated = { case: 'refund', owner: 'Mika', reason: 'Races', expires: '2026-12-10' };
  const file = (
    quarantine: readonly Partial<FileQuarantineEntry>[],
    amount = 5,
    share?: number,
  ): FileWithQuarantine => ({
    quarantine: quarantine.map((more) => ({ ...stated, ...more })),
    cases: Array.from({ length: amount }, (_, at) => ({ id: at === 0 ? 'refund' : `case-${at}` })),
    defaults: share === undefined ? {} : { quarantineShare: share },
  });

  test('states a day, to whose end in UTC the entry holds', () => {
    const { expiresAt } = quarantineFromFile(stated);
    expect(new Date(expiresAt).toISOString()).toBe('2026-12-11T00:00:00.000Z');
    expect(quarantineFromFile(stated).model).toBeNull();
  });

  test('is written as it was read', () => {
    const days = fc.integer({ min: 0, max: 40_000 });
    fc.assert(
      fc.property(days, fc.constantFrom(null, 'a', 'b'), (at, model) => {
        const expires = new Date(at * day).toISOString().slice(0, 10);
        const given = { ...stated, expires, ...(model === null ? {} : { model }) };
        expect(FileQuarantineEntry.safeParse(given).success).toBe(true);
        expect(quarantineToFile(quarantineFromFile(given))).toEqual(given);
      }),
    );
  });

  test.each<readonly [string, object]>([
    ['without a case', { case: undefined }],
    ['without an owner', { owner: '' }],
    ['with a blank reason', { reason: ' ' }],
    ['with a long reason', { reason: 'x'.repeat(501) }],
    ['with a time for a day', { expires: '2026-12-10T00:00:00Z' }],
    ['with a day that is none', { expires: '2026-02-30' }],
    ['with a month that is none', { expires: '2026-13-01' }],
    ['with an unknown key', { until: '2026-12-10' }],
  ])('with an entry %s is malformed', (_, more) => {
    expect(FileQuarantineEntry.safeParse({ ...stated, ...more }).success).toBe(false);
  });

  test.each<readonly [string, FileWithQuarantine, Place]>([
    ['without entries', file([]), undefined],
    ['with one', file([{}]), undefined],
    ['with one that expired', file([{ expires: '2026-11-18' }]), undefined],
    ['with one of a case that it lacks', file([{}, { case: 'gone' }]), undefined],
    ['with the last day that may be', file([{ expires: '2026-12-19' }]), undefined],
    [
      'with a day too late',
      file([{}, { case: 'case-1', expires: '2026-12-20' }], 20),
      ['quarantine', 1, 'expires'],
    ],
    ['with one twice', file([{}, {}]), ['quarantine', 1, 'case']],
    ['with two models of one case', file([{ model: 'a' }, { model: 'b' }]), undefined],
    ['with too many', file([{}, { case: 'case-1' }]), ['quarantine']],
    ['with as many as its share', file([{}, { case: 'case-1' }], 5, 0.4), undefined],
  ])('%s: %o is refused at %o', (_, given, path) => {
    expect(quarantineProblemOfFile(given, nowMs)?.path).toEqual(path);
  });
});
