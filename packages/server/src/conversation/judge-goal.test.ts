/**
 * Tests a judge within a trial: its time does not count as the trial's, and it is not called for a
 * stopped trial.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { EvalCaseDefinition } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import { startFakeMcpServer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { ask, sunny } from '@proofmark/harness/play-trial.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelGateway, ModelReply } from '../outside/model/model-gateway.ts';

const mcp = gatewayForTest();
const trialTimeoutMs = 3_000;
const good = JSON.stringify({ score: 0.9, reason: 'Yes.', rubricHits: [] });
const goal = { type: 'goalCompleted', outcome: 'It says so.', judgeModel: 'scripted/one' } as const;
let server: Awaited<ReturnType<typeof startFakeMcpServer>>;
beforeAll(async () => {
  server = await startFakeMcpServer({ 'tools/list': { tools: [] } });
});
afterAll(async () => {
  await server.stop();
  await mcp.close();
});

interface Judging {
  readonly answer: () => Promise<string>;
  readonly finishReason?: ModelReply['finishReason'];
  readonly models?: ModelGateway;
  readonly signal?: AbortSignal;
  readonly steps?: EvalCaseDefinition['steps'];
  readonly redact?: <Kept>(kept: Kept) => Kept;
}

async function trialWith({
  answer,
  models = modelOfLines([sunny]),
  signal,
  redact,
  steps = [ask],
  finishReason = 'stop',
}: Judging) {
  let asked = 0;
  const judgeRequests: string[] = [];
  const judgeModels: Pick<ModelGateway, 'generate'> = {
    async generate(...given) {
      asked += 1;
      judgeRequests.push(JSON.stringify(given[1]));
      const text = await answer();
      given[2].signal.throwIfAborted();
      return { ...reply, finishReason, text };
    },
  };
  const servers = [{ id: 'srv_1', name: 'shop', url: server.url }];
  const dependencies = dependenciesFor(runServersFor(mcp, servers), models);
  const limits = { maxModelSteps: 5, trialTimeoutMs };
  const plan = planFor({ steps, checks: { mode: 'replace', list: [goal, goal] } }, servers, {
    limits,
  });
  const hiding = redact === undefined ? {} : { redact };
  const record = await firstTrial({ ...dependencies, judgeModels, ...hiding }, plan, signal);
  return { record, asked, judgeRequests };
}

const reply = { toolCalls: [], usage: {}, attempts: 1 } as const;

test('a judge may take longer than the trial, and its time is not counted', async () => {
  const { record } = await trialWith({ answer: () => after(trialTimeoutMs + 300, good) });
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
  expect(record.durationMs).toBeLessThan(trialTimeoutMs);
});

test('judges of one trial are asked at once', async () => {
  const waiting: ((text: string) => void)[] = [];
  const answer = () =>
    new Promise<string>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 2) for (const go of waiting) go(good);
    });
  expect((await trialWith({ answer })).record).toMatchObject({ result: 'passed' });
});

test('a trial that took too long, or that was stopped, is not asked about', async () => {
  const hanging: ModelGateway = {
    ...modelOfLines([]),
    generate: (_model, _request, { signal, onSent }) => {
      onSent?.(true);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
  };
  const { record, asked } = await trialWith({ answer: async () => good, models: hanging });
  expect(record.status).toBe('timed_out');
  expect(asked).toBe(0);
  const stopping = new AbortController();
  const answer = async () => {
    stopping.abort(new Error('cancelled'));
    return good;
  };
  await expect(trialWith({ answer, signal: stopping.signal })).rejects.toThrow('cancelled');
});

test('our own failure while a judge is asked is no word of the judge', async () => {
  const answer = async () => Promise.reject(new Error('a mistake of ours'));
  await expect(trialWith({ answer })).rejects.toThrow('a mistake of ours');
  const step = { id: 'goal', kind: 'assert', assertion: goal } as const;
  await expect(trialWith({ answer, steps: [ask, step] })).rejects.toThrow('a mistake of ours');
});

test('a judge is told nothing that a trace would hide', async () => {
  const redact = <Kept>(kept: Kept): Kept =>
    JSON.parse(JSON.stringify(kept).replaceAll('sunny', '[hidden]'));
  const { judgeRequests } = await trialWith({ answer: async () => good, redact });
  expect(judgeRequests).toHaveLength(2);
  expect(judgeRequests.join(' ')).toContain('[hidden]');
  expect(judgeRequests.join(' ')).not.toContain('sunny');
});

test.each(['length', 'content-filter', 'error'] as const)(
  'a judge whose answer ended by %s has failed: that is no verdict, and nothing of the server',
  async (finishReason) => {
    const bad = JSON.stringify({ score: 0.1, reason: 'No.', rubricHits: [] });
    const { record } = await trialWith({ answer: async () => bad, finishReason });
    expect(record).toMatchObject({ status: 'completed', result: null, evaluatorError: true });
    expect(record.error).toContain(`finish reason ${finishReason}`);
    expect(record.chain.failureCategory).toBe('evaluator');
  },
);
