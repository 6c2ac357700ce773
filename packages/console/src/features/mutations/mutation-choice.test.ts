import { expect, test } from 'vitest';
import { mutationBody, newMutationChoice, recordedRuns } from './mutation-choice.ts';

test.each([
  [{}, {}],
  [
    { model: ' local/one ', seed: '7' },
    { model: 'local/one', seed: 7 },
  ],
  [{ runId: 'run_1' }, {}],
  [
    { form: 'servers', runId: 'run_1' },
    { servers: 'recorded', runId: 'run_1' },
  ],
  [
    { form: 'servers', runId: 'run_1', model: 'local/one' },
    { servers: 'recorded', runId: 'run_1', model: 'local/one' },
  ],
  [
    { form: 'both', runId: 'run_1', model: 'local/one', seed: '0' },
    { servers: 'recorded', runId: 'run_1', model: 'recorded', seed: 0 },
  ],
] as const)('%j asks for %j', (choice, body) => {
  expect(mutationBody({ ...newMutationChoice, ...choice })).toEqual({ body });
});

test.each([
  [{ seed: '1.5' }, 'seed'],
  [{ seed: '-1' }, 'seed'],
  [{ seed: 'one' }, 'seed'],
  [{ seed: '9999999999' }, 'seed'],
  [{ form: 'both' }, 'runId'],
] as const)('%j is refused at %s', (choice, field) => {
  expect(mutationBody({ ...newMutationChoice, ...choice })).toMatchObject({ problem: { field } });
});

test('runs that go on, were reported or were played from another have no recordings', () => {
  const run = { id: 'run_1', status: 'completed', source: 'api', replay: null } as const;
  const runs = [
    run,
    { ...run, status: 'running' },
    { ...run, source: 'sdk' },
    { ...run, replay: {} },
  ] as unknown as Parameters<typeof recordedRuns>[0];
  expect(recordedRuns(runs)).toEqual([run]);
});
