/**
 * Tests the time limits that a case's author sets: whose fault an exceeded limit is, and which
 * waits do not count towards it.
 */
import { trialAdvice } from '@proofmark/domain';
import {
  type FakeAnswer,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { again, ask, called, spansOf, sunny, trialPlayer } from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';
import type { TrialDependencies } from './trial-dependencies.ts';

const player = trialPlayer();
const { play } = player;
afterAll(() => player.close());

const silent: Readonly<Record<string, FakeAnswer>> = {
  'tools/call': (response, request) => {
    const { name } = request.message['params'] as { name: string };
    if (name !== 'weather') sendJson(response, rpcResult(request, { content: [] }));
  },
};

const unlimited = {
  id: 'call',
  kind: 'toolCall',
  serverName: 'Weather',
  toolName: 'weather',
  arguments: { city: 'Rome' },
} as const;
/** Milliseconds, long enough for a request even on a busy machine. */
const timeoutMs = 200;
const call = { ...unlimited, timeoutMs };
const asked = { ...ask, timeoutMs };
const noAnswer = (step: string) =>
  `The call of "weather" got no result: the step "${step}" allows 0.2 seconds, but the answer of the server "Weather" did not arrive within that time.`;

test.each([true, false])(
  'a pinned call without an answer in the time of its step fails it, with failOnToolError %s',
  async (failOnToolError) => {
    const { record } = await play({ steps: [call, again], failOnToolError }, [], {
      answers: silent,
    });
    expect(record).toMatchObject({
      status: 'completed',
      result: 'failed',
      error: noAnswer('call'),
      trace: {
        steps: [
          { stepId: 'call', status: 'fail', reason: noAnswer('call') },
          { stepId: 'again', status: 'skipped' },
        ],
      },
    });
    // The span is the same as for any other call without a result.
    expect(spansOf(record).filter(({ category }) => category === 'tool')).toMatchObject([
      { status: 'error', toolName: 'weather', mcpErrorCode: -32001, mcpErrorOrigin: 'ours' },
    ]);
    expect(record.actualToolCalls).toMatchObject([{ toolName: 'weather' }]);
    const { failureCategory, stageResults, firstFailedStage } = record.chain;
    expect([firstFailedStage, failureCategory]).toEqual(['call', 'setup']);
    expect(trialAdvice(failureCategory, stageResults, { failure: String(record.error) })).toContain(
      'raise the `timeoutMs` of the step',
    );
  },
);

test('so does a call that the model chose; nothing after it is asked or made', async () => {
  const both = { calls: ['weather', 'clock'].map((tool) => ({ tool, input: {} })) };
  const { record, models, server } = await play({ steps: [asked, again] }, [both, sunny], {
    answers: silent,
  });
  expect(record).toMatchObject({
    status: 'completed',
    result: 'failed',
    error: noAnswer('ask'),
    trace: { steps: [{ status: 'fail', reason: noAnswer('ask') }, { status: 'skipped' }] },
  });
  expect(models.requests).toHaveLength(1);
  expect(called(server)).toEqual(['weather']);
});

test('so does what a server does not give of its resources', async () => {
  const read = { id: 'read', kind: 'readResource', serverName: 'Weather', uri: 'a:b' } as const;
  const { record } = await play({ steps: [{ ...read, timeoutMs }] }, [], {
    answers: { 'resources/read': () => undefined },
  });
  const error =
    'The resource "a:b" could not be read: the step "read" allows 0.2 seconds, but the answer of the server "Weather" did not arrive within that time.';
  expect(record).toMatchObject({ status: 'completed', result: 'failed', error });
});

test('where a model is awaited it is its provider, and nothing is measured', async () => {
  const { record } = await play({ steps: [asked] }, ['hangs']);
  const reason =
    'The answer of the model did not arrive in full: the step "ask" allows 0.2 seconds, but the answer of the model one did not arrive within that time.';
  expect(record).toMatchObject({ status: 'failed', result: null, error: reason });
  expect(record.evidence.providerError).toBe(true);
});

test('the time of a case is told as that of a trial, in its own words', async () => {
  const { record } = await play({ steps: [{ ...call, timeoutMs: 5000 }], timeoutMs: 300 }, [], {
    answers: silent,
  });
  const error = 'The trial was stopped after 0.3 seconds, the time limit of its case.';
  expect(record).toMatchObject({ status: 'timed_out', result: null, error });
  expect(record.trace['steps']).toMatchObject([{ status: 'fail', reason: error }]);
});

test('the limit of the trial holds where it is the smaller one', async () => {
  const { record } = await play(
    { steps: [{ ...call, timeoutMs: 600_000 }], timeoutMs: 600_000 },
    [],
    {
      answers: silent,
      plan: { limits: { maxModelSteps: 2, trialTimeoutMs: 500 } },
    },
  );
  const error = 'The trial took longer than 0.5 seconds and was stopped.';
  expect(record).toMatchObject({ status: 'timed_out', error });
});

const slowly: FakeAnswer = (response, request) =>
  setTimeout(() => sendJson(response, rpcResult(request, { content: [] })), 450);

test('before and after do not count into the time of the case', async () => {
  const { record } = await play(
    { steps: [ask], timeoutMs: 400, before: [unlimited], after: [unlimited] },
    [sunny],
    { answers: { 'tools/call': slowly } },
  );
  expect(record).toMatchObject({ status: 'completed', result: 'passed', warnings: [] });
});

type Generate = TrialDependencies['models']['generate'];

/** Returns a model that waits before its request counts as sent, then answers immediately. */
const afterWait = (wait: Generate): TrialDependencies['models'] => ({
  generate: async (model, request, options) => {
    await wait(model, request, options);
    options.onSent?.(true);
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    return { text: 'Sunny.', toolCalls: [], finishReason: 'stop', usage, attempts: 1 };
  },
});
const pause = () => new Promise<never>((resolve) => setTimeout(resolve as () => void, 1300));

// Concurrent, because each of these tests waits for more than a second.
test.concurrent.each<[string, Generate]>([
  ['a place', pause],
  [
    'credits',
    async (_model, _request, { onHeld, onSent }) => {
      onSent?.(true);
      onHeld?.(true);
      await pause();
      onHeld?.(false);
      return undefined as never;
    },
  ],
])('the wait of a model for %s counts neither for the step nor for the case', async (_, wait) => {
  const { record } = await play({ steps: [{ ...asked, timeoutMs: 1000 }], timeoutMs: 1000 }, [], {
    dependencies: { models: afterWait(wait) },
  });
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
});

test.concurrent('neither does that of a call for a place, or because the server asked for it', async () => {
  let calls = 0;
  const busyOnce: FakeAnswer = (response, request) => {
    calls += 1;
    if (calls > 1) return sendJson(response, rpcResult(request, { content: [] }));
    response.writeHead(429, { 'retry-after': '1' }).end();
  };
  const { record } = await play({ steps: [{ ...call, timeoutMs: 900 }], timeoutMs: 900 }, [], {
    answers: { 'tools/call': busyOnce },
    serverId: 'srv_busy_once',
  });
  expect(calls).toBe(2);
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
});
