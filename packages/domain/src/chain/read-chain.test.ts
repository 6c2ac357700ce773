import { describe, expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import { allGood, bare, turn } from './evidence.fixture.ts';
import { DecisionChain, readChain, type StoredChain } from './read-chain.ts';
import {
  type FailureCategory,
  failureCategories,
  type Stage,
  type StageReason,
  stages,
} from './vocabulary.ts';

const clean = deriveChain(allGood);
const failing = deriveChain({ ...allGood, turns: [turn({ missingCount: 1 })] });

function alterRow(index: number, change: object, chain: StoredChain = failing): StoredChain {
  const rows = chain.stageResults as readonly object[];
  return {
    ...chain,
    stageResults: rows.map((row, at) => (at === index ? { ...row, ...change } : row)),
  };
}

describe('nothing stored', () => {
  test.each<[string, StoredChain | undefined]>([
    ['no record', undefined],
    ['an empty record', {}],
    ['a bare version', { stageAnalyzerVersion: 1 }],
    ['a bare newer version', { stageAnalyzerVersion: 9 }],
    ['members that are undefined', { stageResults: undefined, firstFailedStage: undefined }],
  ])('%s is absent', (_title, stored) => {
    expect(readChain(stored)).toEqual({ status: 'absent' });
  });
});

describe('a chain that holds', () => {
  test('is shown whole', () => {
    expect(readChain(failing)).toEqual({
      status: 'verified',
      stages: failing.stageResults,
      analyzerVersion: 2,
      firstFailedStage: 'selection',
      failureCategory: 'selection',
    });
  });

  test('has neither claim when nothing failed', () => {
    expect(Object.keys(readChain(clean))).toEqual(['status', 'stages', 'analyzerVersion']);
  });

  test('keeps a category without a failed stage', () => {
    const aborted = deriveChain({ ...bare, status: 'setup_failed' });
    expect(readChain(aborted)).toMatchObject({ status: 'verified', failureCategory: 'setup' });
    expect(readChain(aborted)).not.toHaveProperty('firstFailedStage');
  });

  test('may come from an older analyzer, and a row may give no reason', () => {
    const rows = failing.stageResults.map(({ stage, state }) => ({ stage, state }));
    for (const version of [0, 1]) {
      const stored = { ...failing, stageResults: rows, stageAnalyzerVersion: version };
      const read = readChain(stored);
      expect(read).toMatchObject({ status: 'verified', analyzerVersion: version });
      expect(read).not.toHaveProperty('analyzerVersionAhead');
    }
  });
});

test('only the second analyzer puts a listing down to its metadata', () => {
  const assertions = [{ type: 'toolNamesUnique', passed: false, reason: 'Two are called find.' }];
  const chain = deriveChain({ ...bare, toolsList: { ok: true }, assertions });
  expect(readChain(chain)).toMatchObject({ status: 'verified', failureCategory: 'metadata' });
  expect(readChain({ ...chain, stageAnalyzerVersion: 1 }).status).toBe('unverified');
  expect(readChain({ ...chain, failureCategory: 'setup' }).status).toBe('unverified');
});

describe('a chain that does not hold shows its version alone', () => {
  test.each<[string, StoredChain]>([
    ['rows that are no list', { ...failing, stageResults: 'six' }],
    ['rows that are null', { ...failing, stageResults: null }],
    ['five rows', { ...failing, stageResults: failing.stageResults.slice(0, 5) }],
    ['seven rows', { ...clean, stageResults: [...clean.stageResults, clean.stageResults[5]] }],
    ['rows out of order', { ...clean, stageResults: [...clean.stageResults].reverse() }],
    ['a stage twice', alterRow(1, { stage: 'connection' }, clean)],
    ['an unknown stage', alterRow(0, { stage: 'handshake' })],
    ['an unknown state', alterRow(0, { state: 'skipped' })],
    ['an unknown reason', alterRow(0, { reason: 'luck' })],
    ['a reason that is null', alterRow(0, { reason: null })],
    ['an unknown key in a row', alterRow(0, { note: 'x' })],
    ['an unknown key in the evidence', alterRow(0, { evidence: { note: 'x' } })],
    ['too much evidence', alterRow(2, { evidence: { spanIds: Array(6).fill('s') } })],
    ['a stage after the failed one that passed', alterRow(3, { state: 'passed' })],
    ['a stage after the failed one that does not apply', alterRow(5, { state: 'notApplicable' })],
    ['a stage not reached for another reason', alterRow(5, { reason: 'notAuthored' })],
    ['a second failed row', alterRow(3, { state: 'failed' })],
    ['a first failed stage that is null', { ...clean, firstFailedStage: null }],
    ['a first failed stage and no failed row', { ...clean, firstFailedStage: 'call' }],
    ['another first failed stage', { ...failing, firstFailedStage: 'call' }],
    ['a failed row and no first failed stage', { ...failing, firstFailedStage: undefined }],
    ['an unknown category', { ...failing, failureCategory: 'weather' }],
    ['a category that is null', { ...failing, failureCategory: null }],
    ['a failed row with a reason of another state', alterRow(2, { reason: 'providerError' })],
    ['a category of another stage', { ...failing, failureCategory: 'serverData' }],
    ['a category of a stage that did not fail', { ...clean, failureCategory: 'selection' }],
    ['a first failed stage alone', { firstFailedStage: 'call', stageAnalyzerVersion: 2 }],
    ['a category alone', { failureCategory: 'setup', stageAnalyzerVersion: 2 }],
  ])('%s', (_title, stored) => {
    expect(readChain(stored)).toEqual({ status: 'unverified', analyzerVersion: 2 });
  });

  test.each<[Stage, StageReason | undefined, readonly FailureCategory[]]>([
    ['connection', 'connectFailed', ['setup']],
    ['discovery', 'toolsListFailed', ['setup']],
    ['selection', 'missingToolCall', ['selection', 'metadata']],
    ['selection', undefined, ['selection', 'metadata']],
    ['call', 'argumentMismatch', ['arguments']],
    ['call', 'protocolError', ['setup', 'serverData']],
    ['call', undefined, ['setup', 'arguments', 'serverData']],
    ['response', 'toolError', ['serverData']],
    ['userValue', 'predicateFailed', ['userValue']],
  ])('%s that failed for %s can only be of %j', (stage, reason, possible) => {
    const at = stages.indexOf(stage);
    const stageResults = stages.map((name, index) => {
      const state = index < at ? 'notMeasured' : index > at ? 'notReached' : 'failed';
      return index === at && reason ? { stage: name, state, reason } : { stage: name, state };
    });
    for (const version of [1, 2]) {
      const fitting = [...failureCategories, undefined].filter((failureCategory) => {
        const claims = { firstFailedStage: stage, failureCategory, stageAnalyzerVersion: version };
        return readChain({ stageResults, ...claims }).status === 'verified';
      });
      expect(new Set(fitting)).toEqual(new Set([...possible, undefined]));
    }
  });

  test('without a failed stage only a broken grader and a lost set-up have a category', () => {
    const fitting = failureCategories.filter(
      (failureCategory) => readChain({ ...clean, failureCategory }).status === 'verified',
    );
    expect(fitting).toEqual(['setup', 'evaluator']);
  });

  test.each([undefined, null, -1, 1.5, '1', Number.NaN, 2 ** 53])('version %s', (version) => {
    const stored = { ...failing, stageAnalyzerVersion: version };
    expect(readChain(stored)).toEqual({ status: 'unverified' });
  });
});

describe('a chain of a newer analyzer', () => {
  const ahead = { analyzerVersion: 3, analyzerVersionAhead: { reported: 3, known: 2 } };

  test('is flagged and shown, even where its walk has a newer meaning', () => {
    const stored = { ...alterRow(5, { state: 'notApplicable' }), stageAnalyzerVersion: 3 };
    expect(readChain(stored)).toEqual({
      status: 'verified',
      stages: stored.stageResults,
      ...ahead,
      firstFailedStage: 'selection',
      failureCategory: 'selection',
    });
  });

  test.each<[string, StoredChain]>([
    ['a reason we do not know', alterRow(0, { reason: 'newReason' })],
    ['a key we do not know', alterRow(0, { score: 1 })],
    ['another first failed stage', { ...failing, firstFailedStage: 'call' }],
  ])('is flagged and withheld when it carries %s', (_title, stored) => {
    expect(readChain({ ...stored, stageAnalyzerVersion: 3 })).toEqual({
      status: 'unverified',
      ...ahead,
    });
  });

  test.each<[string, StoredChain]>([
    ['the reason of a failed row', alterRow(2, { reason: 'providerError' })],
    ['the category', { ...failing, failureCategory: 'serverData' }],
  ])('may mean something newer by %s', (_title, stored) => {
    const read = readChain({ ...stored, stageAnalyzerVersion: 3 });
    expect(read).toMatchObject({ status: 'verified', ...ahead });
  });
});

test('every answer fits the closed shape, and no variant takes a foreign member', () => {
  const answers = [readChain(failing), readChain({ failureCategory: 'x' }), readChain(undefined)];
  expect(answers.map((answer) => answer.status)).toEqual(['verified', 'unverified', 'absent']);
  for (const answer of answers) {
    expect(DecisionChain.safeParse(answer).success).toBe(true);
    expect(DecisionChain.safeParse({ ...answer, more: 1 }).success).toBe(false);
  }
  const withheld = { status: 'unverified', stages: failing.stageResults };
  expect(DecisionChain.safeParse(withheld).success).toBe(false);
  expect(DecisionChain.safeParse({ status: 'absent', analyzerVersion: 1 }).success).toBe(false);
  expect(failing.stageResults.map((row) => row.stage)).toEqual(stages);
});
