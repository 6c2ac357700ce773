/**
 * A reporter for Vitest. It uses the same titles as Vitest's JUnit file, so that results from both
 * sources belong to the same cases.
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
 * If a module could not be loaded, none of its tests ran. The module's error is then reported as a
 * failed set-up under the module's name.
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
