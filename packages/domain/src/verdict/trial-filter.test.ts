import { describe, expect, it } from 'vitest';
import { stages } from '../chain/vocabulary.ts';
import {
  foldText,
  picksNotPassed,
  picksTrial,
  type TrialFilter,
  type TrialToPick,
  trialResultFilters,
} from './trial-filter.ts';

const passedTrial: TrialToPick = {
  status: 'completed',
  result: 'passed',
  caseId: 'row-1',
  declaredCaseId: 'refund',
  chain: chainFailedAt(undefined),
  model: 'gpt',
  title: 'Refund an order',
  error: null,
  calls: '[]',
};
const failedTrial = { ...passedTrial, result: 'failed', chain: chainFailedAt('call') };
const bareTrial = { ...passedTrial, result: null, chain: undefined };

describe('the filter by result', () => {
  type Picked = readonly (typeof trialResultFilters)[number][];
  it.each<[string, TrialToPick, Picked]>([
    ['a passed trial', passedTrial, ['passed']],
    ['a passed trial without stages', { ...passedTrial, chain: undefined }, ['passed']],
    ['a failed trial', failedTrial, ['failed', 'notPassed']],
    [
      'a failed trial without stages',
      { ...failedTrial, chain: undefined },
      ['failed', 'notPassed'],
    ],
    ['an ended trial without a result', bareTrial, ['notPassed', 'notGraded']],
    ['a cancelled trial', { ...bareTrial, status: 'cancelled' }, ['notPassed', 'notGraded']],
    ['a result of another word', { ...bareTrial, result: 'skipped' }, ['notPassed', 'notGraded']],
    ['a pending trial', { ...bareTrial, status: 'pending' }, []],
    ['a running trial', { ...bareTrial, status: 'running' }, []],
    [
      'a pending trial with stages',
      { ...bareTrial, status: 'pending', chain: {} },
      ['notPassed', 'notGraded'],
    ],
    [
      'a running trial with stages',
      { ...bareTrial, status: 'running', chain: chainFailedAt('call') },
      ['notPassed', 'notGraded'],
    ],
    ['a passed trial of a pending status', { ...passedTrial, status: 'pending' }, ['passed']],
  ])('picks %s only by its own words', (_title, trial, picked) => {
    expect(trialResultFilters.filter((result) => picksTrial({ result }, trial))).toEqual(picked);
  });

  it.each([
    ['passed', passedTrial],
    ['failed', failedTrial],
    ['not graded', bareTrial],
    ['pending', { ...bareTrial, status: 'pending' }],
    ['running', { ...bareTrial, status: 'running' }],
  ])('picks a %s trial if the filter is empty', (_title, trial) => {
    expect(picksTrial({}, trial)).toBe(true);
  });
});

describe('the filter by stage', () => {
  it.each(stages)('picks a trial that first failed at %s by this stage alone', (failed) => {
    const trial = { ...failedTrial, chain: chainFailedAt(failed) };
    expect(stages.filter((stage) => picksTrial({ stage }, trial))).toEqual([failed]);
  });

  it.each<[string, TrialToPick]>([
    ['without stages', { ...failedTrial, chain: undefined }],
    ['that failed at no stage', { ...failedTrial, chain: chainFailedAt(undefined) }],
    ['with only a claim of a stage', { ...failedTrial, chain: { firstFailedStage: 'call' } }],
    [
      'with stages that contradict the claim',
      { ...failedTrial, chain: { ...chainFailedAt('response'), firstFailedStage: 'call' } },
    ],
    [
      'with stages of no version',
      { ...failedTrial, chain: { ...chainFailedAt('call'), stageAnalyzerVersion: undefined } },
    ],
    ['that passed in spite of its stages', { ...passedTrial, chain: chainFailedAt('call') }],
  ])('picks no trial %s', (_title, trial) => {
    expect(stages.filter((stage) => picksTrial({ stage }, trial))).toEqual([]);
  });

  it('picks a trial without a result that failed at the stage', () => {
    const trial = { ...bareTrial, chain: chainFailedAt('call') };
    expect(picksTrial({ stage: 'call' }, trial)).toBe(true);
    expect(picksTrial({ stage: 'call', result: 'notGraded' }, trial)).toBe(true);
    expect(picksTrial({ stage: 'call', result: 'failed' }, trial)).toBe(false);
  });

  it('picks no passed trial, even if passed trials are wanted', () => {
    expect(picksTrial({ stage: 'call', result: 'passed' }, failedTrial)).toBe(false);
    expect(picksTrial({ stage: 'call', result: 'passed' }, passedTrial)).toBe(false);
  });
});

