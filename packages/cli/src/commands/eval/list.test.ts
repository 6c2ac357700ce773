import type { ApiClient } from '@proofmark/client';
import { expect, test } from 'vitest';
import { newestRuns } from './list.ts';

/** Suites with the times of their runs. */
function project(runsOf: Readonly<Record<string, readonly number[]>>) {
  const client = {
    listEvalSuites: async () => ({
      items: Object.entries(runsOf).map(([id, [latest]]) => ({
        id,
        name: `Suite ${id}`,
        // A replay is no latest run of its suite, but it is listed.
        latestRun: latest === undefined || id === 'a' ? null : { createdAt: latest },
      })),
    }),
    listEvalSuiteRuns: async ({ suiteId, limit }: { suiteId: string; limit: number }) => {
      const items = (runsOf[suiteId] ?? []).map((createdAt) => ({ id: `${createdAt}`, createdAt }));
      return { items: items.slice(0, limit) };
    },
  } as unknown as Pick<ApiClient, 'listEvalSuites' | 'listEvalSuiteRuns'>;
  const list = async (limit: number, suiteId?: string) => {
    const runs = await newestRuns(client, { projectId: 'prj_1', suiteId, limit });
    return runs.map(({ id, suiteName }) => `${id} ${suiteName}`);
  };
  return { list };
}

const runsOf = { a: [50, 20], b: [], c: [90, 80, 70], d: [60, 10], e: [40] };

test('the newest runs of all suites are listed', async () => {
  const { list } = project(runsOf);
  expect(await list(4)).toEqual(['90 Suite c', '80 Suite c', '70 Suite c', '60 Suite d']);
});

test('all runs are listed if there are fewer than wanted, or those of one suite', async () => {
  const { list } = project(runsOf);
  expect((await list(20)).map((line) => line.slice(0, 2))).toEqual([
    '90',
    '80',
    '70',
    '60',
    '50',
    '40',
    '20',
    '10',
  ]);
  expect(await list(20, 'a')).toEqual(['50 Suite a', '20 Suite a']);
  expect(await project({}).list(5)).toEqual([]);
});
