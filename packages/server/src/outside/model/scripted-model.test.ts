import type { ChosenModel } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { ModelFailure } from './model-failure.ts';
import { createScriptedModel } from './scripted-model.ts';

const model: ChosenModel = { hosted: true, id: 'scripted/one', provider: 'scripted', name: 'one' };
const request = { messages: [], tools: [] };
const options = { signal: new AbortController().signal };

test('replies come from the list in order, failures are thrown, and the end of the list is told', async () => {
  const failure = new ModelFailure('RATE_LIMITED', 'limited', 4);
  const call = { toolCallId: 'c1', toolName: 't', input: {} };
  const scripted = createScriptedModel([{ text: 'one' }, { toolCalls: [call] }, failure]);
  expect(await scripted.generate(model, request, options)).toMatchObject({
    text: 'one',
    finishReason: 'stop',
  });
  expect(await scripted.generate(model, request, options)).toMatchObject({
    toolCalls: [call],
    finishReason: 'tool-calls',
  });
  await expect(scripted.generate(model, request, options)).rejects.toBe(failure);
  await expect(scripted.generate(model, request, options)).rejects.toThrow('no reply number 4');
  expect(scripted.requests).toHaveLength(4);
});

test('a function sees the request and its number', async () => {
  const scripted = createScriptedModel(({ messages }, count) => ({
    text: `${messages.length} ${count}`,
  }));
  expect((await scripted.generate(model, request, options)).text).toBe('0 1');
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(scripted.generate(model, request, { signal: gone })).rejects.toThrow('gone');
});
