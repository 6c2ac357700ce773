/**
 * The choice of PostgreSQL cluster for the current test file: the installed ("system") or the
 * embedded one.
 */
import { expect } from 'vitest';

/**
 * The files that run on the system's PostgreSQL, which may be an older version, if `npm test` has
 * both. They cover what depends on the version: files with their own SQL, files about locks,
 * leases, partitions, dumps and database failures, and one valid call of every operation, so that
 * all statements run there. All other files run on the embedded PostgreSQL. `npm run test:postgres`
 * runs every file on the system's.
 */
const onSystem = [
  /^packages\/server\/src\/main\/[^/]*$/,
  /^packages\/server\/src\/platform\/(?!embedded\/|migrations\/upgrades\.|http\/)/,
  /^packages\/server\/src\/features\/[^/]+\/store\//,
  /\/eval-ingest-(again|batches)\./,
  /\/(decision-summary-pages|delete-eval-run|dropped-month|eval-run-races|trial-filter)\./,
  // Operations that only the console calls; the test of valid calls does not include them.
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
