import { expect, test } from 'vitest';
import { createMetrics } from '../../platform/http/metrics.ts';
import { installationMetrics } from './installation-metrics.ts';

const load = {
  databaseVersion: '18.1',
  databaseBytes: 5,
  launchedRuns: 2,
  reportedRuns: 1,
  work: [{ kind: 'eval-trials', waiting: 4, leased: 3, silent: 1, longestWaitSeconds: 9 }],
  workers: [],
};
const well = {
  readInstallationLoad: async () => load,
  freeDiskSpace: async () => ({
    freeBytes: 6,
    totalBytes: 10,
    holdsDatabase: true,
    refusesWrites: false,
  }),
};
const linesOf = async (metrics: ReturnType<typeof createMetrics>) =>
  (await metrics.text()).split('\n').filter((line) => !line.startsWith('#'));

test('each request is in the bucket of its time and in all longer ones, by operation, method and status', async () => {
  const times = createMetrics(installationMetrics(well));
  for (const seconds of [0.001, 0.002, 40]) times.observe('getMe', 'GET', 200, seconds);
  times.observe('getMe', 'GET', 401, 0.5);
  const lines = (await times.text())
    .split('\n')
    .filter((line) => line.includes('proofmark_request_seconds'));
  const labels = 'operation="getMe",method="GET",status="200"';
  expect(lines).toContain(`proofmark_request_seconds_bucket{le="0.001",${labels}} 1`);
  expect(lines).toContain(`proofmark_request_seconds_bucket{le="0.0025",${labels}} 2`);
  expect(lines).toContain(`proofmark_request_seconds_bucket{le="30",${labels}} 2`);
  expect(lines).toContain(`proofmark_request_seconds_bucket{le="+Inf",${labels}} 3`);
  expect(lines).toContain(`proofmark_request_seconds_count{${labels}} 3`);
  expect(lines).toContain(`proofmark_request_seconds_sum{${labels}} 40.003`);
  expect(lines.filter((line) => line.includes('status="401"'))).toHaveLength(16);
  expect(lines.filter((line) => line.startsWith('# TYPE'))).toHaveLength(1);
});

test('while the database is away, nothing is told of what it holds; the rest still is', async () => {
  let isAway = false;
  const readInstallationLoad = async () => {
    if (isAway) throw new Error('away');
    return load;
  };
  const metrics = createMetrics(installationMetrics({ ...well, readInstallationLoad }));
  expect(await linesOf(metrics)).toEqual(
    expect.arrayContaining([
      'proofmark_database_up 1',
      'proofmark_database_bytes 5',
      'proofmark_open_runs{origin="launched"} 2',
      'proofmark_work_slices{kind="eval-trials",state="leased"} 2',
      'proofmark_work_longest_wait_seconds{kind="eval-trials"} 9',
    ]),
  );
  isAway = true;
  const away = await linesOf(metrics);
  expect(away).toEqual(
    expect.arrayContaining([
      'proofmark_database_up 0',
      'proofmark_disk_free_bytes 6',
      'proofmark_writes_refused 0',
    ]),
  );
  expect(away.filter((line) => /_(database_bytes|open_runs|work_|workers)/.test(line))).toEqual([]);
});

test('that writes are refused is told, and nothing of a disk that cannot be seen', async () => {
  let disk: Awaited<ReturnType<typeof well.freeDiskSpace>> | null = {
    ...(await well.freeDiskSpace()),
    refusesWrites: true,
  };
  const metrics = createMetrics(installationMetrics({ ...well, freeDiskSpace: async () => disk }));
  expect(await linesOf(metrics)).toContain('proofmark_writes_refused 1');
  disk = null;
  expect((await linesOf(metrics)).filter((line) => /_(disk_|writes_)/.test(line))).toEqual([]);
});
