/**
 * Files built to block a parser or to fill its memory must get a finding, while the calling thread
 * keeps working.
 */

import { suiteFile } from '@proofmark/harness/suite-file.ts';
import { expect, test } from 'vitest';
import { readSuiteFile } from './read-suite-file.ts';

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

test.each<[string, string]>([
  ['many keys in one map', lines(20_000, (index) => `k${index}: 1`)],
  ['question marks', `a: {${'? '.repeat(20_000)}`],
  ['brackets that do not match', '[}'.repeat(15_000)],
  ['dashes on one line', '- '.repeat(60_000)],
])('%s: a finding', async (_title, text) => {
  expect(await readSuiteFile(text, { timeoutMs: 25_000, memoryMb: 256 })).toHaveProperty(
    'findings',
  );
});

test('a file that takes too long is too large, and the event loop is never held up', async () => {
  const loop = watchLoop();
  const read = await readSuiteFile(`[${','.repeat(1_000_000)}`, { timeoutMs: 2000, memoryMb: 512 });
  expect(read).toEqual(tooLarge('Reading the suite file took longer than 2 seconds; split it.'));
  // If the file were parsed in this thread, it would block the event loop for 2 seconds or more.
  expect(loop.stop()).toBeLessThan(500);
});

test('a file that takes too much memory is too large', async () => {
  const limits = { timeoutMs: 25_000, memoryMb: 48 };
  const read = await readSuiteFile(`[${','.repeat(400_000)}`, limits);
  expect(read).toEqual(tooLarge('The suite file takes too much memory to read; split it.'));
});

test('a file whose aliases stand for too much is too large', async () => {
  const file = suiteFile('aliases');
  const [first] = file.cases;
  const text = `${JSON.stringify({ ...file, cases: [] }).replace('"cases":[]}', '"cases":[')}${lines(
    60,
    (index) =>
      `{"id":"c${index}","title":"T","steps":[{"id":"s","kind":"toolCall","serverName":"Sample","toolName":"t","arguments":${
        index === 0 ? `&a {"a":"${'x'.repeat(40_000)}"}` : '*a'
      }}],"assertions":${JSON.stringify(first?.assertions ?? [])}},`,
  )}]}`;
  const message = 'As JSON, the suite file has more than 2097152 characters; split it.';
  expect(await readSuiteFile(text)).toEqual(tooLarge(message));
});

function tooLarge(message: string) {
  return { findings: [{ path: '', code: 'SUITE_FILE_TOO_LARGE', message }] };
}

function watchLoop(): { stop(): number } {
  let last = performance.eventLoopUtilization();
  let longestMs = 0;
  const look = () => {
    const now = performance.eventLoopUtilization();
    longestMs = Math.max(longestMs, now.active - last.active);
    last = now;
  };
  const timer = setInterval(look, 5);
  return {
    stop() {
      clearInterval(timer);
      look();
      return longestMs;
    },
  };
}
