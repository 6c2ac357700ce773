import { picksTrial, type TrialFilter, type TrialToPick } from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import { chainStoppedAt } from '../example-summaries.ts';

const atCall = chainStoppedAt('call', 'argumentMismatch', 'arguments');

const trials: Readonly<Record<string, Partial<TrialToPick>>> = {
  passed: { result: 'passed' },
  failed: { chain: atCall },
  otherCase: { caseId: 'cas_2', declaredCaseId: 'refunds' },
  foreignChain: { chain: { ...atCall, failureCategory: 'nobody knows' } },
  timedOut: { status: 'timed_out', result: null },
  toCome: { status: 'pending', result: null },
  begun: { status: 'running', result: null },
  reportedAsRunning: { status: 'running', result: null, chain: {} },
  passedAllTheSame: { result: 'passed', chain: atCall },
  elsewhere: { model: 'large', title: 'Refund ÄRGER' },
  broke: { error: 'ECONNREFUSED by the shop', calls: '[{"toolName":"count_stock"}]' },
};

function picked(filter: TrialFilter): string[] {
  const usual = {
    status: 'completed',
    result: 'failed',
    caseId: 'cas_1',
    chain: undefined,
    model: 'small',
    title: 'Find an order',
    error: null,
    calls: '[]',
  };
  return Object.keys(trials).filter((name) =>
    picksTrial(filter, { ...usual, declaredCaseId: null, ...trials[name] }),
  );
}

describe('trials of a run', () => {
  const failed = ['failed', 'otherCase', 'foreignChain', 'elsewhere', 'broke'];
  const notGraded = ['timedOut', 'reportedAsRunning'];
  test.each<[TrialFilter, string[]]>([
    [{}, Object.keys(trials)],
    [{ result: 'failed' }, failed],
    [
      { result: 'notPassed' },
      ['failed', 'otherCase', 'foreignChain', ...notGraded, 'elsewhere', 'broke'],
    ],
    [{ result: 'notGraded' }, notGraded],
    [{ result: 'passed' }, ['passed', 'passedAllTheSame']],
    [{ result: 'passed', stage: 'call' }, []],
    [{ model: 'large' }, ['elsewhere']],
    [{ text: 'econnrefused' }, ['broke']],
    [{ text: 'COUNT_stock' }, ['broke']],
    [{ text: 'refund Ä' }, ['elsewhere']],
    // Case is ignored for ASCII letters only, so `ä` does not match `Ä`.
    [{ text: 'refund ä' }, []],
    [{ text: 'order', model: 'large' }, []],
    [{ stage: 'call' }, ['failed']],
    [{ stage: 'call', result: 'failed' }, ['failed']],
    [{ stage: 'selection' }, []],
    [{ caseId: 'cas_2' }, ['otherCase']],
    [{ caseId: 'refunds', result: 'notPassed' }, ['otherCase']],
    [{ caseId: 'refunds', stage: 'call' }, []],
    [{ caseId: 'cas_1', result: 'failed' }, ['failed', 'foreignChain', 'elsewhere', 'broke']],
  ])('are picked by %o', (filter, names) => {
    expect(picked(filter)).toEqual(names);
  });
});
