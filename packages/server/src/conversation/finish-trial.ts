/**
 * Creates a trial's record from its events. A trial is graded only if it was played as its case
 * defines. If a provider, a policy, the clock or the set-up ended it, it has no result, because
 * these causes prove nothing about the task. If the grader fails, failures measured before still
 * count.
 */
import {
  type AskedAssertion,
  asChosen,
  assertionEvidence,
  deriveChain,
  exclusionOf,
  excuseExpectedErrors,
  type GradedTurns,
  gradeTrial,
  gradeTurns,
  isChoiceOpen,
  openErrorSentence,
  type PlannedCase,
  type PlayedTrial,
  type RunPlan,
  type SortedErrors,
  scoreTrial,
  sortMarkedErrors,
  sortSeenErrors,
  spansOfErrors,
  summarizeTurns,
  sumUsage,
  type TaskVerdict,
  type ToolCall,
  type TrialEvidence,
  type TrialGrade,
  type TrialWarning,
  type TurnSummary,
  tokensUsed,
  trialSentence,
} from '@proofmark/domain';
import { limitCalls, limitTurns } from './limit-record.ts';
import type { SetupRecord } from './make-setup-calls.ts';
import { observedTools } from './observed-tools.ts';
import type { StepRecord } from './play-steps.ts';
import type { PreparedCase } from './prepared-case.ts';
import type { OpenedServers } from './run-servers.ts';
import { traceOf } from './trace-of.ts';
import type { TrialDependencies } from './trial-dependencies.ts';
import type { SeenToolError, TrialLog } from './trial-log.ts';
import type { TrialRecord } from './trial-record.ts';
import type { WidgetsOfTrial } from './widgets-of-trial.ts';

export interface EndedTrial {
  readonly plan: RunPlan;
  readonly planned: PlannedCase;
  readonly prepared: PreparedCase;
  readonly log: TrialLog;
  readonly asked: readonly AskedAssertion[];
  readonly steps: readonly StepRecord[];
  readonly skillsOffered: boolean;
  readonly opened: OpenedServers | undefined;
  /** Milliseconds until all servers were open. */
  readonly openedMs: number;
  readonly startedAtMs: number;
  readonly around: {
    readonly before?: readonly SetupRecord[];
    readonly after?: readonly SetupRecord[];
  };
  /** Milliseconds of `around`, which the trial's duration does not include. */
  readonly aroundMs: number;
  readonly warnings: readonly TrialWarning[];
  readonly widgets: WidgetsOfTrial | undefined;
  readonly redact: TrialDependencies['redact'];
  readonly hasMarks: TrialDependencies['hasMarks'];
}

export type TrialEnd =
  /** Played to its end, or until a step failed. */
  | { readonly kind: 'played'; readonly failedStep?: string }
  | { readonly kind: 'graderFailed'; readonly reason: string }
  | { readonly kind: 'providerFailed'; readonly reason: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'setupFailed'; readonly reason: string }
  | { readonly kind: 'diverged'; readonly reason: string }
  | { readonly kind: 'timedOut'; readonly reason: string };

export function finishTrial(ended: EndedTrial, end: TrialEnd): TrialRecord {
  const { log, opened } = ended;
  const grades = end.kind === 'setupFailed' ? ungraded : grade(ended, end);
  const isGraded = end.kind === 'played' || end.kind === 'graderFailed';
  const hasGraderFailed = isGraded && grades.graderError !== undefined;
  const evidence = evidenceOf(ended, end, grades, hasGraderFailed);
  const usage = sumUsage(log.usages);
  const surface = opened?.surface ?? null;
  return {
    status: statuses[end.kind],
    result: hasGraderFailed ? null : grades.result,
    evaluatorError: hasGraderFailed,
    startedAtMs: ended.startedAtMs,
    durationMs: Math.max(0, Math.round(log.nowMs() - ended.aroundMs)),
    usage,
    tokensUsed: tokensUsed(usage),
    expectedToolCalls: ended.prepared.expected as unknown as TrialRecord['expectedToolCalls'],
    actualToolCalls: limitCalls(callsInTurns(ended)) as unknown as TrialRecord['actualToolCalls'],
    error: errorOf(ended, end, grades),
    scores: scoresOf(ended, end, grades),
    chain: deriveChain(evidence),
    evidence,
    refusedCalls: [...log.refusedCalls],
    warnings: [
      ...ended.warnings,
      ...log.reopened.warnings(ended.plan.servers),
      ...log.repeated.warnings(ended.plan.servers),
      ...log.noisy.warnings(ended.plan.servers, ended.redact),
    ],
    trace: traceOf(ended, {
      prompts: limitTurns(grades.prompts),
      steps: ended.steps,
      ...ended.around,
    }),
    widgets: ended.widgets?.record(ended.redact) ?? null,
    toolSurface: surface,
  };
}

