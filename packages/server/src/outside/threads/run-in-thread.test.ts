import { expect, test } from 'vitest';
import { runInThread } from './run-in-thread.ts';

const program = new URL('./slow-start.fixture.ts', import.meta.url);
const limits = { timeoutMs: 2000, memoryMb: 64 };
const run = (input: { startMs: number; workMs: number }) =>
  runInThread<string, string>({ program, input, limits, take: (part) => part });

test('the time of a thread counts from when it is loaded', async () => {
  expect(await run({ startMs: 3000, workMs: 0 })).toEqual({ result: 'done' });
  expect(await run({ startMs: 0, workMs: 60_000 })).toMatchObject({ stopped: 'tooLong' });
});
