import { expect, test } from 'vitest';
import { inTurn } from './launch-turns.ts';

test('a launch that waited beyond the time of its caller does not begin', async () => {
  const ends: (() => void)[] = [];
  const holding = Array.from({ length: 3 }, () =>
    inTurn('org_1', () => new Promise<void>((resolve) => ends.push(resolve))),
  );
  const late = new AbortController();
  const begun: string[] = [];
  const told = inTurn('org_1', async () => begun.push('late'), late.signal).catch(
    (error: unknown) => error,
  );
  const inTime = inTurn('org_1', async () => begun.push('in time'), new AbortController().signal);
  late.abort(new Error('Not done in time.'));
  for (const end of ends) end();
  await Promise.all([...holding, inTime]);
  expect(await told).toEqual(new Error('Not done in time.'));
  expect(begun).toEqual(['in time']);
});
