import { expect, test } from 'vitest';
import { offerOfNoProvider } from '../../../outside/model/offer-of-providers.ts';
import { linearPatterns } from '../../../outside/patterns/linear-patterns.ts';
import { defaultRunLimits } from '../../../platform/spending/run-limits.ts';
import { InMemoryProject } from './in-memory-project.ts';
import type { TrialPlayer } from './in-memory-run.ts';

const suite = JSON.stringify({
  schemaVersion: '1',
  suite: { id: 'shop', name: 'Shop' },
  mode: 'serverContract',
  target: { servers: [{ name: 'shop' }] },
  cases: [
    {
      id: 'opens',
      title: 'Opens',
      steps: [{ kind: 'toolCall', toolName: 'opening_time', arguments: {} }],
      assertions: [{ type: 'toolResultContains', needle: 'nine' }],
    },
  ],
});

async function launched(errorOf: (attempt: number) => Error) {
  const startedMs = performance.now();
  const triedMs: number[] = [];
  const player: TrialPlayer = {
    async play() {
      triedMs.push(performance.now() - startedMs);
      throw errorOf(triedMs.length);
    },
    close: async () => undefined,
  };
  const project = new InMemoryProject({
    models: {
      offer: offerOfNoProvider(),
      priceOf: () => undefined,
      isPaidByOperator: () => false,
      generate: () => Promise.reject(new Error('No model is asked.')),
    },
    patterns: linearPatterns,
    limits: { ...defaultRunLimits, noWidgets: null },
    live: () => player,
  });
  const serverIds = { shop: project.servers.name('shop') };
  const { suiteId } = await project.importSuite({ content: suite, serverIds });
  const { runId } = project.launch({ suiteId });
  return { project, runId, triedMs };
}

test('a trial is tried again after growing pauses, and keeps the last error', async () => {
  const { project, runId, triedMs } = await launched((attempt) => new Error(`Fall ${attempt}.`));
  await expect.poll(() => project.readRun(runId).completedAt).not.toBeNull();
  const { items } = project.readTrials(runId, {}, {});
  expect(items).toMatchObject([
    {
      status: 'failed',
      error: expect.stringMatching(/tried 4 times\..* The last error: Fall 4\.$/),
    },
  ]);
  const pauses = triedMs.slice(1).map((ms, index) => ms - (triedMs[index] ?? 0));
  expect(pauses).toHaveLength(3);
  // A timer may fire up to a millisecond early.
  for (const [index, atLeast] of [400, 800, 1600].entries())
    expect(pauses[index]).toBeGreaterThan(atLeast - 2);
});

test('a cancellation ends the pause, and nothing is tried again', async () => {
  const { project, runId, triedMs } = await launched(() => new Error('Fall.'));
  await expect.poll(() => triedMs.length).toBe(3);
  const cancelledMs = performance.now();
  await project.cancelRun(runId);
  expect(performance.now() - cancelledMs).toBeLessThan(1000);
  expect(triedMs).toHaveLength(3);
  expect(project.readRun(runId).status).toBe('cancelled');
});
