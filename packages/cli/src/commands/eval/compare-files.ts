import type { CountTokens } from '@proofmark/domain';
import { compareDocuments } from '@proofmark/report';
import { printJson, printLine, printNotice } from '../../output.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { runComparisonLines } from '../../remote/run-comparison.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import {
  decidedIn,
  readTestFile,
  suitesOnlyIn,
  type TestInFile,
} from '../../remote/test-documents.ts';

/**
 * Loads the tokenizer. The light command, the download without the server's code, does not contain
 * it.
 */
export type LoadTokenCounter = () => Promise<CountTokens>;

export async function compareFiles(
  [baseFile = '', compareFile]: readonly string[],
  flags: { readonly all?: true; readonly json?: true },
  loadTokenCounter: LoadTokenCounter | undefined,
): Promise<void> {
  if (compareFile === undefined) {
    throw new UsageProblem(`Name a second file after ${baseFile} to compare it with.`);
  }
  const base = await readTestFile(baseFile);
  const compare = await readTestFile(compareFile);
  const sides = compare.suites.flatMap(({ key }) => {
    const was = decidedIn(base, key);
    const is = decidedIn(compare, key);
    return was && is ? [{ was, is }] : [];
  });
  if (sides.length === 0) {
    throw new UsageProblem(
      `${baseFile} and ${compareFile} have no suite in common; name two tests of the same suite.`,
    );
  }
  const countTokens = await loadTokenCounter?.();
  const ability = terminalAbility();
  printOrderNotice(base, compare);
  for (const [at, { was, is }] of sides.entries()) {
    const compared = compareDocuments(was, is, countTokens);
    if (flags.json) {
      printJson(compared);
      continue;
    }
    if (at > 0) printLine();
    if (sides.length > 1) printLine(is.suite.suite);
    for (const line of runComparisonLines(compared, flags.all === true, ability)) printLine(line);
  }
  printNotCompared(base, compare);
  printNotCompared(compare, base);
}

function printOrderNotice(base: TestInFile, compare: TestInFile): void {
  const [was, is] = [timeOf(base), timeOf(compare)];
  if (was === null || is === null || was <= is) return;
  printNotice(`The base ${base.file} is newer than ${compare.file}; name the earlier test first.`);
}

function timeOf({ suites: [first] }: TestInFile): number | null {
  return first?.createdAt ?? null;
}

function printNotCompared(test: TestInFile, other: TestInFile): void {
  for (const name of suitesOnlyIn(test, other)) {
    printNotice(`Not compared, because only ${test.file} contains it: ${name}`);
  }
}
