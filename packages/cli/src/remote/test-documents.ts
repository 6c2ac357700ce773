import { existsSync } from 'node:fs';
import { type DecidedInFile, readTestDocument, type SuiteOfDocument } from '@proofmark/report';
import { UsageProblem } from './exit-codes.ts';
import { readGivenFile } from './read-given-file.ts';

export interface TestInFile {
  readonly file: string;
  readonly suites: readonly SuiteOfDocument[];
}

/**
 * Whether the words name files instead of runs. A mixture is rejected, because cases of a run
 * cannot be matched with cases of a file.
 */
export function nameFiles(words: readonly string[]): boolean {
  const files = words.filter((word) => /\.json$/i.test(word) || existsSync(word));
  if (files.length === 0) return false;
  const run = words.find((word) => !files.includes(word));
  if (run === undefined) return true;
  throw new UsageProblem(
    `${files[0]} is a file and ${run} is not; name runs of a service, or files that \`proofmark test --json FILE\` wrote.`,
  );
}

export async function readTestFile(file: string): Promise<TestInFile> {
  const suites = readTestDocument(await readGivenFile(file));
  if (suites !== undefined && suites.length > 0) return { file, suites };
  throw new UsageProblem(
    `${file} was not written by \`proofmark test --json FILE\` of this version; name such a file.`,
  );
}

export function decidedIn({ file, suites }: TestInFile, key: string): DecidedInFile | undefined {
  const suite = suites.find((one) => one.key === key);
  if (suite === undefined) return undefined;
  const { decision } = suite;
  if (decision !== undefined) return { file, suite, decision };
  throw new UsageProblem(
    `${file} holds no decided cases of ${JSON.stringify(suite.suite)}, because its run did not end; test it again.`,
  );
}

export function suitesOnlyIn(test: TestInFile, other: TestInFile): string[] {
  const keys = other.suites.map(({ key }) => key);
  return test.suites.flatMap(({ key, suite }) => (keys.includes(key) ? [] : [suite]));
}
