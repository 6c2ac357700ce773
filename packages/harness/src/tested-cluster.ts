/** Which PostgreSQL the test file that runs now is tested on. */
import { expect } from 'vitest';

/**
 * Where `npm test` has both clusters, each file runs on one. On the system's, which may be the older one, run the files
 * that speak SQL of their own or depend on how the database locks, leases, partitions, dumps and reports failures, and
 * one valid call of every operation, so that every operation's statements are spoken to that version. All others run on
 * the embedded one; `npm run test:postgres` runs all of them on the system's.
 */
const onSystem = [
  /^packages\/server\/src\/(main|queue|work)\//,
  /^packages\/server\/src\/storage\/(?!embedded\/|migrations\/upgrades\.)/,
  /^packages\/server\/src\/actions\/eval-ingest\/eval-ingest-(again|batches)\./,
  /^packages\/server\/src\/actions\/eval-runs\/(decision-summary-pages|delete-eval-run|dropped-month)\./,
  /^packages\/server\/src\/actions\/eval-runs\/(eval-run-races|trial-filter)\./,
  // The operations of the console, which are not among the valid calls.
  /^packages\/server\/src\/actions\/(api-keys|audit-log|health|members|models)\//,
  /^packages\/server\/src\/http\/(failures|full-disk)\./,
  /^packages\/server\/src\/worker\/(housekeeping|judge-trials|restored-runs|retention)/,
  /^packages\/server\/src\/worker\/(shared-places|start-worker|trial-writer|watchdog)\./,
  /^tests\/every-operation\/valid-calls\./,
];

const root = new URL('../../../', import.meta.url).pathname;

export function testedCluster(): 'embedded' | 'system' {
  const asked = process.env['PROOFMARK_TEST_CLUSTER'];
  if (asked !== 'both') return asked === 'system' ? 'system' : 'embedded';
  const file = expect.getState().testPath?.slice(root.length) ?? '';
  return onSystem.some((pattern) => pattern.test(file)) ? 'system' : 'embedded';
}
