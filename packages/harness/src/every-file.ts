/**
 * Setup that vitest executes for every test file, while modules imported here are evaluated once
 * per process.
 */
import './fixed-seed.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach } from 'vitest';
import { tellOpenPages } from './open-pages.ts';

/**
 * The AsyncLocalStorages used by the current test file. Playwright tracks its calls with one, which
 * on Node 20 slows every later promise in the process (5 % of the tests' CPU). Test files share
 * processes, so the end of each file disables these storages.
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
 * Prints the state of a failed browser test's pages, because some failures are too rare to be
 * reproduced.
 */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const told of await tellOpenPages()) console.warn(told);
});

afterAll(switchOffStorages);