function callsInTurns({ log, prepared }: EndedTrial): readonly ToolCall[] {
  if (prepared.projected.turns.length <= 1) return log.toolCalls;
  const turnOf = new Map<ToolCall, number>();
  for (const [promptIndex, calls] of log.callsOfTurns.entries()) {
    for (const call of calls) turnOf.set(call, promptIndex);
  }
  return log.toolCalls.map((call) => {
    const promptIndex = turnOf.get(call);
    return promptIndex === undefined ? call : { ...call, promptIndex };
  });
}

const statuses = {
  played: 'completed',
  graderFailed: 'completed',
  providerFailed: 'failed',
  blocked: 'failed',
  setupFailed: 'setup_failed',
  timedOut: 'timed_out',
  diverged: 'skipped',
} as const;

interface Grades {
  readonly result: TaskVerdict | null;
  readonly turns: GradedTurns['turns'];
  readonly prompts: readonly TurnSummary[];
  readonly hasCountedToolError: boolean;
  readonly graded?: TrialGrade;
  readonly graderError?: string;
  readonly failedStep?: string;
}

const ungraded: Grades = { result: null, turns: [], prompts: [], hasCountedToolError: false };

function grade(ended: EndedTrial, end: TrialEnd): Grades {
  const failedStep = end.kind === 'played' ? end.failedStep : undefined;
  const played = { ...playedTrial(ended), hasFailedStep: failedStep !== undefined };
  try {
    if (end.kind !== 'played' && end.kind !== 'graderFailed') {
      const { match, turns } = gradeTurns(played);
      const prompts = summarizeTurns(played, match);
      return { result: null, turns, prompts, hasCountedToolError: false };
    }
    const graded = gradeTrial(played);
    const { match, turns, verdict } = graded;
    const isUnanswered = verdict.unanswered !== undefined || end.kind === 'graderFailed';
    if (isUnanswered && verdict.failures.length === 0) {
      const graderError =
        end.kind === 'graderFailed'
          ? end.reason
          : `The trial could not be graded: ${verdict.unanswered}`;
      const prompts = summarizeTurns(played, match);
      return { ...ungraded, turns, prompts, graded: { graderError, match }, graderError };
    }
    return {
      graded,
      result: verdict.passed ? 'passed' : 'failed',
      turns,
      prompts: summarizeTurns(played, match),
      hasCountedToolError: verdict.failures.some((one) => one.endsWith('oolError')),
      // The failed step is named only if it was the only failure.
      ...(failedStep !== undefined && verdict.failures.length === 1 && { failedStep }),
    };
  } catch (error) {
    const broken = `The trial could not be graded: ${trialSentence(error)}`;
    const graderError = end.kind === 'graderFailed' ? end.reason : broken;
    return { ...ungraded, graded: { graderError }, graderError };
  }
}

function exclusionsIn({ excludedTools }: TrialLog): PlayedTrial['exclusionOf'] {
  return (tool) => exclusionOf(excludedTools, tool);
}

function errorsOf({ prepared, log, hasMarks }: EndedTrial): SortedErrors<SeenToolError> {
  const sort = hasMarks ? sortMarkedErrors : sortSeenErrors;
  return sort(prepared.rows, {
    toolCalls: log.seenCalls(),
    toolErrors: log.toolErrors,
  });
}

