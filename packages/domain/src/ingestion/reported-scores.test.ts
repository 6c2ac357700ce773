import { describe, expect, test } from 'vitest';
import { readReportedScores } from './reported-scores.ts';

const score = {
  scorerId: 'answer',
  scorerVersion: '1',
  definitionHash: 'h',
  status: 'scored',
  value: 0.8,
  passThreshold: 0.7,
  passed: true,
  deterministic: true,
};
const { value: _value, passed: _passed, ...unscored } = score;
const definition = {
  scorerId: 'answer',
  scorerVersion: '1',
  role: 'gating',
  onError: 'fail',
  passThreshold: 0.7,
};

function read(scores: unknown, ...definitions: unknown[]) {
  return readReportedScores({ scores, evaluationConfig: { hash: 'c', definitions } }, true);
}

test('scores come together with their definitions, or not at all', () => {
  const nothing = { scores: undefined, evaluationConfig: undefined, graderBroke: false };
  expect(readReportedScores({}, true)).toEqual({ ...nothing, scoreIntegrity: null });
  const evaluationConfig = { hash: 'c', definitions: [definition] };
  for (const metadata of [
    { scores: [score] },
    { evaluationConfig },
    { scores: 'x', evaluationConfig },
  ]) {
    const unreadable = { ...nothing, scoreIntegrity: 'invalid' };
    expect(readReportedScores(metadata, false)).toEqual(unreadable);
    expect(readReportedScores(metadata, true)).toEqual({ ...unreadable, graderBroke: true });
  }
  expect(readReportedScores({ scores: [score], evaluationConfig }, true)).toEqual({
    scores: [score],
    evaluationConfig,
    scoreIntegrity: 'valid',
    graderBroke: false,
  });
});

describe('a well-formed set is kept, and marked by whether it is valid', () => {
  test.each<[string, unknown[], unknown[], 'valid' | 'invalid']>([
    ['no scores for no definitions', [], [], 'valid'],
    ['a score at its threshold', [{ ...score, value: 0.7 }], [definition], 'valid'],
    [
      'a score below its threshold that says so',
      [{ ...score, value: 0.6, passed: false }],
      [definition],
      'valid',
    ],
    ['a score that leaves it to the numbers', [{ ...unscored, value: 0.1 }], [definition], 'valid'],
    [
      'a score below its threshold that says it passed',
      [{ ...score, value: 0.6 }],
      [definition],
      'invalid',
    ],
    [
      'a score at its threshold that says it failed',
      [{ ...score, value: 0.7, passed: false }],
      [definition],
      'invalid',
    ],
    ['a score without a value', [unscored], [definition], 'invalid'],
    ['a skipped scorer', [{ ...unscored, status: 'skipped' }], [definition], 'valid'],
    [
      'a skipped scorer that passed',
      [{ ...unscored, status: 'skipped', passed: true }],
      [definition],
      'invalid',
    ],
    [
      'a skipped scorer with a value',
      [{ ...unscored, status: 'skipped', value: 1 }],
      [definition],
      'invalid',
    ],
    [
      'a score of no definition',
      [score],
      [{ ...definition, scorerId: 'other', role: 'advisory' }],
      'invalid',
    ],
    ['a score of another version', [{ ...score, scorerVersion: '2' }], [definition], 'invalid'],
    [
      'a score against another threshold',
      [{ ...score, passThreshold: 0.5 }],
      [definition],
      'invalid',
    ],
    ['a scorer that is defined twice', [score], [definition, definition], 'invalid'],
    ['an unknown role', [score], [{ ...definition, role: 'odd' }], 'invalid'],
    ['a gating definition without a score', [], [definition], 'invalid'],
    ['an advisory definition without a score', [], [{ ...definition, role: 'advisory' }], 'valid'],
    ['one scorer for several turns', [score, score], [definition], 'valid'],
  ])('%s', (_title, scores, definitions, scoreIntegrity) => {
    const found = read(scores, ...definitions);
    expect(found.scoreIntegrity).toBe(scoreIntegrity);
    expect(found.scores).toEqual(scores);
    expect(found.evaluationConfig).toEqual({ hash: 'c', definitions });
  });
});

describe('a set that is not well formed is marked and not kept', () => {
  test.each<[string, unknown, unknown]>([
    ['a value above 1', [{ ...score, value: 1.2 }], definition],
    ['an unknown status', [{ ...score, status: 'odd' }], definition],
    ['an unknown field of a score', [{ ...score, more: 1 }], definition],
    ['a percent for a threshold', [score], { ...definition, passThreshold: 70 }],
  ])('%s', (_title, scores, stated) => {
    expect(read(scores, stated)).toEqual({
      scores: undefined,
      evaluationConfig: undefined,
      scoreIntegrity: 'invalid',
      graderBroke: true,
    });
  });
});

