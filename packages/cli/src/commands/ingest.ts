import { createHash } from 'node:crypto';
import { sendReport } from '@proofmark/client';
import {
  canonicalJson,
  grouped,
  maxDistinctCases,
  type ReportFormat,
  reportFormats,
  type SkippedRule,
  skippedRules,
} from '@proofmark/domain';
import { gateOfDecision } from '@proofmark/report';
import { type Command, Option } from 'commander';
import { withExamples } from '../examples.ts';
import { printJson, printNotice } from '../output.ts';
import { ciJob } from '../remote/ci-job.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../remote/connection.ts';
import { decisionText } from '../remote/decision-text.ts';
import { exitCodes } from '../remote/exit-codes.ts';
import { fetchDecision } from '../remote/fetch-decision.ts';
import { gateText } from '../remote/gate-text.ts';
import { type PassRate, passRateHelp, readPassRate } from '../remote/pass-rate-flag.ts';
import { readReportFiles } from '../remote/read-report-files.ts';
import { terminalAbility } from '../remote/terminal.ts';

interface Flags extends ConnectionFlags {
  readonly suite: string;
  readonly format?: ReportFormat;
  readonly runId?: string;
  readonly minPassRate?: PassRate;
  readonly skipped: SkippedRule;
  readonly gate: boolean;
  readonly json?: true;
}

/**
 * Longest time to wait when the service reports a reached limit. Rate limits end sooner. A daily
 * quota can take longer, so the command then fails.
 */
const mostWaitMs = 15 * 60_000;

export function ingestCommand(): Command {
  return withExamples(
    remoteCommand('ingest')
      .description(
        'report files of test runners as one run and exit like `eval gate`; run it again to continue',
      )
      .argument('<files...>', 'JUnit, Jest or Vitest files')
      .requiredOption('--suite <name>', 'the suite of the results')
      .addOption(
        new Option('--format <format>', 'the format (default: detected)').choices(reportFormats),
      )
      .option('--run-id <id>', 'your id for the run (default: from the files and the CI job)')
      .option('--min-pass-rate <rate>', passRateHelp, readPassRate)
      .addOption(
        new Option(
          '--skipped <rule>',
          'how a skipped test counts; inconclusive: no verdict if it could change it',
        )
          .choices(skippedRules)
          .default('inconclusive' satisfies SkippedRule),
      )
      .option('--no-gate', 'exit with 0 for every verdict')
      .option('--json', 'print the run, its verdict and its results as JSON')
      .action((files: string[], flags: Flags) => remotely(() => ingest(files, flags))),
    'proofmark ingest results.xml --suite "Order desk"',
    'proofmark ingest reports/*.xml --suite unit --min-pass-rate 95',
    'proofmark ingest vitest.json --suite unit --skipped ignore',
    'proofmark ingest vitest.json --suite unit --no-gate --json',
  );
}

async function ingest(files: readonly string[], flags: Flags): Promise<number> {
  const results = await readReportFiles(files, flags.format);
  const connection = await connectToService(flags, {
    maxRetries: 6,
    limitPatience: { mostMs: mostWaitMs, onWait: printWait },
  });
  const ci = ciJob(process.env);
  const terms = {
    ...(ci !== undefined && { ci }),
    ...(flags.minPassRate !== undefined && {
      passCriteria: { minimumPassRate: flags.minPassRate.percent },
    }),
    // Without a minimum pass rate, the default of `skipped` is omitted. It changes no verdict, but
    // it would change the run's name, which is a hash of this report.
    ...((flags.minPassRate !== undefined || flags.skipped !== 'inconclusive') && {
      skipped: flags.skipped,
    }),
  };
  const { projectId } = connection;
  const report = { projectId, suiteName: flags.suite, results, terms };
  const externalRunId = flags.runId ?? nameOf(report);
  const sent = await sendReport(connection.client, { ...report, externalRunId }, printProgress);
  const decision = await fetchDecision(connection, sent.runId);
  const { summary } = decision;
  const verdictCode = gateOfDecision(decision).exitCode;
  const exitCode = flags.gate ? verdictCode : exitCodes.passed;
  const tests = new Set(results.map(({ caseTitle }) => caseTitle)).size;
  if (summary.verdict === 'notEstablished' && tests > maxDistinctCases) printTooManyCases(tests);
  if (flags.json) {
    const { runId, suiteId, inserted, skipped, why } = sent;
    printJson({
      runId,
      suiteId,
      projectId: sent.projectId,
      externalRunId,
      verdict: summary.verdict,
      why,
      inserted,
      skipped,
      exitCode,
    });
  } else {
    const ability = terminalAbility();
    process.stdout.write(
      flags.gate
        ? gateText(connection, decision, ability)
        : decisionText(connection, decision, { format: 'text', ...ability }),
    );
  }
  return exitCode;
}

/**
 * Derives the run's name from the report. If a CI job sends its results a second time, both
 * requests name the same run.
 */
function nameOf(report: unknown): string {
  return `ingest-${createHash('sha256').update(canonicalJson(report)).digest('hex')}`;
}

function printWait(seconds: number): void {
  printNotice(`the service limits requests; waiting ${seconds} s.`);
}

function printTooManyCases(tests: number): void {
  printNotice(
    `a run is decided over at most ${maxDistinctCases} tests, and these are ${grouped(tests)}: report them as several suites, or give --min-pass-rate.`,
  );
}

function printProgress(sent: number, total: number): void {
  printNotice(`${grouped(sent)} of ${grouped(total)} results are reported.`);
}
