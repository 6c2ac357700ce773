import { ApiError } from '@proofmark/client';
import { type BaselineAtGate, gateRun, type RunGate, summaryOfRun } from '@proofmark/domain';
import { waiverOf } from '@proofmark/report';
import { type Command, InvalidArgumentError } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine } from '../../output.ts';
import {
  type Connection,
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { decisionText } from '../../remote/decision-text.ts';
import {
  boundsExitCode,
  exitCodeOfReplay,
  runExitCode,
  UsageProblem,
} from '../../remote/exit-codes.ts';
import { gateLines, gateOfReplay } from '../../remote/gate-lines.ts';
import { terminalAbility } from '../../remote/terminal.ts';

interface Flags extends ConnectionFlags {
  readonly minPassRate?: number;
  readonly baseline?: string;
  readonly sameCases?: true;
  readonly json?: true;
}

export function evalGateCommand(): Command {
  const command = remoteCommand('gate')
    .description(
      'exit with 0 if the run passed or is waived, 1 if it failed, otherwise 3 (also for a replay with diverged or missing trials); given bounds replace the thresholds of the suite',
    )
    .argument('<run>', 'the id of the run')
    .option('--min-pass-rate <rate>', 'least share of all trials that passed (0 to 1)', readRate)
    .option(
      '--baseline <run>',
      'no drop since this run, by the cases of both in pairs; previous: the last completed one before',
    )
    .option('--same-cases', 'also fail where only one of the two runs has a case')
    .option('--json', 'print the verdict as JSON')
    .action((runId: string, flags: Flags) => remotely(() => gate(runId, flags)));
  return withExamples(
    command,
    'proofmark eval gate run_1f3a',
    'proofmark eval gate run_1f3a --min-pass-rate 0.9',
    'proofmark eval gate run_1f3a --baseline previous',
    'proofmark eval gate run_1f3a --baseline run_07bc --min-pass-rate 0.8 --json',
    'proofmark eval gate run_1f3a --baseline previous --same-cases',
  );
}

async function gate(runId: string, flags: Flags): Promise<number> {
  if (flags.sameCases && flags.baseline === undefined) {
    throw new UsageProblem('Name the other run, too: --same-cases --baseline RUN.');
  }
  const connection = await connectToService(flags);
  const { client, projectId } = connection;
  // The run contains everything that a gate needs, so one request suffices for a run of any size.
  // Only `--baseline` takes two more requests.
  const run = await client.getEvalRun({ projectId, runId });
  const summary = summaryOfRun(run);
  const { verdict } = summary;
  const waiver = waiverOf(run);
  const isWaived = waiver !== undefined;
  const { minPassRate } = flags;
  const hasBounds = minPassRate !== undefined || flags.baseline !== undefined;
  const { replay } = run;
  const baseline = hasBounds ? await readBaseline(connection, runId, flags.baseline) : undefined;
  const bounds: RunGate | undefined = hasBounds
    ? gateOfReplay(gateRun(run, { minPassRate, baseline, isSameCases: flags.sameCases }), replay)
    : undefined;
  const codeIf = (waived: boolean) =>
    exitCodeOfReplay(
      replay,
      bounds === undefined
        ? runExitCode(run.status, verdict, waived)
        : boundsExitCode(bounds.outcome, waived),
    );
  const exitCode = codeIf(isWaived);
  // The waiver is shown only if it changes the exit code: not for a run that passes without it, or
  // one without a result.
  const opening = codeIf(false) === exitCode ? undefined : waiver;
  if (flags.json) {
    printJson({ runId, verdict, ...(replay && { replay }), isWaived, exitCode, ...bounds });
  } else {
    const ability = terminalAbility();
    for (const line of gateLines(opening, bounds, ability)) printLine(line);
    const text = { format: 'text', brief: true, ...ability } as const;
    process.stdout.write(decisionText(connection, { run, summary }, text));
  }
  return exitCode;
}

async function readBaseline(
  { client, projectId }: Connection,
  runId: string,
  wanted: string | undefined,
): Promise<BaselineAtGate | undefined> {
  if (wanted === undefined) return undefined;
  const named = wanted === 'previous' ? {} : { baseRunId: wanted };
  const compared = await client.compareEvalRun({ projectId, runId, ...named }).catch((error) => {
    if (!lacksBaseline(error)) throw error;
    throw new Error('There is no earlier completed run of the suite; name one: --baseline RUN.');
  });
  const { baseRun, cases, paired, scoreContract } = compared;
  const base = await client.getEvalRun({ projectId, runId: baseRun.id });
  const { evaluationConfigChanged } = scoreContract;
  return { run: base, runNumber: baseRun.runNumber, cases, paired, evaluationConfigChanged };
}

function lacksBaseline(error: unknown): boolean {
  return error instanceof ApiError && error.details['reason'] === 'BASELINE_NOT_FOUND';
}

export function readRate(text: string): number {
  const rate = /^(0|1|0?\.\d{1,6}|1\.0{1,6}|0\.\d{1,6})$/.test(text) ? Number(text) : Number.NaN;
  if (rate >= 0 && rate <= 1) return rate;
  throw new InvalidArgumentError('Give a number from 0 to 1, for example 0.9.');
}
