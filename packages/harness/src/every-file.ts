/** What vitest does anew for every test file; what is imported here is done once for each process. */
import './fixed-seed.ts';
import { afterAll, afterEach } from 'vitest';
import { tellOpenPages } from './open-pages.ts';
import { switchOffStorages } from './switch-off-storages.ts';

/** A journey that failed says what its pages showed at that moment: some fail too seldom to be seen a second time. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const told of await tellOpenPages()) console.warn(told);
});

afterAll(switchOffStorages);
