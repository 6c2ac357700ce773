import type { CountTokens } from '@proofmark/domain';
import { compareDocuments } from '@proofmark/report';
import { printJsonOfSuites, printLine, printNotice } from '../../output.ts';
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
  printIfReversed([base.file, timeOf(base)], [compare.file, timeOf(compare)]);
  const compared = sides.map(({ was, is }) => compareDocuments(was, is, countTokens));
  if (flags.json) printJsonOfSuites(compared);
  else {
    for (const [at, one] of compared.entries()) {
      if (at > 0) printLine();
      if (compared.length > 1) printLine(one.suite.name);
      for (const line of runComparisonLines(one, flags.all === true, ability)) printLine(line);
    }
  }
  printNotCompared(base, compare);
  printNotCompared(compare, base);
}

type Launched = readonly [name: string | undefined, createdAt: number | null];

/**
 * A reversed comparison is no error, because a run of an older version may be the later one. Without
 * a name on each side, the order is not the user's.
 */
export function printIfReversed([before, was]: Launched, [after, is]: Launched): void {
  if (before === undefined || after === undefined) return;
  if (was === null || is === null || was <= is) return;
  printNotice(`${before} is newer than ${after}; name the earlier one first.`);
}

function timeOf({ suites: [first] }: TestInFile): number | null {
  return first?.createdAt ?? null;
}

function printNotCompared(test: TestInFile, other: TestInFile): void {
  for (const name of suitesOnlyIn(test, other)) {
    printNotice(`Not compared, because only ${test.file} contains it: ${name}`);
  }
}
