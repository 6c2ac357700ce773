import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { afterAll, expect, test } from 'vitest';

const workspace = createTestWorkspace();
const place = (name: string) => `${workspace.folder}/${name}`;
afterAll(() => workspace.remove());

async function interrupted(command: string) {
  writeOwnServer(place('shop.mjs'), {
    first: `(await import('node:fs')).writeFileSync(${JSON.stringify(place('asked'))}, ''); await new Promise(() => setInterval(() => 0, 1e6));`,
  });
  rmSync(place('asked'), { force: true });
  const started = workspace.spawn([command, '--server-command', 'node shop.mjs'], {
    LC_ALL: 'C.UTF-8',
  });
  await until(async () => existsSync(place('asked')), 'the server is asked');
  process.kill(started.pid, 'SIGINT');
  const ended = await started.ended;
  return { ...ended, stdout: started.stdout(), stderr: started.stderr() };
}

test('lint ends with one sentence', async () => {
  expect(await interrupted('lint')).toEqual({
    code: 3,
    signal: null,
    stdout: '',
    stderr: expect.stringMatching(/^proofmark: interrupted[^\n]*\n$/),
  });
});

test('a test ends without a verdict', async () => {
  const made = `schemaVersion: "1"
suite: { id: shop, name: shop }
cases:
  - { id: opens, title: Opens, ask: When does the shop open?, calls: opening_time }
`;
  writeFileSync(place('shop.suite.yaml'), made);
  const { code, signal, stdout } = await interrupted('test');
  expect({ code, signal }).toEqual({ code: 3, signal: null });
  expect(stdout).not.toMatch(/PASSED|FAILED/);
});
