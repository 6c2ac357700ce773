import { expect, test } from 'vitest';
import { deriveChain } from '../chain/derive-chain.ts';
import { gradeScenario, type ScenarioEnd, type SeenExchange } from './grade-scenario.ts';

const scenario = { scenario: 'ping', isScored: true };
const seen: SeenExchange = { statuses: [200], askedToWait: false, unfinishedCalls: 0 };
const checked = (...checks: Extract<ScenarioEnd, { kind: 'checked' }>['checks']): ScenarioEnd => ({
  kind: 'checked',
  checks,
});
const failing = checked({ id: 'answered', status: 'FAILURE', message: 'No answer.' });
const passing = checked({ id: 'answered', status: 'SUCCESS' });
const failure = (attribution: 'ours' | 'theirs') => ({
  message: 'The server refused the connection.',
  signal: { ok: false, attribution, egressVerified: true } as const,
});

function gradeOf(end: ScenarioEnd | undefined, exchange = seen, planned: object = {}) {
  const graded = gradeScenario({ ...scenario, ...planned }, end, exchange, false);
  const { stageResults, firstFailedStage, failureCategory } = deriveChain(graded.evidence);
  const failed = stageResults.find(({ state }) => state === 'failed');
  return {
    status: graded.status,
    result: graded.result,
    outcome: graded.outcome,
    stage: firstFailedStage,
    reason: failed?.reason,
    category: failureCategory,
    reasons: failed?.evidence?.predicateReasons,
    unanswered: graded.unanswered,
  };
}

test('a failed check is a failure of the server’s answer', () => {
  expect(gradeOf(failing)).toMatchObject({
    status: 'completed',
    result: 'failed',
    outcome: 'failed',
    stage: 'response',
    reason: 'predicateFailed',
    category: 'serverData',
    reasons: ['answered: No answer.'],
  });
  expect(gradeOf(passing)).toMatchObject({ result: 'passed', outcome: 'passed', stage: undefined });
});

test('a stale entry fails, and an expected failure passes', () => {
  expect(gradeOf(passing, seen, { expected: 'whole' })).toMatchObject({
    result: 'failed',
    outcome: 'stale',
    stage: 'response',
    reason: 'predicateFailed',
  });
  expect(gradeOf(failing, seen, { expected: 'whole' })).toMatchObject({
    result: 'passed',
    outcome: 'expected',
    stage: undefined,
  });
});

test('a server that was not reached has failed to connect, and the trial is not graded', () => {
  const unreached = { ...seen, statuses: [] };
  expect(gradeOf(failing, { ...unreached, failure: failure('theirs') })).toMatchObject({
    status: 'setup_failed',
    result: null,
    outcome: 'skipped',
    stage: 'connection',
    reason: 'connectFailed',
    category: 'setup',
    unanswered: 'The server refused the connection.',
  });
  expect(gradeOf(failing, { ...unreached, failure: failure('ours') })).toMatchObject({
    status: 'setup_failed',
    result: null,
    stage: undefined,
    category: 'setup',
  });
  // A failure beside answers is no reason to blame the connection.
  expect(gradeOf(failing, { ...seen, failure: failure('theirs') })).toMatchObject({
    stage: 'response',
  });
});

test('refused credentials and a request to wait are not the result of a scenario', () => {
  expect(gradeOf(failing, { ...seen, statuses: [401] })).toMatchObject({
    status: 'setup_failed',
    result: null,
    stage: undefined,
    category: 'setup',
    unanswered: expect.stringContaining('HTTP 401'),
  });
  expect(gradeOf(failing, { ...seen, statuses: [200, 503], askedToWait: true })).toMatchObject({
    status: 'setup_failed',
  });
  // 403 is the answer that the scenario about forged Host headers wants.
  expect(gradeOf(failing, { ...seen, statuses: [200, 403] })).toMatchObject({ stage: 'response' });
  expect(gradeOf(passing, { ...seen, statuses: [200, 401] })).toMatchObject({ result: 'passed' });
});

test('a scenario that ended with an exception after an answer has failed', () => {
  expect(gradeOf({ kind: 'threw', message: 'Invalid result.' })).toMatchObject({
    result: 'failed',
    stage: 'response',
    category: 'serverData',
    reasons: ['scenario: The suite could not finish: Invalid result.'],
  });
});

test('a suite that gave no result says nothing about the server', () => {
  expect(gradeOf({ kind: 'broken', message: 'it ended with code 7.' })).toMatchObject({
    status: 'completed',
    result: null,
    stage: undefined,
    category: 'evaluator',
    unanswered: expect.stringContaining('code 7'),
  });
  expect(gradeOf({ kind: 'overtime' })).toMatchObject({ status: 'timed_out', result: null });
});

test('a scenario that took too long fails only if an answer of the server was missing', () => {
  const late = checked({ id: 'scenario-timeout', status: 'FAILURE' });
  expect(gradeOf(late)).toMatchObject({ status: 'timed_out', result: null, stage: undefined });
  expect(gradeOf(late, { ...seen, unfinishedCalls: 1 })).toMatchObject({
    result: 'failed',
    stage: 'response',
  });
});

test('a scenario that is not scored or does not apply has no result and no category', () => {
  const none = { status: 'skipped', result: null, stage: undefined, category: undefined };
  expect(gradeOf(failing, seen, { isScored: false })).toMatchObject({
    ...none,
    outcome: 'notScored',
    unanswered: undefined,
  });
  const unreached = { ...seen, statuses: [], failure: failure('theirs') };
  expect(gradeOf(failing, unreached, { isScored: false })).toMatchObject({
    ...none,
    outcome: 'notScored',
    unanswered: 'The server refused the connection.',
  });
  expect(gradeOf(undefined, seen, { isLeftOut: true })).toMatchObject({
    ...none,
    outcome: 'skipped',
    unanswered: undefined,
  });
});
