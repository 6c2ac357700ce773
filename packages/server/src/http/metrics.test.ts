import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('each request is in the bucket of its time and in all longer ones, by operation, method and status', async () => {
  const times = createMetrics();
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
