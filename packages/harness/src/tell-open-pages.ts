/** A journey that failed says what its pages showed at that moment: some fail too seldom to be seen a second time. */
import { afterEach } from 'vitest';
import { tellOpenPages } from './open-pages.ts';

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const told of await tellOpenPages()) console.warn(told);
});
