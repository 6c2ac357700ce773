// Four kinds of tests. Rules need nothing. Tests named *.db.test.ts need PostgreSQL and run on the
// embedded one and, where the system has version 15 or newer, in part on that too; the global setup of these
// two starts a cluster only when a test of theirs runs. Journeys start the real commands.
//
// The files of a project share a few processes, one after the other, because loading the service anew for each file would
// take longer than most of them do. So no file may leave anything behind in its process: no changed environment, working
// folder, clock or module, no timer, no connection. There is one process more than there are cores, since a third of the
// time of a test is waiting (for deadlines, leases, browsers): on two cores, two processes kept 1.5 of them busy.
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findBrowser } from './scripts/find-browser.mjs';
import { findSystemPostgres } from './scripts/find-system-postgres.mjs';

const sources = [
  'packages/*/src/**/*.test.ts',
  'scripts/*.test.ts',
  'tests/**/*.test.ts',
  'bench/**/*.test.ts',
];
const databaseTests = ['packages/*/src/**/*.db.test.ts', 'tests/**/*.db.test.ts'];
const journeys = ['tests/journeys/**/*.test.ts'];
const never = ['**/node_modules/**', '**/dist/**'];
// What a test waits for may take long on a machine that is busy; vitest would give up after a second.
const expect = { poll: { timeout: 20_000 } };
const setupFiles = ['packages/harness/src/fixed-seed.ts'];
/**
 * Tests that say nothing about PostgreSQL, or the same about every version of it: those that start clusters of their
 * own, the long walks and races, hostile servers and networks, lost connections, how report files and broken documents
 * are read, what a trial comes to, what is decided before or after a row is read (limits of requests, passwords, tokens,
 * ids of content), and what holds for every operation alike. Writing and reading of each kind is tested on both.
 */
const sameOnEveryCluster = [
  'packages/server/src/storage/embedded/**',
  'packages/server/src/storage/migrations/upgrades.db.test.ts',
  'packages/server/src/actions/clients/{clients-config-id,clients-race}.db.test.ts',
  'packages/server/src/actions/eval-runs/{decision-summary-walk,unreadable-documents}.db.test.ts',
  'packages/server/src/actions/servers/{diagnostics*,grant-tokens,oauth-tokens}.db.test.ts',
  'packages/server/src/actions/eval-suites/eval-suite-files.db.test.ts',
  'packages/server/src/actions/eval-ingest/{read-artifact,eval-ingest-artifact}.db.test.ts',
  'packages/server/src/http/{sign-in,slow-operations}.db.test.ts',
  'packages/server/src/worker/{client-config,echoed-secrets,failure-kinds,isolation,attempts}.db.test.ts',
  'packages/server/src/worker/{interleavings,server-requests,stopped-judging,suite-settings,warnings}.db.test.ts',
  'packages/server/src/worker/{bounds-of-all,full-disk,insight-generations,narrate-insights,saved-models}.db.test.ts',
  'packages/server/src/worker/spending.db.test.ts',
  'packages/server/src/actions/{agent,eval-run-groups,quotas}/**',
  'packages/server/src/actions/eval-suites/{generate-eval-cases,generation-kills}.db.test.ts',
  'tests/every-operation/{capabilities,every-operation,ids-in-bodies,key-scopes,outbound-operations}.db.test.ts',
  'tests/every-stage/**',
  'tests/situations/**',
  'tests/faults/{cursors,egress-namespace,egress-oracle,hostile-clients}.db.test.ts',
  'tests/faults/{hostile-servers,ingestion-starts,log-injection,noisy-neighbour}.db.test.ts',
  'tests/faults/{rate-limit,security-headers}.db.test.ts',
  'tests/faults/{silent-database,lost-connection,proxy-namespace}.db.test.ts',
];
/**
 * What `npm test` runs on the system's PostgreSQL: the tests that speak SQL of their own or depend on how the database
 * locks, leases, partitions, dumps and reports failures, and one valid call of every operation, so that every operation's
 * statements are spoken to that version too. What else its callers decide is decided by the same code on either cluster;
 * `npm run test:postgres` runs all of it there.
 */
