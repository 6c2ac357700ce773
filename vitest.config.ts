// Four kinds of tests. Rules need nothing. Tests named *.db.test.ts need PostgreSQL and run on the
// embedded one or, where the system has version 15 or newer, in part on that; the global setup starts a cluster
// only when a test of its project runs. Journeys run the real commands, in processes of their own where it matters; where
// it does not, on a database of the embedded cluster, too.
//
// The files of a project share a few processes, one after the other, because loading the service anew for each file would
// take longer than most of them do. So no file may leave anything behind in its process: no changed environment, working
// folder, clock or module, no timer, no connection. There is one process more than there are cores, since a third of the
// time of a test is waiting (for deadlines, leases, browsers): on two cores, two processes kept 1.5 of them busy, and four
// were no faster than three.
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findBrowser } from './scripts/find-browser.mjs';
import { findSystemPostgres } from './scripts/find-system-postgres.mjs';
import { filesOf } from './scripts/test-sets.mjs';

const sources = [
  'packages/*/src/**/*.test.ts',
  'scripts/*.test.ts',
  'tests/**/*.test.ts',
  'bench/**/*.test.ts',
];
const databaseTests = ['packages/*/src/**/*.db.test.ts', 'tests/**/*.db.test.ts'];
const journeys = ['tests/journeys/**/*.test.ts'];
const never = ['**/node_modules/**', '**/dist/**'];
/** How the embedded cluster is made and kept. */
const embeddedAlone = ['packages/server/src/platform/embedded/**'];
// What a test waits for may take long on a machine that is busy; vitest would give up after a second.
const expect = { poll: { timeout: 20_000 } };
const setupFiles = ['packages/harness/src/every-file.ts'];
const browser = findBrowser({ install: false });
const browserOfJourneys = browser === undefined ? {} : { PROOFMARK_CHROMIUM: browser };
const hasSystemPostgres = findSystemPostgres() !== undefined;

/**
 * `npm test` and its like run rules, embedded database and journeys as one project: each project transforms every module
 * anew and has processes of its own that load it, which for three of them takes a minute of CPU more than for one. Which
 * files that are, `scripts/test-sets.mjs` says.
 */
function together(command: 'every run' | 'rest' | 'all') {
  return {
    test: {
      name: 'together',
      include: filesOf(command),
      exclude: never,
      isolate: false,
      expect,
      setupFiles,
      globalSetup: ['tests/global-setup.ts'],
      env: {
        PROOFMARK_TEST_CLUSTER: hasSystemPostgres ? 'both' : 'embedded',
        ...browserOfJourneys,
      },
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  };
}

/**
 * Where no earlier run has told how long each file takes, vitest begins with the largest, and a small file that takes
 * half a minute may be left over at the end, when the other processes have nothing to do. So these go first, which take
 * long or wait for most of their time; what is left keeps all cores busy.
 */
const takeLong =
  /^(tests\/(journeys|faults|situations|every-operation|every-stage)|packages\/server\/src\/(features|conversation|platform\/(backup|database|http|migrations|work)|outside\/mcp))\//;

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
    projects: projects(process.env['PROOFMARK_TEST_SET']),
  },
});

function projects(command: string | undefined) {
  if (command === undefined) return separate();
  if (command === 'every run' || command === 'rest' || command === 'all') {
    return [together(command)];
  }
  throw new Error(`PROOFMARK_TEST_SET is "every run", "rest" or "all", not "${command}".`);
}

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
        testTimeout: 120_000,
      },
    },
    postgresProject('embedded'),
    ...(hasSystemPostgres ? [postgresProject('system')] : []),
    {
      test: {
        name: 'journeys',
        include: journeys,
        exclude: never,
        isolate: false,
        expect,
        setupFiles,
        globalSetup: ['tests/global-setup.ts'],
        testTimeout: 120_000,
        hookTimeout: 120_000,
        env: { PROOFMARK_TEST_CLUSTER: 'embedded', ...browserOfJourneys },
      },
    },
  ];
}

function postgresProject(cluster: 'embedded' | 'system') {
  return {
    test: {
      name: `postgres-${cluster}`,
      include: databaseTests,
      exclude: [...never, ...journeys, ...(cluster === 'system' ? embeddedAlone : [])],
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
