import { expect, test } from 'vitest';
import { simulateGates } from './simulate-gates.ts';
import { simulatedParts } from './simulated-row.ts';
import { simulationArguments } from './simulation-arguments.ts';
import { simulationTable } from './simulation-table.ts';

const small = { runs: 300, seed: 7 };

test('simulated figures are those that were computed exactly', () => {
  const { rows } = simulateGates({ ...small, only: 'plans' });
  const others = simulateGates({ ...small, only: 'anyTime' });
  for (const { name, exact, simulated, standardError } of [...rows, ...others.rows]) {
    expect(Object.keys(exact ?? {})).toEqual(Object.keys(simulated));
    for (const [figure, value] of Object.entries(exact ?? {})) {
      // A figure that was 0 in all 300 repetitions has a standard error of 0, so a minimum is used
      // instead.
      const error = Math.max(standardError[figure] ?? 0, 0.003);
      expect(Math.abs((simulated[figure] ?? 0) - value), `${name}: ${figure}`).toBeLessThan(
        4.5 * error,
      );
    }
  }
});

test('the same seed gives the same bytes, alone or among all parts', () => {
  const all = simulateGates({ runs: 5, seed: 3 });
  expect(JSON.stringify(simulateGates({ runs: 5, seed: 3 }))).toBe(JSON.stringify(all));
  expect(JSON.stringify(simulateGates({ runs: 5, seed: 4 }))).not.toBe(JSON.stringify(all));
  expect(new Set(all.rows.map(({ part }) => part))).toEqual(new Set(simulatedParts));
  const alone = simulateGates({ runs: 5, seed: 3, only: 'paired' });
  expect(alone.rows).toEqual(all.rows.filter(({ part }) => part === 'paired'));
});

test('unchanged runs are rarely called changed, and drops are found more often in pairs', () => {
  const { rows } = simulateGates({ ...small, only: 'paired' });
  for (const { name, simulated } of rows) {
    const { change, drop = 0, pooledDrop = 0 } = simulated;
    if (change !== undefined) expect(change, name).toBeLessThan(0.1);
    else expect(drop, name).toBeGreaterThan(pooledDrop - 0.05);
  }
});

test('of 20, 100 and 500 unchanged cases, any is rarely called worse, and few of a list are chance', () => {
  const { rows } = simulateGates({ runs: 60, seed: 7, only: 'many' });
  const named = (part: string) => rows.filter(({ name }) => name.includes(part));
  expect(rows.map(({ name }) => name.split(' ')[0])).toEqual(
    expect.arrayContaining(['20', '100', '500']),
  );
  for (const { name, exact, simulated } of named('unchanged')) {
    expect(simulated['anyWorse'], name).toBeLessThan(0.1);
    expect(simulated['anyListed'], name).toBeLessThan(0.13);
    expect(exact?.['anyChanged'], name).toBeLessThanOrEqual(0.05);
  }
  for (const { name, simulated } of named('dropped')) {
    const { anyFalse = 1, falseShareOfListed = 1, foundByHolm = 1, foundInList = 0 } = simulated;
    expect(anyFalse, name).toBeLessThan(0.13);
    expect(falseShareOfListed, name).toBeLessThan(0.1);
    expect(foundInList, name).toBeGreaterThanOrEqual(foundByHolm);
  }
});

test('without a correction, one of 100 unchanged cases is called worse in 69 % of comparisons', () => {
  const { rows } = simulateGates({ runs: 1, seed: 7, only: 'many' });
  const uncorrected = [20, 100, 500].map((cases) => {
    const row = rows.find(({ name }) => name === `${cases} unchanged cases of 20 trials at 0.75`);
    return row?.exact?.['anyWorseUncorrected']?.toFixed(2);
  });
  expect(uncorrected).toEqual(['0.21', '0.69', '1.00']);
});

test.each([
  [[], { only: undefined, runs: 10_000, seed: 1, json: false }],
  [
    ['--only', 'many', '--runs', '5', '--seed', '9', '--json'],
    { only: 'many', runs: 5, seed: 9, json: true },
  ],
  [['--only', 'other'], { problem: expect.stringContaining('Usage: ') }],
  [['--runs', '0'], { problem: expect.stringContaining('Usage: ') }],
  [['--seed', '1.5'], { problem: expect.stringContaining('Usage: ') }],
  [['--run'], { problem: expect.stringContaining("'--run'") }],
])('arguments %j', (args, read) => {
  expect(simulationArguments(args)).toEqual(read);
});

test('the table has each figure beside its exact value', () => {
  const row = {
    part: 'plans' as const,
    name: 'one',
    exact: { miss: 0.1 },
    simulated: { miss: 0.09, trials: 12 },
    standardError: { miss: 0.003, trials: 0.1 },
  };
  expect(simulationTable([row])).toBe(
    'plans: one\n  miss: 0.0900 ± 0.0030, exactly 0.1000, more than three standard errors away\n  trials: 12.0000 ± 0.1000',
  );
});
