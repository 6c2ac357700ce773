import { expect, test } from 'vitest';
import type { Connection } from '../../remote/connection.ts';
import { LaunchedRuns } from './launched-runs.ts';

function service() {
  const cancelled: string[] = [];
  const cancelEvalRun = async ({ runId }: { runId: string }) => void cancelled.push(runId);
  const connection = { client: { cancelEvalRun }, projectId: 'p' } as unknown as Connection;
  return { cancelled, connection };
}

const forever = () => new Promise<never>(() => undefined);

test('a test that ends early cancels what goes on, and what is just being launched', async () => {
  const { cancelled, connection } = service();
  const runs = new LaunchedRuns();
  await runs.during(
    async () => ({ runId: 'ended' }),
    async () => undefined,
  );
  void runs.during(async () => ({ runId: 'going' }), forever);
  let answer = (_: { runId: string }): void => undefined;
  const launching = new Promise<{ runId: string }>((resolve) => {
    answer = resolve;
  });
  void runs.during(() => launching, forever);
  const cancelling = runs.cancelAll(connection);
  answer({ runId: 'launching' });
  await cancelling;
  expect(cancelled).toEqual(['going', 'launching']);
});

test('after that it launches nothing, and one that could not be launched keeps nobody', async () => {
  const { cancelled, connection } = service();
  const runs = new LaunchedRuns();
  const refused = runs.during(() => Promise.reject(new Error('no')), forever);
  await expect(refused).rejects.toThrow('no');
  await runs.cancelAll(connection);
  const launched: string[] = [];
  const launch = async () => ({ runId: `run ${launched.push('one')}` });
  await expect(runs.during(launch, forever)).rejects.toThrow('stopped');
  expect([launched, cancelled]).toEqual([[], []]);
});
