/** The PostgreSQL cluster of the current test file. */
import { expect } from 'vitest';

/**
 * Files that run on the system's cluster. If `npm test` has both clusters, each file runs on one.
 * On the system's, which may be older, run the files with their own SQL or that depend on how the
 * database locks, leases, partitions, dumps and reports failures, and one valid call of every
 * operation, so that every operation's statements run on that version. All others run on the
 * embedded one; `npm run test:postgres` runs all of them on the system's.
 */
const onSystem = [
  /^packages\/server\/src\/main\/[^/]*$/,
  /^packages\/server\/src\/platform\/(?!embedded\/|migrations\/upgrades\.|http\/)/,
  /^packages\/server\/src\/features\/[^/]+\/store\//,
  /\/eval-ingest-(again|batches)\./,
  /\/(decision-summary-pages|delete-eval-run|dropped-month|eval-run-races|trial-filter)\./,
  // The console's operations, which are not among the valid calls.
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
