import { expect, test } from 'vitest';
import type { ServiceTimes } from './service-times.ts';
import { claimWith } from './service-times.ts';
import { type Setup, simulate } from './simulate.ts';

const nothing = { workerCpu: 0, postgresCpu: 0, statements: 0, transactions: 0 };
const free = { cpu: 0, held: 0, emptyCpu: 0, emptyHeld: 0 };
const times: ServiceTimes = {
  workerCpu: 0,
  modelCpu: 0,
  serverCpu: 0,
  transactionCpu: 0,
  trialCpu: 0,
  commit: 0,
  idle: nothing,
  holding: nothing,
  notify: { postgresCpu: 0, workerCpu: 0 },
  claim: () => free,
};
const setup: Setup = {
  workers: 1,
  slotsEach: 8,
  runs: 1,
  atOncePerRun: 8,
  modelSeconds: 2,
  toolSeconds: 0,
  spread: 0,
  postgresCores: 4,
  isOneMachine: false,
  seconds: 80,
  seed: 1,
};

test('a worker that only waits makes as many trials as its slots allow', () => {
  const { trialsPerSecond, trialSeconds } = simulate(times, setup);
  expect(trialSeconds).toBeCloseTo(4, 1);
  expect(trialsPerSecond).toBeCloseTo(2, 1);
});

test('twice the workers make twice the trials while nothing is in the way', () => {
  const { trialsPerSecond } = simulate(times, { ...setup, workers: 20, runs: 20 });
  expect(trialsPerSecond).toBeCloseTo(40, 0);
});

test('trials under way are as many as begin in the time that one takes', () => {
  const some = { ...times, workerCpu: 0.01, transactionCpu: 0.001, trialCpu: 0.001, commit: 0.001 };
  const many = { ...setup, workers: 10, runs: 5, spread: 0.5 };
  const { underWay, trialsPerSecond, trialSeconds } = simulate(some, many);
  expect(underWay).toBeCloseTo(trialsPerSecond * trialSeconds, 6);
  // The five runs play at most 40 trials at once, so half of the 80 slots stay free.
  expect(underWay).toBeLessThanOrEqual(40);
  expect(underWay).toBeGreaterThan(39);
});

test.each([
  ['the thread of the worker', { workerCpu: 0.01 }, { isOneMachine: false }, 100],
  ['the cores of PostgreSQL', { trialCpu: 0.01 }, { workers: 10, runs: 10 }, 400],
  ['the cores of one machine', { workerCpu: 0.01 }, { isOneMachine: true, workers: 10 }, 400],
  ['one thread on one machine', { workerCpu: 0.01 }, { isOneMachine: true }, 100],
  ['the thread of the server', { serverCpu: 0.01 }, { isOneMachine: true, workers: 3 }, 100],
])('no more trials than %s can carry', (_name, cost, change, most) => {
  const instant = { ...setup, modelSeconds: 0, runs: 20, seconds: 10, ...change };
  const { trialsPerSecond, postgresBusy } = simulate({ ...times, ...cost }, instant);
  expect(trialsPerSecond).toBeLessThanOrEqual(most * 1.01);
  expect(trialsPerSecond).toBeGreaterThan(most * 0.97);
  expect(postgresBusy).toBeLessThanOrEqual(instant.postgresCores + 1e-9);
});

test('no more slices are claimed than the lock lets through', () => {
  const slow = { ...times, claim: () => ({ ...free, held: 0.1 }) };
  const instant = { ...setup, modelSeconds: 0.01, workers: 50, runs: 50, seconds: 50 };
  const { trialsPerSecond, claimLockBusy, claimWait } = simulate(slow, instant);
  expect(trialsPerSecond).toBeGreaterThan(190);
  expect(trialsPerSecond).toBeLessThan(205);
  expect(claimLockBusy).toBeGreaterThan(0.97);
  expect(claimWait).toBeGreaterThan(1);
});

test('trials of one run are written one after the other, and together where they wait', () => {
  const slow = { ...times, commit: 0.1 };
  const instant = { ...setup, modelSeconds: 0, seconds: 50 };
  // Trials in one process share transactions. Trials in eight processes wait for each other's
  // transactions.
  const one = simulate(slow, instant).trialsPerSecond;
  const apart = simulate(slow, { ...instant, workers: 8, slotsEach: 1 }).trialsPerSecond;
  expect(one).toBeGreaterThan(25);
  expect(apart).toBeLessThanOrEqual(10);
});

test('work that ends is done once', () => {
  const ended = { ...setup, runs: 3, trialsOfRun: 250, workers: 2 };
  const { trialsPerSecond, underWay, trialSeconds } = simulate(times, ended);
  expect(trialsPerSecond * trialSeconds).toBeCloseTo(underWay, 6);
  // 750 trials of 4 seconds each run in 16 slots. Near the end, some slots have no work.
  expect(750 / trialsPerSecond).toBeGreaterThanOrEqual((750 / 16) * 4);
  expect(750 / trialsPerSecond).toBeLessThan((750 / 16) * 4 + 80);
});

test('the same seed makes the same run, another one another', () => {
  const spread = { ...setup, spread: 0.5, seconds: 30 };
  expect(simulate(times, spread)).toEqual(simulate(times, spread));
  expect(simulate(times, spread)).not.toEqual(simulate(times, { ...spread, seed: 2 }));
});

test('a claim between two that were measured lies on the line between them', () => {
  const measured = [
    { groups: 10, cpu: 1, held: 2, emptyCpu: 3, emptyHeld: 4 },
    { groups: 20, cpu: 2, held: 4, emptyCpu: 6, emptyHeld: 8 },
  ];
  expect(claimWith(measured, 15)).toEqual({ cpu: 1.5, held: 3, emptyCpu: 4.5, emptyHeld: 6 });
  expect(claimWith(measured, 30).cpu).toBe(3);
  expect(claimWith(measured, 1).cpu).toBe(1);
});
