import { isRecord } from '@proofmark/domain';
import { type BadgeContent, badgeSvg, testDocumentFormat } from '@proofmark/report';
import { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { remotely } from '../remote/connection.ts';
import { exitCodes, UsageProblem } from '../remote/exit-codes.ts';
import { readGivenFile } from '../remote/read-given-file.ts';
import { writeReport } from './test/test-reports.ts';

export function badgeCommand(): Command {
  return withExamples(
    new Command('badge')
      .description('draw the verdict of a test as SVG, for a README')
      .argument('<file>', 'what `proofmark test --json FILE` wrote (- for standard input)')
      .option('-o, --output <file>', 'write it to a file instead of standard output')
      .action((file: string, { output }: { readonly output?: string }) =>
        remotely(async () => {
          const content = readBadgeContent(file, await readGivenFile(file));
          await writeReport(badgeSvg(content), output ?? '-');
          return exitCodes.passed;
        }),
      ),
    'proofmark badge report/test.json -o badge.svg',
    'proofmark test --json - | proofmark badge - > badge.svg',
  );
}

export function readBadgeContent(file: string, text: string): BadgeContent {
  const read = parsed(text);
  const suites = isRecord(read) && Array.isArray(read['suites']) ? read['suites'] : [];
  const verdict = isRecord(read) ? verdicts.find((one) => one === read['verdict']) : undefined;
  const isTest = isRecord(read) && read['format'] === testDocumentFormat && read['version'] === 1;
  if (!isTest || verdict === undefined || !suites.every(isSuite)) {
    throw new UsageProblem(
      `${file} was not written by \`proofmark test --json FILE\` of this version; name such a file.`,
    );
  }
  const sum = (of: 'passed' | 'total') => suites.reduce((all, { counts }) => all + counts[of], 0);
  return {
    verdict,
    passed: sum('passed'),
    total: sum('total'),
    suites: suites.map(({ suite }) => suite),
  };
}

const verdicts = ['passed', 'failed', 'inconclusive'] as const;

interface CountedSuite {
  readonly suite: string;
  readonly counts: { readonly passed: number; readonly total: number };
}

function isSuite(value: unknown): value is CountedSuite {
  if (!isRecord(value) || typeof value['suite'] !== 'string') return false;
  const { counts } = value;
  return isRecord(counts) && isCount(counts['passed']) && isCount(counts['total']);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
