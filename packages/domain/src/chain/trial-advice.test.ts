import { expect, test } from 'vitest';
import { notRecordedMessage, replayActions } from '../recordings/run-replay.ts';
import { exclusionSentence } from '../surfaces/excluded-tools.ts';
import { type PolicyRules, refuseByPolicy } from '../trials/refuse-by-policy.ts';
import { refusedOrigin } from '../widgets/refused-origin.ts';
import { unrendered } from '../widgets/unrendered.ts';
import { deriveChain } from './derive-chain.ts';
import { browserLost, needsRenderer, silentFor } from './error-causes.ts';
import { allGood, bare, down, ok, span } from './evidence.fixture.ts';
import { nextActions } from './next-action.ts';
import { trialAdvice, trialAdvices } from './trial-advice.ts';
import type { TrialEvidence } from './trial-evidence.ts';
import { failureCategories } from './vocabulary.ts';

const unseen = (status: string) => ({
  authored: { ...allGood.authored, assertsWidget: true },
  renders: [{ status }],
});

test('a replay that was ended says to look at its recording, or to make one', () => {
  const rows = [{ stage: 'connection', state: 'notMeasured', reason: 'lifecycleStopped' }] as const;
  const ended = (failure: string) => trialAdvice(undefined, rows, { failure, status: 'skipped' });
  expect(ended('The model was to be asked otherwise.')).toBe(replayActions.diverged);
  expect(ended(notRecordedMessage)).toBe(replayActions.notRecorded);
});

test('an excluded tool is to be corrected, wherever the case wanted it', () => {
  const excluded = { toolName: 'a "b"', message: 'x-mcp-header: it is empty.' };
  const exclusion = exclusionSentence(excluded);
  const turn = { missingCount: 1, unexpectedCount: 0, argumentMismatchCount: 0 };
  const changes: Partial<TrialEvidence>[] = [
    { turns: [{ ...turn, exclusions: [exclusion] }] },
    { toolErrors: [{ kind: 'protocol-error', exclusion }] },
  ];
  for (const change of changes) {
    const { stageResults, failureCategory } = deriveChain({ ...bare, ...change });
    expect(trialAdvice(failureCategory, stageResults)).toMatch(/^Correct the `x-mcp-header` of /);
  }
  const { stageResults } = deriveChain({ ...bare, turns: [turn] });
  expect(trialAdvice('selection', stageResults) ?? '').not.toContain('x-mcp-header');
});

test('a cancelled trial says to run it again, and nothing of what may be wrong', () => {
  const rows = [{ stage: 'connection', state: 'notMeasured', reason: 'lifecycleStopped' }] as const;
  const failure = 'The run was cancelled before this trial ended.';
  for (const category of [undefined, 'setup', 'evaluator'] as const) {
    expect(trialAdvice(category, rows, { failure, status: 'cancelled' })).toBe(
      'Run the trial again; it was stopped before it ended.',
    );
  }
});

test('an origin that was refused to a widget is a matter of the operator, a call one of the policy', () => {
  const rows = [{ stage: 'connection', state: 'notMeasured', reason: 'blockedByPolicy' }] as const;
  const blocked = (failure: string) => trialAdvice(undefined, rows, { failure, status: 'failed' });
  const refused = refusedOrigin('https://cdn.example.com', 'This address is not allowed.');
  expect(blocked(refused)).toMatch(/^Ask the operator to allow the origin/);
  expect(blocked('A call of the widget was not allowed.')).toMatch(/^A policy blocked a call/);
});

test('what a policy refused is told as that policy, and what it says can be done', () => {
  const rows = [{ stage: 'call', state: 'notMeasured', reason: 'blockedByPolicy' }] as const;
  const call = { toolName: 'save', tool: undefined };
  const advised = (rules: PolicyRules) => {
    const failure = refuseByPolicy(call, rules)?.reason ?? '';
    const sentence = trialAdvice(undefined, rows, { failure, status: 'failed' });
    expect(trialAdvices).toContain(sentence);
    return sentence;
  };
  expect(advised({ toolPolicy: { mode: 'default', deny: ['save'] } })).toMatch(/in `toolPolicy`/);
  expect(advised({ toolPolicy: { mode: 'readOnly' } })).toMatch(/allow that tool in `toolPolicy`/);
  expect(advised({ requireToolApproval: true })).toMatch(/`requireToolApproval` off/);
  expect(advised({ allowWrites: [] })).toMatch(/in allowWrites to allow it/);
});

