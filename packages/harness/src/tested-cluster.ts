import { expect } from 'vitest';

/**
 * The test files that `npm test` runs on the system's PostgreSQL, if present; all others run on the
 * embedded one. The system's version may be older, so these files cover what depends on the
 * version: SQL, locks, leases, partitions, dumps, database failures, and one valid call of every
 * operation.
 */
const onSystem = [
  /^packages\/server\/src\/main\/[^/]*$/,
  /^packages\/server\/src\/platform\/(?!embedded\/|migrations\/upgrades\.|http\/)/,
  /^packages\/server\/src\/features\/[^/]+\/store\//,
  /\/eval-ingest-(again|batches)\./,
  /\/(decision-summary-pages|delete-eval-run|dropped-month|eval-run-races|trial-filter)\./,
  // These operations are called only by the console, and the test with one valid call of every
  // operation omits them.
  /^packages\/server\/src\/features\/(accounts|health|models)\//,
  /^packages\/server\/src\/platform\/http\/(failures|full-disk)\./,
  /\/(housekeeping|judge-trials|restored-runs|retention|retention-failures)\.db\./,
  /\/(limit-shares|shared-limit|start-worker|trial-writer|end-overdue-runs)\.db\./,
  /^tests\/every-operation\/valid-calls\./,
];

const root = new URL('../../../', import.meta.url).pathname;

export function testedCluster(): 'embedded' | 'system' {
  const asked = process.env['PROOFMARK_TEST_CLUSTER'];
  if (asked !== 'both') return asked === 'system' ? 'system' : 'embedded';
  const file = expect.getState().testPath?.slice(root.length) ?? '';
  return onSystem.some((pattern) => pattern.test(file)) ? 'system' : 'embedded';
}
