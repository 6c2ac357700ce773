import { fakeRenderer } from '@proofmark/harness/fake-widget-renderer.ts';
import { expect, test } from 'vitest';
import { lazyRenderer } from './widgets-here.ts';

const widget = {
  ...{ html: '<p>', dialect: 'mcpApps', tool: { name: 'form' }, withinMs: 10 },
  ...{ origins: {}, input: {}, result: {}, hostContext: {} },
} as never;
const { signal } = new AbortController();

test('a renderer is made for the first widget and no other, and ended where there is one', async () => {
  const renderer = fakeRenderer();
  let made = 0;
  const lazy = lazyRenderer(async () => {
    made += 1;
    return renderer;
  });
  expect(made).toBe(0);
  await lazy.open(widget, {} as never, signal);
  await lazy.open(widget, {} as never, signal);
  expect(made).toBe(1);
  await lazy.close();
  expect(renderer.said).toEqual(['open form', 'open form', 'end']);
});

test('one that was never needed is not made to be ended', async () => {
  let made = 0;
  await lazyRenderer(async () => {
    made += 1;
    return fakeRenderer();
  }).close();
  expect(made).toBe(0);
});

test('what could not be made is made anew for the next widget', async () => {
  let tried = 0;
  const lazy = lazyRenderer(async () => {
    tried += 1;
    if (tried === 1) throw new Error('Not yet');
    return fakeRenderer();
  });
  await expect(lazy.open(widget, {} as never, signal)).rejects.toThrow('Not yet');
  await expect(lazy.open(widget, {} as never, signal)).resolves.toBeDefined();
});
