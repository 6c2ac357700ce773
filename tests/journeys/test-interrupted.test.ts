/** Ctrl+C while `proofmark test` is still starting. */
import { writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { writeOwnServer } from './own-stdio-server.ts';
import { createTestWorkspace } from './test-workspace.ts';

const workspace = createTestWorkspace();
const place = (name: string) => `${workspace.folder}/${name}`;
afterAll(() => workspace.remove());

test('it ends with one sentence and without a verdict', async () => {
  // The server never answers, so the test is interrupted while it waits for its tools.
  writeOwnServer(place('shop.mjs'), {
    first: 'await new Promise(() => setInterval(() => 0, 1e6));',
  });
  const made = `schemaVersion: "1"
suite: { id: shop, name: shop }
cases:
  - { id: opens, title: Opens, ask: When does the shop open?, calls: opening_time }
`;
  writeFileSync(place('shop.suite.yaml'), made);
  const started = ['test', '--server-command', 'node shop.mjs'];
  const testing = workspace.spawn(started, { LC_ALL: 'C.UTF-8' });
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  process.kill(testing.pid, 'SIGINT');
  expect(await testing.ended).toEqual({ code: 3, signal: null });
  expect(testing.stdout()).toBe('');
  expect(testing.stderr()).toMatch(/^proofmark: interrupted[^\n]*\n$/);
});