const withSqlOfTheirOwn = [
  'packages/server/src/{main,queue,storage,work}/**/*.db.test.ts',
  'packages/server/src/actions/eval-ingest/{eval-ingest-again,eval-ingest-batches}.db.test.ts',
  'packages/server/src/actions/eval-runs/{decision-summary-pages,delete-eval-run,dropped-month}.db.test.ts',
  'packages/server/src/actions/eval-runs/{eval-run-races,trial-filter}.db.test.ts',
  // The operations of the console, which are not among the valid calls.
  'packages/server/src/actions/{api-keys,audit-log,health,members,models}/*.db.test.ts',
  'packages/server/src/http/{failures,full-disk}.db.test.ts',
  'packages/server/src/worker/{housekeeping,judge-trials,restored-runs,retention*}.db.test.ts',
  'packages/server/src/worker/{shared-places,start-worker,trial-writer,watchdog}.db.test.ts',
  'tests/every-operation/valid-calls.db.test.ts',
];
const testsOnSystem =
  process.env['PROOFMARK_SYSTEM_TESTS'] === 'all' ? databaseTests : withSqlOfTheirOwn;
const browser = findBrowser({ install: false });
const browserOfJourneys = browser === undefined ? {} : { PROOFMARK_CHROMIUM: browser };
const systemProjects = findSystemPostgres() === undefined ? [] : [postgresProject('system')];

/**
 * `npm test` runs rules, embedded database and journeys as one project: each project transforms every module anew and
 * has processes of its own that load it, which for three of them takes a minute of CPU more than for one.
 */
const together = {
  test: {
    name: 'together',
    include: sources,
    exclude: never,
    isolate: false,
    expect,
    setupFiles,
    globalSetup: ['tests/global-setup.ts'],
    env: { PROOFMARK_TEST_CLUSTER: 'embedded', ...browserOfJourneys },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
};

/**
 * Where no earlier run has told how long each file takes, vitest begins with the largest, and a small file that takes
 * half a minute may be left over at the end, when the other processes have nothing to do. So these go first.
 */
const takeLong =
  /^(tests\/(journeys|faults|situations|every-operation|every-stage)|packages\/server\/src\/(storage|worker))\//;

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      takeLong.test(path.relative(this.ctx.config.root, moduleId));
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}

export default defineConfig({
  test: {
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFilesFirst },
    // By what is in a file, so that the second project, and the next run, transform only what is new.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    projects:
      process.env['PROOFMARK_TEST_TOGETHER'] === undefined
        ? separate()
        : [together, ...systemProjects],
  },
});

function separate() {
  return [
    {
      test: {
        name: 'rules',
        include: sources,
        exclude: [...never, ...databaseTests, ...journeys],
        isolate: false,
        expect,
        setupFiles,
        testTimeout: 30_000,
      },
    },
    postgresProject('embedded'),
    ...systemProjects,
    {
      test: {
        name: 'journeys',
        include: journeys,
        exclude: never,
        isolate: false,
        expect,
        globalSetup: ['tests/global-setup.ts'],
        testTimeout: 120_000,
        hookTimeout: 120_000,
        env: browserOfJourneys,
      },
    },
  ];
}

function postgresProject(cluster: 'embedded' | 'system') {
  return {
    test: {
      name: `postgres-${cluster}`,
      include: cluster === 'system' ? testsOnSystem : databaseTests,
      exclude: [...never, ...journeys, ...(cluster === 'system' ? sameOnEveryCluster : [])],
      isolate: false,
      expect,
      setupFiles,
      globalSetup: ['tests/global-setup.ts'],
      env: { PROOFMARK_TEST_CLUSTER: cluster },
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  };
}
