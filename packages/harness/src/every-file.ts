/** Setup that vitest repeats for every test file. Imports here are evaluated once per process. */
import './fixed-seed.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach } from 'vitest';
import { tellOpenPages } from './open-pages.ts';

/**
 * Playwright tracks its calls with an AsyncLocalStorage, which on Node 20 makes every later promise
 * of the process slower: 5 % of the CPU of tests. Test files share processes, so the end of each
 * file disables the storages that it used.
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

/** A failed journey prints the state of its pages, since some fail too rarely to be reproduced. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const told of await tellOpenPages()) console.warn(told);
});

afterAll(switchOffStorages);
