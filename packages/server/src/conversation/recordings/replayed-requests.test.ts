import type { EvalCaseDefinition } from '@proofmark/domain';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import {
  type AskingTool,
  answerAsResult,
  startAskingServer,
} from '@proofmark/harness/mcp-servers/start-asking-server.ts';
import { recordTrial, replayTrial, type TrialToReplay } from '@proofmark/harness/replayed-trial.ts';
import { afterAll, describe, expect, test } from 'vitest';

const mcp = gatewayForTest();
afterAll(() => mcp.close());

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
const question = { message: 'What is your name?', requestedSchema };
const sampling = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
  maxTokens: 50,
};
const asks: AskingTool = async (ask) => answerAsResult(await ask('elicitation/create', question));
const samples: AskingTool = async (ask) =>
  answerAsResult(await ask('sampling/createMessage', sampling));
const start = (tool: AskingTool) => () => startAskingServer({ tool });

const steps: EvalCaseDefinition['steps'] = [{ id: 'ask', kind: 'prompt', prompt: 'Greet me.' }];
const named = (name: string) => [{ action: 'accept' as const, content: { name } }];
const lines = [{ calls: [{ tool: 'tool', input: {} }] }, { text: 'Done.' }];

type Definition = Pick<EvalCaseDefinition, 'steps' | 'elicitations'>;

async function playTwice(
  definition: Definition,
  tool: AskingTool,
  options: Partial<TrialToReplay>,
) {
  const recorded = await recordTrial(mcp, { definition, lines, start: start(tool) });
  expect(recorded.record).toMatchObject({ status: 'completed', result: 'passed' });
  const again = await replayTrial(mcp, recorded, { definition, ...options });
  return { ...again, record: recorded.record, recording: recorded.recording };
}

describe('a question for the user', () => {
  const definition = { steps, elicitations: named('Ada') };

  test('is answered as recorded, and stands in the trace', async () => {
    const { again, played, record, recording } = await playTwice(definition, asks, {});
    expect(recording.exchanges).toContainEqual(
      expect.objectContaining({ kind: 'elicitation', serverName: 'Weather', during: 1 }),
    );
    expect(played.divergence).toBeUndefined();
    expect(again).toMatchObject({ status: 'completed', result: 'passed' });
    const withoutIds = (requests: unknown) =>
      (requests as object[]).map((one) => ({ ...one, serverId: '' }));
    expect(withoutIds(again.trace['serverRequests'])).toEqual(
      withoutIds(record.trace['serverRequests']),
    );
  });

  test('that the case answers otherwise is a divergence', async () => {
    const other = { steps, elicitations: named('Bob') };
    const { again, played } = await playTwice(definition, asks, { definition: other });
    expect(again).toMatchObject({ status: 'skipped', result: null });
    expect(played.divergence).toMatchObject({
      side: 'server',
      kind: 'request',
      serverName: 'Weather',
      path: '/content/name',
      before: 'Ada',
      after: 'Bob',
    });
  });

  test('that is answered otherwise is put to the live server, whose answer counts', async () => {
    const { again, played } = await playTwice(definition, asks, {
      definition: { steps, elicitations: named('Bob') },
      terms: { onDivergence: 'live' },
      start: start(asks),
      lines,
    });
    expect(played.isContinuedLive).toBe(true);
    const messages = JSON.stringify(again.trace['messages']);
    expect(messages).toContain('Bob');
    expect(messages).not.toContain('Ada');
  });
});

describe('an answer of a model', () => {
  test('is the recorded one, and none is asked', async () => {
    const { again, played, models } = await playTwice({ steps }, samples, {});
    expect(played.divergence).toBeUndefined();
    expect(again).toMatchObject({ status: 'completed', result: 'passed' });
    expect(models.requests).toEqual([]);
  });

  test('that a live server asks for otherwise is a divergence', async () => {
    const otherwise: AskingTool = async (ask) =>
      answerAsResult(await ask('sampling/createMessage', { ...sampling, maxTokens: 51 }));
    const { again, played } = await playTwice({ steps }, samples, {
      terms: { servers: 'live' },
      start: start(otherwise),
    });
    expect(again).toMatchObject({ status: 'skipped', result: null });
    expect(played.divergence).toMatchObject({
      side: 'model',
      kind: 'request',
      path: '/parameters/maxOutputTokens',
    });
  });

  test.each([
    ['refused then and is given now', 'Hello.', true],
    ['given then and is refused now', undefined, false],
  ])('that was %s is a divergence', async (_, text, wasRefused) => {
    const { recording, finished } = await recordTrial(mcp, {
      definition: { steps },
      lines,
      start: start(samples),
    });
    const exchanges = recording.exchanges.map((one) => {
      if (one.kind === 'sampling' && wasRefused) {
        const { answer: _, ...asked } = one;
        return { ...asked, error: { message: 'No model is asked here.' } };
      }
      const isOfServer = one.kind === 'model' && one.request.tools?.length === 0;
      if (!isOfServer || wasRefused) return one;
      const { answer: _, ...asked } = one;
      return { ...asked, error: { reason: 'PROVIDER_ERROR', message: 'It broke.', attempts: 1 } };
    });
    const { again, played } = await replayTrial(
      mcp,
      { recording: { ...recording, exchanges }, finished },
      { definition: { steps } },
    );
    expect(played.divergence).toMatchObject({
      side: 'server',
      kind: 'request',
      path: '',
      after: text === undefined ? '' : expect.stringContaining('assistant'),
    });
    expect(again).toMatchObject({ status: 'skipped', result: null });
  });
});
