import { documentStatistics } from '@proofmark/report';
import { printJsonOfSuites, printLine } from '../../output.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { runStatisticsLines } from '../../remote/run-statistics.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import {
  decidedIn,
  readTestFile,
  suitesOnlyIn,
  type TestInFile,
} from '../../remote/test-documents.ts';

export async function statisticsOfFiles(
  files: readonly string[],
  flags: { readonly k?: number; readonly json?: true },
): Promise<void> {
  const tests = await Promise.all(files.map(readTestFile));
  const [first] = tests;
  if (first === undefined) return;
  for (const test of tests) refuseOther(first, test);
  const all = first.suites.map(({ key }) => {
    const decided = tests.flatMap((test) => decidedIn(test, key) ?? []);
    return documentStatistics(decided, flags.k ?? null);
  });
  if (flags.json) {
    printJsonOfSuites(all);
    return;
  }
  for (const [at, statistics] of all.entries()) {
    if (at > 0) printLine();
    if (all.length > 1) printLine(statistics.suite.name);
    for (const line of runStatisticsLines(statistics, terminalAbility())) printLine(line);
  }
}

/**
 * Rejects a file whose test ran other suites, because statistics combine only tests of the same
 * suites.
 */
function refuseOther(first: TestInFile, test: TestInFile): void {
  const [missing] = suitesOnlyIn(first, test);
  const [added] = suitesOnlyIn(test, first);
  if (missing === undefined && added === undefined) return;
  const [lacking, holder] = missing === undefined ? [first, test] : [test, first];
  throw new UsageProblem(
    `${lacking.file} does not contain the suite ${JSON.stringify(missing ?? added)} of ${holder.file}; name files of tests of the same suites.`,
  );
}