describe('the filter by case and by model', () => {
  it.each<[TrialFilter, Partial<TrialToPick>, boolean]>([
    [{ caseId: 'row-1' }, {}, true],
    [{ caseId: 'refund' }, {}, true],
    [{ caseId: 'row' }, {}, false],
    [{ caseId: 'REFUND' }, {}, false],
    [{ caseId: 'row-1' }, { declaredCaseId: null }, true],
    [{ caseId: 'refund' }, { caseId: null }, true],
    [{ caseId: 'refund' }, { declaredCaseId: null }, false],
    [{ caseId: 'refund' }, { caseId: null, declaredCaseId: null }, false],
    [{ caseId: '' }, {}, false],
    [{ model: 'gpt' }, {}, true],
    [{ model: 'gp' }, {}, false],
    [{ model: 'gpt' }, { model: null }, false],
    [{ model: '' }, {}, false],
  ])('%o for a trial with %o is %s', (filter, change, isPicked) => {
    expect(picksTrial(filter, { ...passedTrial, ...change })).toBe(isPicked);
  });
});

describe('the filter by text', () => {
  const texts = { title: 'Refund AN Order', error: 'Timeout of Écho', calls: '[{"name":"Find"}]' };
  it.each<[string, Partial<TrialToPick>, boolean]>([
    ['an order', {}, true],
    ['REFUND', {}, true],
    ['timeout', {}, true],
    ['"FIND"', {}, true],
    ['', {}, true],
    ['', { title: null, error: null, calls: '' }, true],
    ['refund', { title: null }, false],
    ['timeout', { error: null }, false],
    ['null', { title: null, error: null }, false],
    ['refunds', {}, false],
    ['écho', {}, false],
    ['ÉCHO', {}, true],
    ['order timeout', {}, false],
    ['gpt', {}, false],
    ['refund.', {}, false],
  ])('“%s” in a trial with %o: %s', (text, change, isPicked) => {
    expect(picksTrial({ text }, { ...passedTrial, ...texts, ...change })).toBe(isPicked);
  });

  it.each([
    ['ABCXYZ', 'abcxyz'],
    ['aBcD eF', 'abcd ef'],
    ['@[`{', '@[`{'],
    ['AZaz09', 'azaz09'],
    ['ÄÉİẞ\u212A', 'ÄÉİẞ\u212A'],
    ['', ''],
  ])('folds %o to %o, since only ASCII letters are folded', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});

describe('several filters', () => {
  const all = {
    result: 'failed',
    caseId: 'refund',
    stage: 'call',
    model: 'gpt',
    text: 'order',
  } as const;
  it('pick a trial that meets all of them', () => {
    expect(picksTrial(all, failedTrial)).toBe(true);
  });

  it.each<Partial<TrialFilter>>([
    { result: 'notGraded' },
    { caseId: 'other' },
    { stage: 'response' },
    { model: 'other' },
    { text: 'other' },
  ])('pick no trial that misses only %o', (change) => {
    expect(picksTrial({ ...all, ...change }, failedTrial)).toBe(false);
  });
});

describe('a filter selects only trials that did not pass', () => {
  it.each<[TrialFilter, boolean]>([
    [{}, false],
    [{ result: 'passed' }, false],
    [{ result: 'failed' }, true],
    [{ result: 'notPassed' }, true],
    [{ result: 'notGraded' }, true],
    [{ stage: 'connection' }, true],
    [{ stage: 'userValue', result: 'passed' }, true],
    [{ caseId: 'a', model: 'b', text: 'c' }, false],
  ])('%o: %s', (filter, isOnly) => {
    expect(picksNotPassed(filter)).toBe(isOnly);
  });
});

function chainFailedAt(failed: (typeof stages)[number] | undefined) {
  const at = failed === undefined ? stages.length : stages.indexOf(failed);
  const stageResults = stages.map((stage, index) => ({
    stage,
    state: index < at ? 'passed' : index === at ? 'failed' : 'notReached',
  }));
  return { stageResults, firstFailedStage: failed, stageAnalyzerVersion: 2 };
}
