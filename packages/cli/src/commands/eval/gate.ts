import { ApiError } from '@proofmark/client';
import {
  type BaselineAtGate,
  defaultHealthyRate,
  exitCodeOfGate,
  gateRun,
  type RunGate,
  summaryOfRun,
  type UnseenDrop,
  unseenDrop,
  wentAsRecorded,
  wordOfGate,
} from '@proofmark/domain';
import { planOfCase, plansOf, waiverOf } from '@proofmark/report';
import { type Command, InvalidArgumentError } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson } from '../../output.ts';
import {
  type Connection,
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { gateOfReplay } from '../../remote/gate-lines.ts';
import { gateText } from '../../remote/gate-text.ts';
import { type PassRate, passRateHelp, readPassRate } from '../../remote/pass-rate-flag.ts';
import { readQuarantineOfRun } from '../../remote/read-quarantine-of-run.ts';
import { terminalAbility } from '../../remote/terminal.ts';

interface Flags extends ConnectionFlags {
  readonly minPassRate?: PassRate;
  readonly baseline?: string;
  readonly sameCases?: true;
  readonly drop?: number;
  readonly healthyRate?: number;
  readonly strict?: true;
  readonly json?: true;
}

export function evalGateCommand(): Command {
  const command = remoteCommand('gate')
    .description(
      'exit with 0 if the run passed, is waived, or failed only in cases in quarantine, 1 if it failed, otherwise 3 (also for a replay with diverged or missing trials); given bounds replace the thresholds of the suite',
    )
    .argument('<run>', 'the id of the run')
    .option('--min-pass-rate <rate>', passRateHelp, readPassRate)
    .option(
      '--baseline <run>',
      'fail on a drop since this run, compared case by case; previous: the last completed run before',
    )
    .option('--same-cases', 'also fail if only one of the two runs has a case')
    .option(
      '--drop <drop>',
      'warn if the gate could not have seen a drop of the pass rate by this much',
      readRate,
    )
    .option('--healthy-rate <rate>', 'the pass rate of a case that works (default: 0.95)', readRate)
    .option('--strict', 'exit with 3 if the gate passed and could not have seen the drop')
    .option('--json', 'print the verdict as JSON')
    .action((runId: string, flags: Flags) => remotely(() => gate(runId, flags)));
  return withExamples(
    command,
    'proofmark eval gate run_1f3a',
    'proofmark eval gate run_1f3a --min-pass-rate 0.9',
    'proofmark eval gate run_1f3a --baseline previous',
    'proofmark eval gate run_1f3a --baseline run_07bc --min-pass-rate 0.8 --json',
    'proofmark eval gate run_1f3a --baseline previous --same-cases',
    'proofmark eval gate run_1f3a --drop 0.1 --strict',
  );
}

function refuseFlags({ sameCases, baseline, drop, healthyRate, strict }: Flags): void {
  if (sameCases && baseline === undefined) {
    throw new UsageProblem('--same-cases needs a run to compare with; add --baseline RUN.');
  }
  if (drop === undefined) {
    const given = strict ? '--strict' : '--healthy-rate 0.95';
    if (!strict && healthyRate === undefined) return;
    throw new UsageProblem(
      `${given} needs the drop that the gate must see; add --drop, for example --drop 0.1.`,
    );
  }
  const from = healthyRate ?? defaultHealthyRate;
  if (drop > 0 && drop < from && from < 1) return;
  throw new UsageProblem(
    'The drop must be more than 0 and less than the healthy rate; the healthy rate must be less than 1.',
  );
}

async function gate(runId: string, flags: Flags): Promise<number> {
  refuseFlags(flags);
  const connection = await connectToService(flags);
  const { client, projectId } = connection;
  // The response with the run contains its decision, so two requests suffice for a run of any size.
  // `--baseline` needs two more.
  const run = await client.getEvalRun({ projectId, runId });
  const summary = summaryOfRun(run);
  const quarantine = await readQuarantineOfRun(connection, run, summary);
  const isWaived = waiverOf(run) !== undefined;
  const minPassRate = flags.minPassRate?.rate;
  const hasBounds = minPassRate !== undefined || flags.baseline !== undefined;
  const { replay } = run;
  const baseline = hasBounds ? await readBaseline(connection, runId, flags.baseline) : undefined;
  const bounds: RunGate | undefined = hasBounds
    ? gateOfReplay(gateRun(run, { minPassRate, baseline, isSameCases: flags.sameCases }), replay)
    : undefined;
  const toOpen = {
    status: run.status,
    verdict: summary.verdict,
    bounds: bounds?.outcome,
    isWaived,
    quarantine,
    wentAsRecorded: wentAsRecorded(replay),
  };
  const opened = wordOfGate(toOpen);
  const unseen = unseenOf(flags, { word: opened, summary, quarantine, baseline });
  const word = wordOfGate({ ...toOpen, isBlind: unseen !== null && flags.strict === true });
  const exitCode = exitCodeOfGate[word];
  if (flags.json) {
    const { verdict } = summary;
    const details = { quarantine: quarantineInJson(quarantine), unseenDrop: unseen };
    const of = { runId, verdict, ...(replay && { replay }), isWaived, word, exitCode };
    printJson({ ...of, ...details, ...bounds });
    return exitCode;
  }
  const stated = { word, bounds, unseenDrop: unseen };
  const text = { brief: true, ...terminalAbility(), stated };
  process.stdout.write(gateText(connection, { run, summary, quarantine }, text));
  return exitCode;
}

type Quarantine = Awaited<ReturnType<typeof readQuarantineOfRun>>;

function quarantineInJson({ letThrough, stale }: Quarantine) {
  return {
    letThrough: letThrough.map(({ entry, variant }) => ({
      ...entry,
      ...(variant.executionVariant && { executionVariant: variant.executionVariant }),
    })),
    stale,
  };
}

/**
 * For a passed gate, returns the changes that its trials could not have detected. Quarantined cases
 * are excluded.
 */
function unseenOf(
  { drop, healthyRate }: Flags,
  {
    word,
    summary,
    quarantine,
    baseline,
  }: {
    readonly word: ReturnType<typeof wordOfGate>;
    readonly summary: ReturnType<typeof summaryOfRun>;
    readonly quarantine: Quarantine;
    readonly baseline: BaselineAtGate | undefined;
  },
): UnseenDrop | null {
  if (drop === undefined || (word !== 'PASSED' && word !== 'QUARANTINED')) return null;
  const excused = new Set(quarantine.letThrough.map(({ variant }) => variant));
  const cases = summary.verdictSource === 'policyV2' ? summary.decision.cases : [];
  const plans = plansOf(summary);
  const gated = cases
    .filter((one) => !excused.has(one))
    .map((one) => ({ ...one, plan: planOfCase(one, plans) }));
  return unseenDrop({ drop, healthyRate }, gated, baseline);
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