function playedTrial(ended: EndedTrial): PlayedTrial {
  const { planned, prepared, log, asked, skillsOffered } = ended;
  const turns = log.callsOfTurns.flatMap((actual, index) => {
    const authored = prepared.projected.turns[index];
    return authored === undefined ? [] : [{ authored, actual }];
  });
  const { counted, unknown } = errorsOf(ended);
  return {
    planned,
    turns,
    skillsOffered,
    asked,
    hasToolError: counted.length > 0,
    toolErrors: counted,
    openToolError: unknown[0] && openErrorSentence(unknown[0]),
    hasPinnedToolError: counted.some(({ spanId }) => log.pinnedErrors.has(spanId)),
    spanIdOf: log.spanIdOf,
    exclusionOf: exclusionsIn(log),
    hasMarks: ended.hasMarks,
  };
}

function evidenceOf(
  ended: EndedTrial,
  end: TrialEnd,
  grades: Grades,
  hasGraderFailed: boolean,
): TrialEvidence {
  const { plan, prepared, log, asked, opened } = ended;
  const evidence: { -readonly [Name in keyof TrialEvidence]: TrialEvidence[Name] } = {
    authored: prepared.authored,
    status: statuses[end.kind],
    tracePresent: end.kind !== 'setupFailed',
    ...excuseExpectedErrors(observedTools(log, opened), spansOfErrors(errorsOf(ended))),
    turns: grades.turns,
    assertions: [
      ...assertionEvidence(asked, log.seenCalls(), log.spanIdOf, exclusionsIn(log)),
      ...(ended.widgets?.checks ?? []),
    ],
    renders: ended.widgets?.evidence() ?? [],
  };
  if (end.kind === 'blocked') Object.assign(evidence, refusalOf(ended));
  if (end.kind === 'diverged') evidence.diverged = true;
  if (end.kind === 'providerFailed') evidence.providerError = true;
  if (hasGraderFailed) evidence.evaluatorError = true;
  const isOwed = plan.judge?.autoRun === true && end.kind === 'played';
  if (isOwed) evidence.judge = { status: 'pending' };
  return evidence;
}

/**
 * Returns evidence about a trial that ended because a policy refused a call. Everything before the
 * refusal counts, and the refused call shows which tool the model chose. If grading this fails, no
 * stage gets a result.
 */
function refusalOf(ended: EndedTrial): Partial<TrialEvidence> {
  const { planned, prepared, log } = ended;
  try {
    const played = playedTrial(ended);
    const turns = played.turns.map((turn) => ({ ...turn, actual: asChosen(turn.actual) }));
    const { rows, projected } = prepared;
    return {
      blockedByPolicy: true,
      refusedAt: log.toolCalls.some(({ notMade }) => notMade === 'refused') ? 'call' : 'response',
      turns: gradeTurns({ ...played, turns }).turns,
      isChoiceOpen: isChoiceOpen({ planned, turns: projected.turns, rows }, log.callsOfTurns),
    };
  } catch {
    return { blockedByPolicy: true };
  }
}

function scoresOf(
  { prepared: { scorers }, asked }: EndedTrial,
  end: TrialEnd,
  { graded }: Grades,
): TrialRecord['scores'] {
  const isGraded = end.kind === 'played' || end.kind === 'graderFailed';
  return isGraded && graded ? scoreTrial(scorers, asked, graded) : null;
}

function errorOf(ended: EndedTrial, end: TrialEnd, grades: Grades): string | null {
  // A measured failure takes precedence over an assertion that could not be answered.
  if ('reason' in end && !(end.kind === 'graderFailed' && grades.result === 'failed')) {
    return end.reason;
  }
  return grades.graderError ?? failureOf(ended, grades);
}

function failureOf(ended: EndedTrial, grades: Grades): string | null {
  const { stopped, lateAnswer } = ended.log;
  if (lateAnswer !== undefined) return lateAnswer;
  if (grades.failedStep !== undefined) return grades.failedStep;
  const toolError = grades.hasCountedToolError ? errorsOf(ended).counted[0]?.sentence : undefined;
  if (toolError !== undefined || grades.result !== 'failed') return toolError ?? null;
  const message = `${stopped ?? ''}${ended.log.reopened.noteFor()}`.trim();
  return message === '' ? null : message;
}
