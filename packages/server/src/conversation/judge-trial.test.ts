import { expect, test } from 'vitest';
import { ModelFailure } from '../outside/model/model-failure.ts';
import { createScriptedModel, type ScriptedReply } from '../outside/model/scripted-model.ts';
import { judgeTrial } from './judge-trial.ts';

const trial = {
  title: 'Weather',
  query: 'Is it sunny?',
  expectedOutput: 'It says yes.',
  messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] }],
};
const judge = {
  model: { hosted: true, id: 'scripted/one', provider: 'scripted', name: 'one' },
  threshold: 0.7,
} as const;

test('a score comes with the threshold, the floor, the reason and the hits, and never with passed', async () => {
  const text = '{"score": 0.9, "passed": false, "reason": "Yes.", "rubricHits": ["yes"]}';
  const { finding, models } = await asked({ text });
  expect(finding).toEqual({
    status: 'scored',
    score: 0.9,
    threshold: 0.7,
    partialFloor: 0.4,
    reason: 'Yes.',
    rubricHits: ['yes'],
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  });
  expect(models.requests[0]).toMatchObject({ tools: [], temperature: 0 });
});

test('a model that fails, and an answer that cannot be read, are a judge that failed', async () => {
  const failure = new ModelFailure('RATE_LIMITED', 'The provider limits our calls.', 4);
  expect((await asked(failure)).finding).toEqual({
    status: 'errored',
    reason: 'The provider limits our calls.',
    rubricHits: [],
  });
  expect((await asked({ text: 'I would say 8/10.' })).finding).toMatchObject({ status: 'errored' });
});

test.each(['length', 'content-filter', 'error', 'other', 'unknown'] as const)(
  'an answer that ended by %s is a judge that failed, whatever it says',
  async (finishReason) => {
    const text = '{"score": 0.1, "reason": "No.", "rubricHits": []}';
    const { finding } = await asked({ text, finishReason });
    expect(finding).toEqual({
      status: 'errored',
      rubricHits: [],
      usage: expect.any(Object),
      reason: expect.stringContaining(`(finish reason ${finishReason} of scripted)`),
    });
  },
);

test('our own error and an abort are thrown', async () => {
  const controller = new AbortController();
  controller.abort(new Error('cancelled'));
  const models = createScriptedModel([]);
  await expect(judgeTrial({ models }, trial, judge, controller.signal)).rejects.toThrow(
    'cancelled',
  );
  const signal = new AbortController().signal;
  await expect(judgeTrial({ models }, trial, judge, signal)).rejects.toThrow('no reply number');
});

async function asked(reply: ScriptedReply) {
  const models = createScriptedModel([reply]);
  const finding = await judgeTrial({ models }, trial, judge, new AbortController().signal);
  return { finding, models };
}
