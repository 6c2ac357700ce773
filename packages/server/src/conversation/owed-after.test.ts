/**
 * Tests the calls after a trial: when they must be made, in which sessions, and that none is
 * omitted.
 */
import type { ToolCallStep, TrialWarning } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import {
  type FakeAnswer,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  type AskingTool,
  answerAsResult,
  startAskingServer,
} from '@proofmark/harness/mcp-servers/start-asking-server.ts';
import { ask, called, sunny, trialPlayer } from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test, vi } from 'vitest';
import { createScriptedModel } from '../outside/model/scripted-model.ts';
import { teardownAlone } from './teardown-alone.ts';
import type { AfterOfTrial, TrialDependencies } from './trial-dependencies.ts';

const player = trialPlayer();
const { play } = player;
afterAll(() => player.close());

const call = (id: string, toolName: string = id): ToolCallStep => ({
  id,
  kind: 'toolCall',
  serverName: 'Weather',
  toolName,
  arguments: {},
});
const around = { before: [call('make')], after: [call('empty'), call('remove')] };
const shortTime = { limits: { maxModelSteps: 2, trialTimeoutMs: 1000 } };

/** Returns a model that never answers a prompt and calls `onAsked` for each request. */
function silent(onAsked: () => void = () => undefined): TrialDependencies['models'] {
  const answering = createScriptedModel(() => ({ text: 'Hello.' }));
  return {
    generate: (model, request, options) => {
      if (request.maxOutputTokens === 50) return answering.generate(model, request, options);
      const { signal, onSent } = options;
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        onSent?.(true);
        onAsked();
      });
    },
  };
}

function owed(make?: AfterOfTrial['make']) {
  const warnings: TrialWarning[] = [];
  const begun = vi.fn();
  const after = {
    owe: vi.fn(async () => undefined),
    withdraw: vi.fn(async () => undefined),
    make: vi.fn<AfterOfTrial['make']>(
      make ??
        (async (calls) =>
          void warnings.push(...(await calls(new AbortController().signal, begun)))),
    ),
  };
  return { after, warnings, begun };
}

test('after is made once its run was cancelled, unless somebody else makes it', async () => {
  const cancelled = async (given: ReturnType<typeof owed>) => {
    const cancel = new AbortController();
    const made: string[] = [];
    const played = play({ steps: [ask], ...around }, [sunny], {
      signal: cancel.signal,
      answers: {
        'tools/call': (response, request) => {
          made.push((request.message['params'] as { name: string }).name);
          sendJson(response, rpcResult(request, { content: [] }));
        },
      },
      dependencies: {
        models: silent(() => cancel.abort(new Error('cancelled'))),
        after: given.after,
      },
    });
    await expect(played).rejects.toThrow('cancelled');
    return made;
  };
  const own = owed();
  expect(await cancelled(own)).toEqual(['make', 'empty', 'remove']);
  expect([own.warnings, own.begun.mock.calls.length > 0]).toEqual([[], true]);
  expect(await cancelled(owed(async () => undefined))).toEqual(['make']);
});

test.each(['while they become owed', 'while the first call of before waits for its turn'])(
  'a trial that is stopped %s makes no call of after, and owes none',
  async (when) => {
    const cancel = new AbortController();
    const { after } = owed();
    const isOwing = when.includes('become');
    const stop = () => cancel.abort(new Error('cancelled'));
    if (isOwing) after.owe.mockImplementation(async () => void stop() as undefined);
    const made: string[] = [];
    const played = play({ steps: [ask], ...around }, [sunny], {
      signal: cancel.signal,
      serverId: 'srv_lets_nobody_begin',
      answers: {
        'tools/call': (response, request) => {
          made.push((request.message['params'] as { name: string }).name);
          response.writeHead(429, { 'retry-after': '10' }).end();
          setTimeout(stop, 100);
        },
      },
      dependencies: { after },
    });
    await expect(played).rejects.toThrow('cancelled');
    expect(made).toEqual(isOwing ? [] : ['make']);
    expect(after.make).not.toHaveBeenCalled();
    expect(after.withdraw).toHaveBeenCalledOnce();
  },
);

