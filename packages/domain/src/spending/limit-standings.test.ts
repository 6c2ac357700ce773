import { expect, test } from 'vitest';
import { noQuotas } from '../quotas/quotas.ts';
import { limitNames, limitStandings } from './limit-standings.ts';
import { defaultSpendingLimits } from './limits.ts';

const nothing = { storedBytes: 0, trialsPerDay: 0, uploadBytesPerDay: 0 };
const standings = (more: Partial<Parameters<typeof limitStandings>[0]> = {}) =>
  Object.fromEntries(
    limitStandings({
      counters: [],
      limits: defaultSpendingLimits,
      quotas: { quotas: noQuotas, used: nothing, nowMs: 0 },
      openRuns: { used: 0, allowed: 2 },
      ...more,
    }).map(({ name, ...one }) => [name, one]),
  );

test('every limit is told, used or not', () => {
  expect(Object.keys(standings())).toEqual([...limitNames]);
  expect(standings()['credits']).toEqual({ used: 0, reserved: 0, allowed: null, left: null });
  expect(standings()['insightsPerDay']).toEqual({ used: 0, reserved: 0, allowed: 25, left: 25 });
});

test('what is set aside is not left, and nothing is left of what is over', () => {
  const presented = standings({
    counters: [
      { name: 'credits', used: 9, reserved: 1.5 },
      { name: 'insightsPerDay', used: 30, reserved: 0 },
      { name: 'somethingElse', used: 1, reserved: 0 },
    ],
    limits: { ...defaultSpendingLimits, creditsPerDay: 30 },
    quotas: {
      quotas: { ...noQuotas, trialsPerDay: 100 },
      used: { ...nothing, trialsPerDay: 40, storedBytes: 7 },
      nowMs: 0,
    },
    openRuns: { used: 2, allowed: 2 },
  });
  expect(presented).toMatchObject({
    credits: { used: 9, reserved: 1.5, allowed: 30, left: 19.5 },
    insightsPerDay: { used: 30, left: 0 },
    trialsPerDay: { used: 40, allowed: 100, left: 60 },
    storedBytes: { used: 7, allowed: null, left: null },
    openRuns: { used: 2, left: 0 },
  });
});