test.each<[string, Partial<TrialEvidence>, RegExp, RegExp]>([
  ['a policy', { blockedByPolicy: true }, /policy/i, /nothing recorded|network|trace/],
  ['a provider', { ...bare, providerError: true }, /provider/, /address|network/],
  ['a server that is down', { ...bare, connect: down('theirs') }, /server.*address/, /provider/],
  [
    'a list that failed',
    { ...bare, connect: ok, toolsList: down('theirs') },
    /list its tools/,
    /provider|network/,
  ],
  [
    'nothing that came back',
    { ...bare, status: 'setup_failed', connect: down('unknown') },
    /network/,
    /provider/,
  ],
  ['a trial that was stopped', { status: 'cancelled' }, /again/, /network|provider|credentials/],
  [
    'a list that breaks a check',
    { assertions: [{ type: 'toolAnnotationsPresent', passed: false, reason: 'None.' }] },
    /listed tools.*check/,
    /which tool serves|provider|network/,
  ],
  [
    'a result that breaks a check',
    { assertions: [{ type: 'toolResultContains', passed: false, reason: 'Not in it.' }] },
    /answer of the tool.*check/,
    /no usable result|provider|network/,
  ],
  [
    'a widget that was not rendered',
    {
      authored: { ...allGood.authored, assertsWidget: true },
      renders: [{ status: 'mount_failed', reason: 'The widget of "a" was not rendered.' }],
    },
    /Read why the widget was not rendered or broke, what it wrote to its console/,
    /no usable result|provider|network/,
  ],
  [
    'a connection lost in a call',
    { spans: [span({ status: 'error', mcpErrorCode: -32000, mcpErrorOrigin: 'ours' })] },
    /connection/,
    /provider|credentials/,
  ],
])('the advice after %s is of that cause', (_title, change, expected, unexpected) => {
  const { failureCategory, stageResults } = deriveChain({ ...allGood, ...change });
  const sentence = trialAdvice(failureCategory, stageResults);
  expect(sentence).toMatch(expected);
  expect(sentence).not.toMatch(unexpected);
  expect(trialAdvices).toContain(sentence);
});

const setup = { ...bare, connect: down('theirs') };
const silent = {
  spans: [span({ status: 'error', mcpErrorCode: -32001, mcpErrorOrigin: 'ours' })],
} as const;

