import { expect, test } from 'vitest';
import { launches } from './launches.ts';

test('a launch that waited beyond the time of its caller does not begin', async () => {
  const ends = await Promise.all(Array.from({ length: 3 }, () => launches.acquire('org_1')));
  const late = new AbortController();
  const begun: string[] = [];
  const lateError = launches
    .run('org_1', async () => begun.push('late'), { signal: late.signal })
    .catch((error: unknown) => error);
  const inTime = launches.run('org_1', async () => begun.push('in time'));
  late.abort(new Error('Not done in time.'));
  for (const end of ends) end();
  await inTime;
  expect(await lateError).toEqual(new Error('Not done in time.'));
  expect(begun).toEqual(['in time']);
});