test('nothing is owed before the first call of before, or the first step', async () => {
  const unopened = owed();
  const { record } = await play({ steps: [ask], ...around }, [sunny], {
    answers: { initialize: (response) => response.writeHead(500).end() },
    dependencies: { after: unopened.after },
  });
  expect(record.status).toBe('setup_failed');
  const waiting = owed();
  const cancel = new AbortController();
  const servers: TrialDependencies['servers'] = {
    forTrial: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        cancel.abort(new Error('cancelled'));
      }),
    listAgain: async () => [],
    close: async () => undefined,
  };
  const plan = planFor({ steps: [ask], ...around }, [{ id: 'srv_1', name: 'Weather' }]);
  const dependencies = dependenciesFor(servers, createScriptedModel([]), { after: waiting.after });
  await expect(firstTrial(dependencies, plan, cancel.signal)).rejects.toThrow('cancelled');
  for (const { after } of [unopened, waiting]) {
    expect(after.owe).not.toHaveBeenCalled();
    expect(after.make).not.toHaveBeenCalled();
  }
  const begun: string[] = [];
  const answers: Readonly<Record<string, FakeAnswer>> = {
    'tools/call': (response, request) => {
      begun.push('called');
      sendJson(response, rpcResult(request, { content: [] }));
    },
  };
  const noted = owed();
  noted.after.owe.mockImplementation(async () => void begun.push('owed'));
  await play({ steps: [ask], ...around }, [sunny], { answers, dependencies: noted });
  expect(begun).toEqual(['owed', 'called', 'called', 'called']);
});

test('after a trial whose time is over all is made, what a server asks for is answered, and what it asks to wait is waited', async () => {
  let refused = 0;
  const { record, server } = await play({ steps: [ask], ...around }, [], {
    plan: shortTime,
    serverId: 'srv_asks_to_wait',
    dependencies: { models: silent() },
    answers: {
      'tools/call': (response, request) => {
        const { name } = request.message['params'] as { name: string };
        if (name === 'empty' && refused === 0) {
          refused += 1;
          response.writeHead(429, { 'retry-after': '2' }).end();
        } else sendJson(response, rpcResult(request, { content: [] }));
      },
    },
  });
  expect(record).toMatchObject({ status: 'timed_out', warnings: [] });
  expect(called(server)).toEqual(['make', 'empty', 'empty', 'remove']);
  const asked = await playAsking(silent(), { steps: [ask] });
  expect(asked.record).toMatchObject({ status: 'timed_out', warnings: [] });
  expect(asked.answers).toEqual(['Hello.', 'Hello.']);
});

const sampling = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
  maxTokens: 50,
};

async function playAsking(
  models: TrialDependencies['models'],
  definition: { readonly steps: readonly (typeof ask)[] },
) {
  const answers: unknown[] = [];
  const tool: AskingTool = async (asking) => {
    const answer = await asking('sampling/createMessage', sampling);
    answers.push((answer['result'] as { content?: { text?: string } })?.content?.text);
    return answerAsResult(answer);
  };
  const server = await startAskingServer({ tool });
  const servers = [{ id: 'srv_asks', name: 'Weather', url: server.url }];
  const after = [call('first', 'tool'), call('second', 'tool')];
  const plan = planFor({ ...definition, after } as never, servers, shortTime);
  const runServers = runServersFor(player.mcp, servers);
  try {
    const dependencies = dependenciesFor(runServers, models as never);
    const record = await firstTrial(dependencies, plan);
    const trial = { ordinal: 1, caseIndex: 0, variantIndex: 0, trialNumber: 1 };
    const never = new AbortController().signal;
    const alone = () => teardownAlone(dependencies, plan, trial, never, () => undefined);
    return { record, answers: [...answers], alone: await alone() };
  } finally {
    await runServers.close();
    await server.stop();
  }
}

test('all calls after a trial are made where one fails on our own side, and each is told', async () => {
  const broke: TrialDependencies['models'] = {
    generate: () => Promise.reject(new Error('The credits do not do for another call.')),
  };
  const { record, alone } = await playAsking(broke, { steps: [] });
  for (const warnings of [record.warnings, alone]) {
    expect(warnings).toMatchObject([
      { path: 'after[0]', code: 'AFTER_FAILED', message: expect.stringContaining('credits') },
      { path: 'after[1]', code: 'AFTER_FAILED', message: expect.stringContaining('this service') },
    ]);
  }
});