describe('a pass beside what cannot be read is no pass, unless every scorer is advisory', () => {
  const long = { ...unscored, status: 'error', error: 'x'.repeat(600) };
  const advisory = { ...definition, role: 'advisory' };
  const config = (...definitions: unknown[]) => ({ hash: 'c', definitions });
  test.each<[string, Record<string, unknown>, boolean]>([
    ['a gate and no scores', { evaluationConfig: config(definition) }, true],
    ['a long error of a gate', { scores: [long], evaluationConfig: config(definition) }, true],
    ['a long error of advice', { scores: [long], evaluationConfig: config(advisory) }, false],
    ['advice and no scores', { evaluationConfig: config(advisory) }, false],
    ['no scorer and no scores', { evaluationConfig: config() }, false],
    [
      'advice and a gate',
      { scores: [long], evaluationConfig: config(advisory, { ...definition, scorerId: 'b' }) },
      true,
    ],
    [
      'an unreadable score of no definition',
      { scores: [long], evaluationConfig: config({ ...advisory, scorerId: 'b' }) },
      true,
    ],
    ['a definition that is no object', { scores: [], evaluationConfig: config(null) }, true],
    ['no list of definitions', { scores: [], evaluationConfig: { hash: 'c' } }, true],
    ['scores without definitions', { scores: [score] }, true],
    ['definitions without scores or shape', { evaluationConfig: 'x' }, true],
  ])('%s', (_title, metadata, graderBroke) => {
    expect(readReportedScores(metadata, true)).toMatchObject({
      scoreIntegrity: 'invalid',
      graderBroke,
    });
  });

  test('a failure is told as a broken grader where a long error of a gate is all that was seen', () => {
    const evaluationConfig = config(definition);
    const read = readReportedScores({ scores: [long], evaluationConfig }, false);
    expect(read).toMatchObject({ scores: undefined, scoreIntegrity: 'invalid', graderBroke: true });
    const beside = { scores: [long, { ...score, value: 0.1, passed: false }], evaluationConfig };
    expect(readReportedScores(beside, false).graderBroke).toBe(false);
    expect(readReportedScores({ scores: [score] }, false).graderBroke).toBe(false);
  });
});

describe('a pass that its gating scores contradict is no pass', () => {
  const other = { ...definition, scorerId: 'other' };
  test.each<[string, unknown[], unknown[], boolean]>([
    ['below the threshold', [{ ...unscored, value: 0.1 }], [definition], true],
    ['below it, and says so', [{ ...score, value: 0.1, passed: false }], [definition], true],
    ['below it, and says it passed', [{ ...score, value: 0.1 }], [definition], true],
    ['at it, and says it failed', [{ ...score, passed: false }], [definition], true],
    ['above another threshold', [{ ...score, passThreshold: 0.1 }], [definition], true],
    ['of another version', [{ ...score, scorerVersion: '2' }], [definition], true],
    [
      'of a scorer that is both',
      [score, { ...score, scorerId: 'other' }],
      [other, { ...other, role: 'advisory' }, definition],
      true,
    ],
    [
      'advice below it',
      [{ ...unscored, value: 0.1 }],
      [{ ...definition, role: 'advisory' }],
      false,
    ],
    [
      'advice that contradicts itself beside a gate',
      [score, { ...score, scorerId: 'other', passed: false }],
      [definition, { ...other, role: 'advisory' }],
      false,
    ],
  ])('%s', (_title, scores, definitions, graderBroke) => {
    expect(read(scores, ...definitions).graderBroke).toBe(graderBroke);
    const metadata = { scores, evaluationConfig: { hash: 'c', definitions } };
    expect(readReportedScores(metadata, false).graderBroke).toBe(false);
  });
});

describe('a gating scorer without an answer is a broken grader', () => {
  const row = { ...unscored, status: 'error', error: 'No answer.' };
  const skipped = { ...unscored, status: 'skipped' };
  test.each<[string, unknown[], object, boolean]>([
    ['broken', [row], {}, true],
    ['broken, with no word on that', [row], { onError: undefined }, true],
    ['that scored, with no word on errors', [score], { onError: undefined }, false],
    ['broken, to be passed over', [row], { onError: 'ignore' }, false],
    ['broken, advisory', [row], { role: 'advisory' }, false],
    ['broken, of no definition', [row], { scorerId: 'other', role: 'advisory' }, true],
    ['skipped', [skipped], {}, true],
    ['skipped, to be passed over', [skipped], { onSkipped: 'ignore' }, false],
    ['skipped, advisory', [skipped], { role: 'advisory' }, false],
    ['without a row', [], {}, true],
    ['without a row, advisory', [], { role: 'advisory' }, false],
    ['of an unknown role', [score], { role: 'odd' }, true],
    ['of no role', [score], { role: undefined }, true],
    ['that scored', [score], {}, false],
  ])('%s', (_title, scores, change, graderBroke) => {
    expect(read(scores, { ...definition, ...change }).graderBroke).toBe(graderBroke);
  });

  test('a failure that was measured beside it stands, unless the trial is told as passed', () => {
    const failed = { ...score, value: 0.1, passed: false };
    const definitions = [definition, { ...definition, scorerId: 'other' }];
    const metadata = { scores: [failed], evaluationConfig: { hash: 'c', definitions } };
    expect(readReportedScores(metadata, false).graderBroke).toBe(false);
    expect(readReportedScores(metadata, true).graderBroke).toBe(true);
  });
});
