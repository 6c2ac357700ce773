import { appendFileSync } from 'node:fs';
import {
  githubAnnotations,
  githubComment,
  githubCommentMark,
  githubStepSummary,
  quarantineToRender,
  runPage,
  waiverOf,
  workflowCommand,
} from '@proofmark/report';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine, printNotice } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { decisionText } from '../../remote/decision-text.ts';
import { exitCodes, UsageProblem } from '../../remote/exit-codes.ts';
import { fetchDecision } from '../../remote/fetch-decision.ts';
import { GithubRefusal, githubPull, writeComment } from '../../remote/github.ts';
import { wholeNumber } from '../../remote/whole-number.ts';

interface Flags extends ConnectionFlags {
  readonly pullRequest?: number;
  readonly comment: boolean;
  readonly json?: true;
}

export function reportGithubCommand(): Command {
  return withExamples(
    remoteCommand('github')
      .description(
        'in a GitHub workflow: write a step summary, annotations, and one comment that is kept up to date; exits with 0 for every verdict',
      )
      .argument('<run>', 'the id of the run')
      .option(
        '--pull-request <number>',
        'the pull request (default: that of the workflow)',
        wholeNumber,
      )
      .option('--no-comment', 'write no comment')
      .option('--json', 'print the result as JSON; annotations go to standard error')
      .action((runId: string, flags: Flags) => remotely(() => report(runId, flags))),
    'proofmark report github RUN',
    'GITHUB_TOKEN=… proofmark report github RUN --pull-request 12',
  );
}

async function report(runId: string, flags: Flags): Promise<number> {
  const summaryFile = process.env['GITHUB_STEP_SUMMARY'];
  const pull = flags.comment ? githubPull(process.env, flags.pullRequest) : undefined;
  if (!summaryFile && pull === undefined) {
    throw new UsageProblem(
      'The report has no destination: run the command in a step of a GitHub workflow, or set GITHUB_TOKEN and GITHUB_REPOSITORY and give --pull-request.',
    );
  }
  const connection = await connectToService(flags);
  const decision = await fetchDecision(connection, runId);
  const { run, summary, surface } = decision;
  const markdown = decisionText(connection, decision, { format: 'markdown' });
  const page = runPage({ baseUrl: connection.url, projectId: run.projectId }, runId);
  if (summaryFile) appendFileSync(summaryFile, githubStepSummary(markdown, page));
  const annotate = flags.json ? (line: string) => process.stderr.write(`${line}\n`) : printLine;
  const annotations = githubAnnotations(summary, {
    isWaived: waiverOf(run) !== undefined,
    quarantine: quarantineToRender(decision),
    surface,
    calls: decision.calls,
  });
  for (const line of annotations) annotate(line);
  let comment: Awaited<ReturnType<typeof writeComment>> | undefined;
  if (pull !== undefined) {
    const body = githubComment(run.suiteId, markdown, page);
    try {
      comment = await writeComment(pull, githubCommentMark(run.suiteId), body);
    } catch (error) {
      // The token of a fork's pull request has no permission to comment. The command prints a
      // warning, so the pull request's checks do not fail.
      if (!(error instanceof GithubRefusal)) throw error;
      annotate(workflowCommand('warning', 'Proofmark', error.message));
    }
  } else if (flags.comment) {
    printNotice('no comment: this is not a pull request, or GITHUB_TOKEN is not set.');
  }
  if (flags.json) {
    printJson({ runId, annotations: annotations.length, summary: !!summaryFile, comment });
  }
  return exitCodes.passed;
}