test.each<[string, Partial<TrialEvidence>, string, RegExp]>([
  [
    'a command that is missing',
    setup,
    'The command of the server does not exist.',
    /^Correct the command/,
  ],
  [
    'a command that cannot be started',
    { ...bare, status: 'setup_failed', connect: down('unknown') },
    'The command of the server cannot be started (EACCES).',
    /names a program/,
  ],
  [
    'a program that ended',
    setup,
    'The process of the server ended (exit code 3) before it answered.',
    /why the program of the server ended/,
  ],
  [
    'a renderer that is missing',
    { status: 'setup_failed' },
    needsRenderer('There is no browser.'),
    /make a Chromium available.*says nothing about the server/,
  ],
  [
    'a browser that failed',
    { status: 'setup_failed' },
    browserLost('a "b"', 'It went away.'),
    /Rerun.*browser.*says nothing about the server/,
  ],
  [
    'a step in a widget that none can play',
    { status: 'setup_failed' },
    'The step "press" cannot be played: There is no key "Bogus".',
    /^Correct the target or the key/,
  ],
  [
    'a tool without a widget',
    unseen('no_ui_resource'),
    unrendered({ toolName: 'a "b"', status: 'no_ui_resource' }) ?? '',
    /^Make the tool name its widget/,
  ],
  [
    'a widget that never gets ready',
    unseen('bridge_timeout'),
    unrendered({
      toolName: 'form',
      status: 'bridge_timeout',
      message: 'The widget did not report that it was ready within 10 s.',
    }) ?? '',
    /`ui\/initialize`/,
  ],
  [
    'an empty prompt',
    { status: 'setup_failed' },
    'The step "silence" has an empty prompt, so no model was asked; write its text.',
    /^Write the prompt/,
  ],
  [
    'a preparation that the case words wrongly',
    { status: 'setup_failed' },
    'The before list of the case failed at step "make", caused by the case: The server does not list it.',
    /^Correct the call of `before`/,
  ],
  [
    'a preparation that the server fails',
    { status: 'setup_failed' },
    'The before list of the suite failed at step "make", caused by the server: No shelf.',
    /^Find out in the server .* `before`/,
  ],
  [
    'a preparation that the server fails, whatever it says of that',
    { status: 'setup_failed' },
    'The before list of the case failed at step "make", caused by the server: No "shelf", by the case: no.',
    /^Find out in the server .* `before`/,
  ],
  [
    'a program that ended, whatever it wrote',
    setup,
    'The process of the server ended (exit code 3) before it answered. It wrote: Error: The command of the server does not exist.',
    /why the program of the server ended/,
  ],
  [
    'a call that hung',
    silent,
    `The call of "wait" got no result: ${silentFor(30_000)}`,
    /raise the `timeout` of the server/,
  ],
])('the advice after %s is of what its error tells', (_title, change, failure, expected) => {
  const { failureCategory, stageResults } = deriveChain({ ...allGood, ...change });
  const sentence = trialAdvice(failureCategory, stageResults, { failure });
  expect(sentence).toMatch(expected);
  expect(sentence).not.toMatch(/address|connection between/);
  expect(trialAdvices).toContain(sentence);
});

test('only a call that we measured badly is told to be measured again', () => {
  const evidence = { ...allGood, evaluatorError: true, assertions: [] };
  const { failureCategory, stageResults } = deriveChain(evidence);
  const still = 'Proofmark itself was paused for 90 ms of that time; the time must be below 50 ms.';
  const next = (failure: string) => trialAdvice(failureCategory, stageResults, { failure });
  const ours = `The trial could not be graded: A call of "wait" took 120 ms, but ${still}`;
  expect(next(ours)).toMatch(/with fewer trials at a time/);
  expect(next(`The trial could not be graded: The scorer says: ${still}`)).toBeUndefined();
});

test('a test that was skipped is not told to be stopped', () => {
  const { failureCategory, stageResults } = deriveChain({ ...allGood, status: 'skipped' });
  const sentence = trialAdvice(failureCategory, stageResults, { status: 'skipped' });
  expect(sentence).toMatch(/^Enable the skipped test/);
  expect(trialAdvices).toContain(sentence);
});

test('a limit is told in seconds, with what raises it', () => {
  expect(silentFor(30_000)).toMatch(
    /within 30 s; raise `timeout` of the server to allow more time\.$/,
  );
});

test('where nothing finer is known there is none', () => {
  for (const category of [...failureCategories, undefined]) {
    expect(trialAdvice(category)).toBeUndefined();
  }
  const { failureCategory, stageResults } = deriveChain({ ...allGood, status: 'setup_failed' });
  expect(failureCategory).toBe('setup');
  expect(trialAdvice(failureCategory, stageResults)).toBeUndefined();
});

test('each is one sentence, and none is a next action', () => {
  expect(new Set(trialAdvices).size).toBe(trialAdvices.length);
  for (const sentence of trialAdvices) {
    expect(sentence).toMatch(/^[A-Z][^.\n]{20,}\.$/);
    expect(nextActions).not.toContain(sentence);
  }
});

test('nobody is sent to a trace, which a reported trial may not have', () => {
  for (const sentence of trialAdvices) expect(sentence).not.toMatch(/trace/i);
});
