/**
 * A reporter for Vitest. Its titles equal those of Vitest's JUnit file, so that both report the
 * same cases.
 */
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import { type ReportResultsOptions, reportResults } from './report-results.ts';
import type { ReportedResult } from './send-report.ts';

export type VitestReporterOptions = Omit<ReportResultsOptions, 'results'>;

export class ProofmarkReporter implements Reporter {
  readonly #options: VitestReporterOptions;

  constructor(options: VitestReporterOptions) {
    this.#options = options;
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
  ): Promise<void> {
    const outside = unhandled.map(({ message }) => stopped('outside any test', message));
    const results = [...modules.flatMap(resultsOf), ...outside];
    await reportResults({ ...this.#options, results });
  }
}

/**
 * Returns the results of a module. A module that could not be loaded ran no test, so it counts for
 * no case.
 */
function resultsOf(module: TestModule): ReportedResult[] {
  const errors = module.errors().map(({ message }) => stopped(module.relativeModuleId, message));
  return [...[...module.children.allTests()].map(resultOf), ...errors];
}

function stopped(caseTitle: string, error: string): ReportedResult {
  return { caseTitle, status: 'setup_failed', error };
}

function resultOf(test: TestCase): ReportedResult {
  const { state, errors = [] } = test.result();
  const caseTitle = `${test.module.relativeModuleId}::${test.fullName}`.slice(0, 1000);
  if (state === 'skipped' || state === 'pending') return { caseTitle, status: 'skipped' };
  const duration = test.diagnostic()?.duration;
  return {
    caseTitle,
    passed: state === 'passed',
    ...(duration !== undefined && { durationMs: Math.round(duration) }),
    ...(errors.length > 0 && { error: errors.map(({ message }) => message).join('\n') }),
  };
}
