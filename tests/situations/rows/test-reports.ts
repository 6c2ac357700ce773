/**
 * Test reports of other tools. A failing test must become a failing trial, and a file that could
 * not be loaded a set-up failure.
 */
import { mintUpload, sendFile } from '@proofmark/harness/uploads.ts';
import { report } from '../report.ts';
import type { AskSituation, Theme } from '../situation.ts';

const failure = '<failure message="Expected 4">Expected 4, received 5.</failure>';
const green = 'completed/passed';
const red = 'completed/failed';
const unloaded = 'setup_failed/- setup';

const test = (classname: string, name: string, inner = '') =>
  `<testcase classname="${classname}" name="${name}" time="0.01">${inner}</testcase>`;
const suite = (name: string, ...tests: string[]) =>
  `<testsuite name="${name}" tests="${tests.length}">${tests.join('')}</testsuite>`;

function reads(
  what: string,
  suites: string,
  verdict: string,
  trials: readonly string[],
): AskSituation {
  return {
    name: what,
    expected: { status: 200, verdict, trials: [...trials].sort() },
    ask: async (fixture) => {
      const { artifactId, uploadUrl } = await mintUpload(fixture.service, fixture.tenant, {
        format: 'junit-xml',
      });
      await sendFile(uploadUrl, `<?xml version="1.0"?><testsuites>${suites}</testsuites>`);
      const read = await report(fixture, {
        verdictPolicy: { minCompletionRate: 0.5 },
        artifact: { artifactId, format: 'junit-xml' },
      });
      // A report does not contain the stage at which a test failed, so the stage is not compared.
      const trials = read.trials?.map((facts) =>
        facts.startsWith('completed') ? facts.split(' ')[0] : facts,
      );
      return { ...read, trials };
    },
  };
}

export const testReports: Theme = {
  theme: 'test reports',
  situations: [
    reads('a passing file', suite('sums', test('sums', 'adds')), 'passed', [green]),
    reads(
      'jest-junit by default, with a failing test',
      suite(
        'sums',
        test('sums adds', 'sums adds'),
        test('sums subtracts', 'sums subtracts', failure),
      ),
      'failed',
      [green, red],
    ),
    reads(
      'jest-junit by default, wholly red',
      suite(
        'sums',
        test('sums adds', 'sums adds', failure),
        test('sums subtracts', 'sums subtracts', failure),
      ),
      'failed',
      [red, red],
    ),
    reads(
      'jest-junit by default, one red test of two words',
      suite('sums adds', test('sums adds', 'sums adds', failure)),
      'failed',
      [red],
    ),
    reads(
      'jest-junit of a file that could not be loaded',
      suite('sums', test('sums', 'adds')) +
        suite(
          'src/broken.test.js',
          test('Test suite failed to run', 'src/broken.test.js', failure),
        ),
      'inconclusive',
      [green, unloaded],
    ),
    reads(
      'mocha-junit-reporter, one red test',
      suite('Root Suite') + suite('sums', test('adds', 'sums adds', failure)),
      'failed',
      [red],
    ),
    reads('node --test, one red test', suite('sums', test('test', 'adds', failure)), 'failed', [
      red,
    ]),
    reads(
      'pytest, one red test and one error of its set-up',
      suite(
        'pytest',
        test('tests.test_sums', 'test_adds', failure),
        test(
          'tests.test_sums',
          'test_db',
          '<error message="failed on setup with &quot;E&quot;">fixture</error>',
        ),
      ),
      'failed',
      [red, red],
    ),
    reads(
      'pytest, a file that could not be collected',
      suite(
        'pytest',
        test('', 'tests.test_broken', '<error message="collection failure">ImportError</error>'),
      ),
      'inconclusive',
      [unloaded],
    ),
    reads(
      'unittest, a module that could not be imported',
      suite(
        'unittest',
        test(
          'unittest.loader._FailedTest',
          'tests.broken',
          '<error type="ImportError" message="Failed to import test module: broken">ImportError: Failed to import test module: broken</error>',
        ),
      ),
      'inconclusive',
      [unloaded],
    ),
    reads(
      'Surefire, a class that could not be set up',
      suite('com.acme.SumsTest', test('com.acme.SumsTest', 'initializationError', failure)),
      'inconclusive',
      [unloaded],
    ),
    reads(
      'Surefire, one red test',
      suite('com.acme.SumsTest', test('com.acme.SumsTest', 'adds', failure)),
      'failed',
      [red],
    ),
    reads(
      'gotestsum, a package that does not build',
      suite('acme/sums', test('acme/sums', '[build failed]', failure)),
      'inconclusive',
      [unloaded],
    ),
    reads(
      'gotestsum, one red test',
      suite('acme/sums', test('acme/sums', 'TestAdds', failure)),
      'failed',
      [red],
    ),
    reads(
      'bats, files that could not be gathered',
      suite('sums.bats', test('sums.bats', 'bats-gather-tests', failure)),
      'inconclusive',
      [unloaded],
    ),
    reads(
      'bats, one red test',
      suite('sums.bats', test('sums.bats', 'adds two numbers', failure)),
      'failed',
      [red],
    ),
    reads(
      'CTest, one red test',
      suite('(empty)', test('sums_test', 'sums_test', failure)),
      'failed',
      [red],
    ),
    reads(
      'Vitest, one red test',
      suite('src/sums.test.ts', test('src/sums.test.ts', 'sums &gt; adds', failure)),
      'failed',
      [red],
    ),
    reads(
      'Vitest, a file that could not be loaded',
      suite('src/broken.test.ts', test('src/broken.test.ts', 'src/broken.test.ts', failure)),
      'inconclusive',
      [unloaded],
    ),
    reads(
      'RSpec, one red test and one that was skipped',
      suite(
        'rspec',
        test('spec.sums_spec', 'sums adds', failure),
        test('spec.sums_spec', 'sums later', '<skipped/>'),
      ),
      // A skipped test was not attempted, so the run cannot be decided.
      'inconclusive',
      [red, 'skipped/- setup'],
    ),
    reads(
      'a testcase without a name',
      suite('sums', test('sums', 'adds'), test('sums', '', failure)),
      'inconclusive',
      [green, unloaded],
    ),
    {
      name: 'a test has the same title whether it passed or failed',
      expected: { first: 'sums::adds', second: 'sums::adds' },
      ask: async (fixture) => {
        const titleOf = async (inner: string) => {
          const { artifactId, uploadUrl } = await mintUpload(fixture.service, fixture.tenant, {});
          await sendFile(
            uploadUrl,
            `<testsuites>${suite('sums', test('sums', 'adds', inner))}</testsuites>`,
          );
          const read = await report(fixture, { artifact: { artifactId, format: 'junit-xml' } });
          return read.seen?.trials[0].title;
        };
        return { first: await titleOf(''), second: await titleOf(failure) };
      },
    },
  ],
};
