/**
 * Playwright tracks its calls with an AsyncLocalStorage, which on Node 20 makes every later promise
 * of the process slower: 5 % of the CPU of tests. Test files share processes, so the end of each
 * file disables the storages that it used.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const used = new Set<AsyncLocalStorage<unknown>>();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function remembered(...parameters: Parameters<typeof run>) {
  used.add(this);
  return run.apply(this, parameters);
};

export function switchOffStorages(): void {
  for (const storage of used) storage.disable();
  used.clear();
}
