import { appendFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '@proofmark/domain';
import {
  type CiResults,
  mergeSarif,
  pullRequestMark,
  pullRequestReport,
  readCiResults,
  readConformance,
  runPage,
  workflowCommand,
} from '@proofmark/report';
import { Command, InvalidArgumentError } from 'commander';
import { withExamples } from '../../examples.ts';
import { printLine, printNotice } from '../../output.ts';
import { remotely } from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { GithubRefusal, githubPull, writeComment } from '../../remote/github.ts';
import { readAtCommit } from '../../trust/read-at-commit.ts';

interface Flags {
  readonly exitCode: number;
  readonly base?: string;
  readonly service?: string;
  readonly comment: boolean;
}

export function reportCiCommand(): Command {
  return withExamples(
    new Command('ci')
      .description(
        'in a CI job: make one report of what `lint` and `test` wrote; in a GitHub workflow also a step summary, annotations, and one comment that is kept up to date',
      )
      .argument('[folder]', 'folder with test.json and lint.json', 'proofmark-report')
      .requiredOption('--exit-code <number>', 'the exit code of the job', readExitCode)
      .option('--base <commit>', 'commit whose pinned tools the tools are compared with')
      .option('--service <url>', 'address of the service that took the results')
      .option('--no-comment', 'write no comment')
      .action((folder: string, flags: Flags) => remotely(() => report(folder, flags))),
    'proofmark report ci --exit-code 1',
    'proofmark report ci proofmark-report --exit-code 0 --base origin/main',
  );
}

async function report(folder: string, flags: Flags): Promise<number> {
  await mkdir(folder, { recursive: true });
  const read = (name: string) => readJson(path.join(folder, name));
  const [test, lint, baseLint] = [
    await read('test.json'),
    await read('lint.json'),
    await read('base-lint.json'),
  ];
  const log = await readFile(path.join(folder, 'log.txt'), 'utf8').catch(() => undefined);
  const pins = flags.base === undefined ? [] : await pinsAt(flags.base, test);
  const page = pageOf(await read('kept.json'), flags.service);
  const conformance = await conformanceIn(folder);
  const results = readCiResults(
    { test, lint, base: baseLint, conformance, pins, log },
    { exitCode: flags.exitCode, page },
  );
  const text = pullRequestReport(results);
  const plain = text.slice(pullRequestMark.length).trimStart();
  const logs = [await read('lint.sarif'), await read('test.sarif')];
  const sarif = mergeSarif(logs);
  const write = (name: string, content: string) => writeFile(path.join(folder, name), content);
  await write('report.md', plain);
  await write('summary.json', `${JSON.stringify(summaryOf(results, flags.exitCode), null, 2)}\n`);
  if (sarif !== undefined) await write('proofmark.sarif', `${JSON.stringify(sarif, null, 2)}\n`);
  const summaryFile = process.env['GITHUB_STEP_SUMMARY'];
  if (summaryFile) appendFileSync(summaryFile, plain);
  if (process.env['GITHUB_ACTIONS'] === 'true') annotate(results);
  if (flags.comment) await comment(text);
  printNotice(`${results.headline} (reports: ${folder})`);
  return exitCodes.passed;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** `ci.sh` writes the exit code of the command, or `leftOut` if a replay leaves the suite out. */
async function conformanceIn(folder: string): Promise<CiResults['conformance']> {
  const ended = await readFile(path.join(folder, 'conformance-end.txt'), 'utf8').catch(() => '');
  if (ended.trim() === 'leftOut') return 'leftOut';
  if (ended === '') return undefined;
  const scenarios = readConformance(await readJson(path.join(folder, 'conformance.json')));
  return { scenarios, exitCode: Number(ended.trim() || '3') };
}

async function pinsAt(commit: string, test: unknown): Promise<unknown[]> {
  const suites = isRecord(test) && Array.isArray(test['suites']) ? test['suites'] : [];
  const files = suites.flatMap((suite: unknown) =>
    isRecord(suite) && typeof suite['file'] === 'string' ? [suite['file']] : [],
  );
  const folders = [...new Set(['.', 'proofmark', ...files.map((file) => path.dirname(file))])];
  const names = await Promise.all(
    folders.map(async (folder) => {
      const files = await readdir(folder).catch(() => []);
      return files
        .filter((file) => file.endsWith('.surface.json'))
        .map((file) => `${folder}/${file}`);
    }),
  );
  return names.flat().flatMap((file) => {
    try {
      const text = readAtCommit(file, commit);
      return text === undefined ? [] : [JSON.parse(text) as unknown];
    } catch {
      return [];
    }
  });
}

function pageOf(kept: unknown, service: string | undefined): string | undefined {
  if (service === undefined || !isRecord(kept)) return undefined;
  const { runId, projectId } = kept;
  if (typeof runId !== 'string' || typeof projectId !== 'string') return undefined;
  return runPage({ baseUrl: service.replace(/\/+$/, ''), projectId }, runId);
}

function readExitCode(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give the exit code of a program, such as 0.');
}

function summaryOf(results: CiResults, exitCode: number): object {
  const { verdict, headline, cases, findings, tokens, page } = results;
  const of = (outcome: string) => cases.filter((one) => one.outcome === outcome).length;
  const found = (severity: string) =>
    findings?.filter((one) => one.severity === severity).length ?? null;
  return {
    verdict,
    exitCode,
    headline,
    cases: {
      total: cases.length,
      passed: of('passed'),
      failed: of('failed'),
      inconclusive: of('inconclusive'),
    },
    lint: { errors: found('error'), warnings: found('warn') },
    ...(tokens && { surfaceTokens: tokens.reduce((sum, one) => sum + one.tokens, 0) }),
    ...(page !== undefined && { url: page }),
  };
}

/** GitHub shows at most this many annotations of one level for a step. */
const mostAnnotations = 10;

function annotate({ verdict, headline, cases }: CiResults): void {
  const red = cases.filter(({ outcome, isQuarantined }) => outcome !== 'passed' && !isQuarantined);
  const whole = { passed: 'notice', failed: 'error' } as const;
  const level = verdict === 'passed' || verdict === 'failed' ? whole[verdict] : 'warning';
  printLine(workflowCommand(level, 'Proofmark', headline));
  for (const one of red.slice(0, mostAnnotations - 1)) {
    const message = [one.why, one.nextAction].filter((text) => text !== undefined).join('\n');
    const place = { file: inRepository(one.file), line: one.line };
    printLine(
      workflowCommand(one.outcome === 'failed' ? 'error' : 'warning', one.name, message, place),
    );
  }
}

/** GitHub expects paths relative to the repository's root, but a job may run in a subfolder. */
function inRepository(file: string): string {
  const root = process.env['GITHUB_WORKSPACE'];
  return root ? path.relative(root, path.resolve(file)).split(path.sep).join('/') : file;
}

async function comment(text: string): Promise<void> {
  const pull = githubPull(process.env);
  if (pull === undefined) return;
  try {
    const { address } = await writeComment(pull, pullRequestMark, text);
    printNotice(`commented ${address}`);
  } catch (error) {
    // The token of a fork's pull request has no permission to comment. A missing comment does not
    // change the job's result.
    const { message } = error as Error;
    if (!(error instanceof GithubRefusal)) printNotice(`no comment: ${message}`);
    else printLine(workflowCommand('warning', 'Proofmark', message));
  }
}
