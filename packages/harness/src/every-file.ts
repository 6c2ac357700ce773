/**
 * vitest runs this setup for every test file. A module imported here is evaluated only once per
 * process, not once per file.
 */
import './fixed-seed.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach } from 'vitest';
import { describeOpenPages } from './open-pages.ts';

/**
 * The AsyncLocalStorages used by the current test file. Playwright creates one, and on Node 20 an
 * active storage slows every later promise in the process (5 % of the tests' CPU). Test files share
 * processes, so these storages are disabled after each file.
 */
const used = new Set<AsyncLocalStorage<unknown>>();

const { run } = AsyncLocalStorage.prototype;

AsyncLocalStorage.prototype.run = function remembered(...parameters: Parameters<typeof run>) {
  used.add(this);
  return run.apply(this, parameters);
};

function switchOffStorages(): void {
  for (const storage of used) storage.disable();
  used.clear();
}

/**
 * Prints the state of the pages when a browser test fails, because some failures are too rare to
 * reproduce.
 */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const report of await describeOpenPages()) console.warn(report);
});

afterAll(switchOffStorages);
