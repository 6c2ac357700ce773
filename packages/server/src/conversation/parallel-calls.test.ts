import type { ClientConfig } from '@proofmark/domain';
import {
  type FakeAnswer,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  ask,
  called,
  messagesOf,
  type PlayOptions,
  spansOf,
  sunny,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';

const player = trialPlayer();
let played = 0;
/**
 * Each play gets a separate server id. Tests play concurrently, and calls with the same server id
 * would wait for each other.
 */
const play: typeof player.play = (definition, lines, options = {}) => {
  played += 1;
  return player.play(definition, lines, { serverId: `srv_parallel_${played}`, ...options });
};
afterAll(() => player.close());

const atOnce: { readonly client: Partial<ClientConfig> } = { client: { parallelToolCalls: true } };
const both = {
  calls: [
    { tool: 'weather', input: { city: 'Rome' } },
    { tool: 'clock', input: { zone: 'UTC' } },
  ],
};
const clockBefore = (id: string, toolName: string, beforeToolName: string) =>
  ({
    id,
    kind: 'assert',
    assertion: { type: 'toolCalledBefore', toolName, beforeToolName },
  }) as const;

type Respond = () => void;

function answering(
  hear: (name: string, respond: Respond, fail: Respond) => void,
): NonNullable<PlayOptions['answers']> {
  const answer: FakeAnswer = (response, request) => {
    const { name } = request.message['params'] as { name: string };
    const content = [{ type: 'text', text: `${name} says` }];
    hear(
      name,
      () => sendJson(response, rpcResult(request, { content })),
      () => sendJson(response, rpcResult(request, { content, isError: true })),
    );
  };
  return { 'tools/call': answer };
}

/** Responds to the second call at once, and only then to the first. */
function untilBothCame() {
  let first: Respond | undefined;
  return answering((name, respond) => {
    if (name === 'weather') {
      first = respond;
      return;
    }
    respond();
    setImmediate(() => onceThere(() => first));
  });
}

test.concurrent('they are made at once, and told in the order in which they were asked for', async () => {
  const steps = [ask, clockBefore('order', 'weather', 'clock')];
  const { record, server, models } = await play({ steps }, [both, sunny], {
    plan: atOnce,
    answers: untilBothCame(),
  });
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
  expect(called(server).sort()).toEqual(['clock', 'weather']);
  expect(record.actualToolCalls.map(({ toolName }) => toolName)).toEqual(['weather', 'clock']);
  const results = models.requests[1]?.messages.at(-1)?.content;
  expect(results).toMatchObject([{ toolName: 'weather' }, { toolName: 'clock' }]);
  const named = (results as object[]).map((part, index) => ({
    ...part,
    toolCallId: `call-${index + 1}`,
  }));
  expect(messagesOf(record)[2]?.content).toMatchObject(named);
  const [one, other] = spansOf(record).filter(({ category }) => category === 'tool');
  if (one === undefined || other === undefined) throw new Error('A call has no span.');
  expect(Math.max(one.startMs, other.startMs)).toBeLessThan(Math.min(one.endMs, other.endMs));
});

async function mostAtATime(options: PlayOptions) {
  let open = 0;
  let most = 0;
  const answers = answering((_name, respond) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      respond();
    }, 100);
  });
  const { record, server } = await play({ steps: [ask] }, [both, sunny], { ...options, answers });
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
  expect(called(server)).toEqual(['weather', 'clock']);
  return most;
}

test.concurrent('they go one after the other unless the client says otherwise', async () => {
  expect(await mostAtATime({})).toBe(1);
  expect(await mostAtATime({ plan: { client: { parallelToolCalls: false } } })).toBe(1);
  expect(await mostAtATime({ plan: atOnce })).toBe(2);
});

test.concurrent('and where a server may get one call at a time', async () => {
  expect(await mostAtATime({ plan: atOnce, runServers: { callsPerServer: 1 } })).toBe(1);
});

test.concurrent('a call that a policy refuses ends the turn, with those before it in the record', async () => {
  const { record, server } = await play({ steps: [ask] }, [both], {
    plan: atOnce,
    answers: untilWeather(),
    change: (plan) => ({ ...plan, toolPolicy: { mode: 'readOnly', allow: ['weather'] } }),
  });
  expect(called(server)).toEqual(['weather']);
  expect(record).toMatchObject({ status: 'failed', result: null });
  expect(messagesOf(record).at(-1)?.content).toMatchObject([
    { toolName: 'weather', output: { type: 'json' } },
    { toolName: 'clock', output: { type: 'error-text' } },
  ]);
});

/**
 * Either of two concurrent calls may arrive first. So this waits until the other call's respond
 * function exists.
 */
function onceThere(find: () => Respond | undefined): void {
  const respond = find();
  if (respond === undefined) setTimeout(() => onceThere(find), 10);
  else respond();
}

function untilWeather() {
  return answering((_name, respond) => respond());
}

test.concurrent('what failed first in the order of the answer is told first, whichever ended first', async () => {
  let first: Respond | undefined;
  const answers = answering((name, _respond, fail) => {
    if (name === 'weather') {
      first = fail;
      return;
    }
    fail();
    setTimeout(() => onceThere(() => first), 30);
  });
  const { record } = await play({ steps: [ask] }, [both, sunny], { plan: atOnce, answers });
  expect(record).toMatchObject({ result: 'failed' });
  expect(record.error).toContain('"weather"');
});

test.concurrent('where the time is over, the call that was answered and the one that was not are both there', async () => {
  const answers = answering((name, respond) => {
    if (name === 'clock') respond();
  });
  const { record } = await play({ steps: [ask] }, [both], {
    plan: { ...atOnce, limits: { maxModelSteps: 2, trialTimeoutMs: 2000 } },
    answers,
  });
  expect(record).toMatchObject({ status: 'timed_out' });
  expect(record.actualToolCalls).toMatchObject([{ toolName: 'weather' }, { toolName: 'clock' }]);
  expect(messagesOf(record).at(-1)?.content).toMatchObject([{ toolName: 'clock' }]);
  const spans = spansOf(record).filter(({ category }) => category === 'tool');
  expect(spans).toHaveLength(2);
  expect(spans).toMatchObject([
    { toolName: 'weather', status: 'error', mcpErrorCode: -32001 },
    { toolName: 'clock', status: 'ok' },
  ]);
});

test.concurrent('one that waits for its turn behind one without an answer does not make it our doing', async () => {
  const { record } = await play({ steps: [ask] }, [both], {
    plan: { ...atOnce, limits: { maxModelSteps: 2, trialTimeoutMs: 2000 } },
    runServers: { callsPerServer: 1 },
    answers: answering(() => undefined),
  });
  expect(record).toMatchObject({ status: 'timed_out' });
  expect(record.actualToolCalls).toMatchObject([{ toolName: 'weather' }]);
});

test.concurrent('credentials that are refused in one of them end the trial as a lost set-up', async () => {
  let first: Respond | undefined;
  const answers: NonNullable<PlayOptions['answers']> = {
    'tools/call': (response, request) => {
      const { name } = request.message['params'] as { name: string };
      if (name === 'clock') {
        response.writeHead(403).end();
        setTimeout(() => onceThere(() => first), 30);
        return;
      }
      first = () => sendJson(response, rpcResult(request, { content: [] }));
    },
  };
  const { record } = await play({ steps: [ask] }, [both], { plan: atOnce, answers });
  expect(record).toMatchObject({ status: 'setup_failed', result: null });
  expect(record.error).toContain('The call of "clock" was refused');
  expect(messagesOf(record).at(-1)?.content).toMatchObject([{ toolName: 'weather' }]);
});
