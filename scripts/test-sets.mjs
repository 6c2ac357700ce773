// The test files that `npm test` runs. Every test file belongs to one of three sets:
// - rules: needs neither a database nor a browser nor the command. All of them run every time,
//   except a few long ones.
// - every run: the files named here. They contain one database test of every operation and of every
//   promise in docs/reference/promises.md that has one, and eight journeys.
// - rest: all others. `npm run test:all` runs them, and so does `.ci/run` after `npm test`, with
//   `PROOFMARK_REST=1`. Files with a unique name are listed without their folder, so that they may
//   be moved.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const databaseTests = [
  // Makes a valid call of every operation, generated from the rows of the contract.
  'valid-calls.db.test.ts',
  'every-operation.db.test.ts',
  'ids-in-bodies.db.test.ts',
  'key-scopes.db.test.ts',
  'visit-operations.db.test.ts',
  'outbound-operations.db.test.ts',
  'capabilities.db.test.ts',
  'tests/every-operation/silent-database.db.test.ts',
  // Sections A and B of docs/reference/promises.md: exposure, organizations and roles.
  'security-headers.db.test.ts',
  'hostile-clients.db.test.ts',
  'tenants.db.test.ts',
  'callers.db.test.ts',
  'gate-waivers.db.test.ts',
  // Section C of promises.md: calls of external servers.
  'egress-namespace.db.test.ts',
  'hostile-servers.db.test.ts',
  'diagnostics-errors.db.test.ts',
  'egress-oracle.db.test.ts',
  // Section D of promises.md: limits, and concurrent use.
  'rate-limits.db.test.ts',
  'rate-limit.db.test.ts',
  'eval-run-races.db.test.ts',
  'eval-run-launch.db.test.ts',
  'cursors.db.test.ts',
  'decision-summary-pages.db.test.ts',
  'clients-race.db.test.ts',
  // E: secrets.
  'oauth-tokens.db.test.ts',
  'oauth-grants.db.test.ts',
  'model-providers.db.test.ts',
  'change-key.db.test.ts',
  'start-worker.db.test.ts',
  // Removal of data by retention.
  'retention.db.test.ts',
  // Section F of promises.md: reported results.
  'eval-ingest-batches.db.test.ts',
  'eval-ingest-report.db.test.ts',
  'eval-ingest-bounds.db.test.ts',
  'artifacts.db.test.ts',
  // Sections G and L of promises.md: visitors.
  'publishing.db.test.ts',
  'visitor-turns.db.test.ts',
  'visits.db.test.ts',
  'visit-places.db.test.ts',
  'visit-brakes.db.test.ts',
  'forget-visits.db.test.ts',
  // Section H of promises.md: models and their cost.
  'injected-orders.db.test.ts',
  'paying-models.db.test.ts',
  // Sections I and K of promises.md: work, failures, operating the service.
  'failure-kinds.db.test.ts',
  'leased-work.db.test.ts',
  'lost-connection.db.test.ts',
  'http/full-disk.db.test.ts',
  'wrong-clock.db.test.ts',
  'migrate.db.test.ts',
  'backup-and-restore.db.test.ts',
  'proxy-namespace.db.test.ts',
  'data-lock.db.test.ts',
  'members.db.test.ts',
  'echoed-secrets.db.test.ts',
  'sign-in.db.test.ts',
  'service-role.db.test.ts',
  // Section J of promises.md: the content of the log.
  'log-injection.db.test.ts',
  // Sections N and Q of promises.md: tools over MCP, and tools held for writing.
  'many-sessions.db.test.ts',
  'mcp-route.db.test.ts',
  'refused-calls.db.test.ts',
  'held-tools.db.test.ts',
];

const smokeJourneys = {
  start: 'serve.test.ts',
  'sign in': 'console.test.ts',
  'run page': 'run-page.test.ts',
  'suite edit': 'console-suite.test.ts',
  'share link': 'user-testing.test.ts',
  test: 'test-command.test.ts',
  replay: 'test-recordings.test.ts',
  'two services': 'two-services.test.ts',
};

/**
 * Long tests without a database. They belong to the set `rest`, since they install packages, race
 * processes or check documents.
 */
const longRules = ['prepare.test.ts', 'data-directory-lock.test.ts', 'openapi-linters.test.ts'];

export const namedFiles = [...databaseTests, ...Object.values(smokeJourneys), ...longRules];

/**
 * Promises whose database tests all belong to the rest, with the reason.
 * @type {Readonly<Record<string, string>>}
 */
export const promisesOfRest = {
  C16: 'has to be served before the deadline of 50 hanging servers, which a busy machine may miss',
  F1: 'starts 10,000 runs',
  I2: 'plays 300 interleavings',
  K4: 'starts databases as users without rights',
  Q3: 'makes and plays every mutant of a suite',
};

export function testFiles(folder = root) {
  return ['packages', 'scripts', 'tests', 'bench']
    .flatMap((part) =>
      readdirSync(path.join(folder, part), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
        .map((entry) =>
          path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
        ),
    )
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
    .sort();
}

/**
 * Returns the files that run on every supported version of Node: the smoke journeys, and the tests
 * of a first suite, of a CI job without a service, of the screens of all commands, and of the
 * conformance suite, whose newest version runs only on newer ones.
 */
export function filesOnVersions(files = testFiles()) {
  const others = [
    'first-suites.test.ts',
    'ci-job.test.ts',
    'command-screens.test.ts',
    'tests/journeys/conformance.test.ts',
  ];
  const names = [...Object.values(smokeJourneys), ...others];
  return files.filter((file) => isJourney(file) && names.some((name) => isNamed(file, name)));
}

/** @returns {'rules' | 'every run' | 'rest'} */
export function setOf(file) {
  const isIn = (names) => names.some((name) => isNamed(file, name));
  if (isJourney(file)) return isIn(Object.values(smokeJourneys)) ? 'every run' : 'rest';
  if (file.endsWith('.db.test.ts')) return isIn(databaseTests) ? 'every run' : 'rest';
  return isIn(longRules) ? 'rest' : 'rules';
}

export function isNamed(file, name) {
  return file === name || file.endsWith(`/${name}`);
}

export function isJourney(file) {
  return file.startsWith('tests/journeys/');
}

/**
 * Returns the files of a command: `npm test` runs the rules and the files of every run, `test:rest`
 * the rest, `test:all` everything.
 * @param {'every run' | 'rest' | 'all'} command
 */
export function filesOf(command, files = testFiles()) {
  if (command === 'all') return files;
  return files.filter((file) => (setOf(file) === 'rest') === (command === 'rest'));
}
