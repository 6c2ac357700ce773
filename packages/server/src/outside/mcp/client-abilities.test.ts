import {
  failureOf,
  httpTarget,
  stdioTarget,
} from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { type OwnTestSession, openOwnSession } from '@proofmark/harness/mcp-servers/own-session.ts';
import {
  everythingStdio,
  startEverythingServer,
} from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { askFirst, startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpTarget } from './mcp-target.ts';

type Json = Record<string, unknown>;

const samplingTool = 'trigger-sampling-request';
const elicitationTool = 'trigger-elicitation-request';
const taskTool = 'simulate-research-query';
const asked: [string, unknown][] = [];

async function answer(method: string, params: unknown): Promise<unknown> {
  asked.push([method, params]);
  return method === 'elicitation/create'
    ? { action: 'accept', content: { interpretation: 'snake' } }
    : { role: 'assistant', content: { type: 'text', text: 'Hello.' }, model: 'a-model' };
}

function namesOf(tools: readonly Readonly<Json>[]): unknown[] {
  return tools.map(({ name }) => name);
}

describe.each(['streamableHttp', 'sse', 'stdio'] as const)('server-everything over %s', (mode) => {
  let target: McpTarget;
  const stops: (() => Promise<void>)[] = [];
  const open = async (...given: Parameters<typeof openOwnSession>): Promise<OwnTestSession> => {
    const session = await openOwnSession(...given);
    stops.unshift(() => session.close());
    return session;
  };

  beforeAll(async () => {
    if (mode === 'stdio') {
      target = stdioTarget(everythingStdio());
    } else {
      const server = await startEverythingServer(mode);
      stops.push(() => server.stop());
      target = httpTarget(server.url);
    }
  });

  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  test('is told of no ability that nobody answers, and of all where somebody does', async () => {
    const alone = await open({ ...target, clientCapabilities: { sampling: {}, elicitation: {} } });
    const tools = await alone.use((session) => session.listAll('tools'));
    expect(namesOf(tools)).not.toContain(samplingTool);
    expect(namesOf(tools)).not.toContain(elicitationTool);
    const answered = await open(target, answer);
    const all = await answered.use(async (session) => {
      expect(session.initInfo.clientCapabilities).toEqual({
        sampling: {},
        elicitation: { form: {} },
      });
      return session.listAll('tools');
    });
    expect(namesOf(all)).toEqual(expect.arrayContaining([samplingTool, elicitationTool]));
  });

  test('gets its sampling answered within the call', async () => {
    const session = await open(target, answer);
    const { result } = await session.use((own) =>
      own.callTool(samplingTool, { prompt: 'Hi', maxTokens: 7 }),
    );
    expect(JSON.stringify(result)).toContain('Hello.');
    expect(asked.at(-1)).toMatchObject(['sampling/createMessage', { maxTokens: 7 }]);
  });

  // The task takes 4 seconds, so it is tested with one transport only.
  test.runIf(mode === 'streamableHttp')(
    'has a tool that works only as a task called as one, and what the task asks answered',
    async () => {
      const session = await open(target, answer);
      const { result } = await session.use((own) =>
        own.callTool(taskTool, { topic: 'python', ambiguous: true }),
      );
      expect(result['isError']).not.toBe(true);
      expect(JSON.stringify(result)).toContain('python (snake)');
    },
  );
});

describe('a server on the newest protocol, which asks in its results,', () => {
  test('is called again with the answer', async () => {
    const server = await startModernServer({ onlyModern: true });
    const session = await openOwnSession(httpTarget(server.url), async () => ({
      action: 'accept',
      content: { name: 'Ada' },
    }));
    try {
      const { result } = await session.use((own) => own.callTool('echo', { text: askFirst }));
      expect(JSON.stringify(result)).toContain('Ada');
    } finally {
      await session.close();
      await server.stop();
    }
  });

  test('is refused where nobody answers, and that is told', async () => {
    const server = await startModernServer({ onlyModern: true });
    const session = await openOwnSession(httpTarget(server.url));
    try {
      const called = session.use((own) => own.callTool('echo', { text: askFirst }));
      const { details } = await failureOf(called);
      expect(details['missingAbility']).toBeDefined();
    } finally {
      await session.close();
      await server.stop();
    }
  });
});
