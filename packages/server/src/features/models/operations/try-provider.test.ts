import { expect, test } from 'vitest';
import { createScriptedModel } from '../../../outside/model/scripted-model.ts';
import { tryProvider } from './try-provider.ts';

const hangs = () => createScriptedModel(() => new Promise(() => undefined));

test('a provider that does not answer is given up after a bounded time, and told so', async () => {
  const { signal } = new AbortController();
  expect(await tryProvider(hangs(), 'scripted', 'one', signal, 20)).toEqual({
    ok: false,
    model: 'one',
    reason: 'TIMEOUT',
    message: 'The model provider scripted did not answer in time.',
  });
});

test('whoever goes away while it is asked is not told of a timeout', async () => {
  const leaving = new AbortController();
  const asked = tryProvider(hangs(), 'scripted', 'one', leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
});

test('what is no fault of a provider is not told as one', async () => {
  const broken = createScriptedModel(() => {
    throw new Error('ours');
  });
  const { signal } = new AbortController();
  await expect(tryProvider(broken, 'scripted', 'one', signal)).rejects.toThrow('ours');
});
