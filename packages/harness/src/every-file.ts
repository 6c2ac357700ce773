/** Setup that vitest repeats for every test file. Imports here are evaluated once per process. */
import './fixed-seed.ts';
import { afterAll, afterEach } from 'vitest';
import { tellOpenPages } from './open-pages.ts';
import { switchOffStorages } from './switch-off-storages.ts';

/** A failed journey prints the state of its pages, since some fail too rarely to be reproduced. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const told of await tellOpenPages()) console.warn(told);
});

afterAll(switchOffStorages);
