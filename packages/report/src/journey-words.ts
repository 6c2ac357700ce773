import {
  count,
  grouped,
  heldRateOf,
  type JourneyRunState,
  journeyVerdict,
  percent,
  type RunGrades,
  ruleJudgeId,
  type Scorecard,
  scriptedUserId,
  ungradedReasons,
  verdictWords,
} from '@proofmark/domain';
import { criterionQuoted } from './criterion-quoted.ts';
import { inBrackets, otherUngraded, ungradedWords, whyUngraded } from './ungraded-words.ts';

type ScorecardCriterion = Scorecard['criteria'][number];

export interface SessionCounts {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly rateLimited: number;
}

export function journeyRunWord({ status, error }: JourneyRunState): string {
  return error === undefined ? statusWords[status] : errorWords[error];
}

const statusWords: Readonly<Record<JourneyRunState['status'], string>> = {
  running: 'running',
  completed: 'played',
  partial: 'partly played',
  failed: 'not played',
  rate_limited: 'held back by a limit',
};

const errorWords: Readonly<Record<NonNullable<JourneyRunState['error']>, string>> = {
  canceled: 'canceled',
  stale_runner: 'left by its worker',
  run_timeout: 'out of time',
};

export function endedSessions({ succeeded, failed, rateLimited }: SessionCounts): number {
  return succeeded + failed + rateLimited;
}

export function playedSentence({ total, succeeded }: SessionCounts): string {
  return `${grouped(succeeded)} of ${count(total, 'session')} played to their end.`;
}

export function journeyVerdictSentence(run: JourneyRunState, card: RunGrades | undefined): string {
  const verdict = journeyVerdict(run, card);
  return `${verdictWords[verdict].toUpperCase()}: ${journeyVerdictReason(run, card)}`;
}

export function journeyVerdictReason(run: JourneyRunState, card: RunGrades | undefined): string {
  const verdict = journeyVerdict(run, card);
  if (run.status === 'running') return 'the run has not ended.';
  if (run.error !== undefined && verdict !== 'failed') return `the run was ${journeyRunWord(run)}.`;
  if (card === undefined) return 'the journey has no checks, so nothing was graded.';
  const gating = card.criteria.filter(({ role }) => role === 'gating');
  if (gating.length === 0) return 'no check decides.';
  const graded = count(card.sessionsGraded, 'graded session');
  // Beside advisory checks, "all checks held" could be false.
  const check = gating.length < card.criteria.length ? 'deciding check' : 'check';
  if (verdict === 'notEstablished') {
    return `none of ${count(card.sessionsTotal, 'session')} was graded${inBrackets(whyUngraded(card))}.`;
  }
  if (verdict === 'failed') return failedReason(run, card, check);
  const held = gating.length === 1 ? `the ${check}` : `all ${gating.length} ${check}s`;
  if (verdict === 'passed') return `${held} held in ${graded}.`;
  return `${held} held, but only ${grouped(card.sessionsGraded)} of ${count(card.sessionsTotal, 'session')} were graded${inBrackets(whyUngraded(card))}.`;
}

function failedReason(run: JourneyRunState, card: RunGrades, check: string): string {
  const gating = card.criteria.filter(({ role }) => role === 'gating');
  const failing = gating.filter(({ failCount }) => failCount > 0);
  const [worst] = [...failing].sort((one, other) => other.failCount - one.failCount);
  if (worst === undefined) return `a ${check} did not hold.`;
  const graded = count(card.sessionsGraded, 'graded session');
  const often = `in ${grouped(worst.failCount)} of ${graded}${endedEarly(run, card)}.`;
  const name = criterionQuoted(worst);
  if (gating.length === 1) return `the check ${name} did not hold ${often}`;
  const which = failing.length === 1 ? name : `at worst ${name}`;
  return `${failing.length} of ${gating.length} ${check}s did not hold, ${which} ${often}`;
}

/**
 * Example: "; the run was canceled, 2 of 4 sessions were not graded". Empty if the run did not end
 * early.
 */
function endedEarly(run: JourneyRunState, card: RunGrades): string {
  if (run.error === undefined) return '';
  const open = card.sessionsTotal - card.sessionsGraded;
  if (open === 0) return `; the run was ${journeyRunWord(run)}`;
  const were = open === 1 ? 'was' : 'were';
  return `; the run was ${journeyRunWord(run)}, ${grouped(open)} of ${count(card.sessionsTotal, 'session')} ${were} not graded`;
}

/**
 * Example: "held in 2 of 4 graded, 50 % (95 % interval 15 % to 85 %)". The rate is omitted if it
 * has no interval.
 */
export function heldWords(criterion: ScorecardCriterion, sessionsGraded: number): string {
  const held = heldRateOf(criterion);
  if (held === undefined) return 'not graded';
  const share = `held in ${grouped(criterion.passCount)} of ${grouped(sessionsGraded)} graded`;
  if (held.interval === undefined) return share;
  const { lower, upper } = held.interval;
  return `${share}, ${percent(held.rate)} (95 % interval ${percent(lower)} to ${percent(upper)})`;
}

/**
 * Counts the sessions for each reason, such as "In 3 of the 4 sessions in which it did not hold."
 * The last reason states how many sessions gave none of the listed reasons.
 */
export function failReasonWords(
  { failCount, failReasons }: Pick<ScorecardCriterion, 'failCount' | 'failReasons'>,
  at: number,
): string {
  const reasonCount = failReasons[at]?.sessionCount ?? 0;
  const of =
    failCount === 1
      ? 'In the one session in which it did not hold.'
      : `In ${grouped(reasonCount)} of the ${grouped(failCount)} sessions in which it did not hold.`;
  const rest = failCount - failReasons.reduce((sum, { sessionCount }) => sum + sessionCount, 0);
  const isLast = at === failReasons.length - 1;
  return rest > 0 && isLast ? `${of} ${count(rest, 'session')} gave none of these reasons.` : of;
}

/**
 * Sentences about the basis of the counts: how many conversations differ, and which sessions were
 * not graded and why.
 */
export function scorecardSentences(
  card: RunGrades,
  run?: { readonly personaModel: string },
): string[] {
  const { sessionsGraded, sessionsTotal, distinctTranscripts } = card;
  const graded = `${grouped(sessionsGraded)} of ${count(sessionsTotal, 'session')} graded`;
  const copies =
    distinctTranscripts < sessionsGraded
      ? `; only ${count(distinctTranscripts, 'conversation')} of them ${distinctTranscripts === 1 ? 'is' : 'are'} distinct, and copies are no evidence`
      : '';
  return [`${graded}${copies}.`, ...ungradedSentences(card, run)];
}

export function ungradedSentences(
  card: RunGrades,
  run?: { readonly personaModel: string },
): string[] {
  const pending = Math.max(0, ...card.criteria.map(({ pendingCount }) => pendingCount));
  const broken = Math.max(0, ...card.criteria.map(({ failedGradingCount }) => failedGradingCount));
  const { simulatedUserFailedCount: lost, notEndedCount: open } = card;
  const user =
    run === undefined
      ? 'the model that plays the user'
      : `${run.personaModel}, which plays the user,`;
  const ungraded = otherUngraded(card);
  return [
    ...(pending > 0 ? [`${count(pending, 'session')} to be graded.`] : []),
    ...(broken > 0 ? [`The grading of ${count(broken, 'session')} failed.`] : []),
    ...(open > 0
      ? [`${count(open, 'session')} ${open === 1 ? 'has' : 'have'} not ended yet.`]
      : []),
    ...(lost > 0
      ? [`${count(lost, 'session')} not graded: ${user} failed or gave no usable answer.`]
      : []),
    ...ungradedReasons
      .filter((why) => ungraded[why] > 0)
      .map((why) => `${count(ungraded[why], 'session')} not graded: ${ungradedWords[why]}.`),
  ];
}

export function playersSentence(run: {
  readonly personaModel: string;
  readonly judgeModel?: string | null | undefined;
}): string {
  const { personaModel, judgeModel } = run;
  const user = personaModel === scriptedUserId ? `${scriptedUserId}, a script` : personaModel;
  const judge =
    judgeModel === undefined || judgeModel === null
      ? 'nobody'
      : judgeModel === ruleJudgeId
        ? `${ruleJudgeId}, by rules`
        : judgeModel;
  const limits =
    personaModel === scriptedUserId
      ? ' How people phrase things, ask back or lose patience is not measured.'
      : '';
  return `The user is played by ${user}; the goal is judged by ${judge}.${limits}`;
}

/** Returns the name of the target's environment or, without one, of its client. */
export function targetName(target: {
  readonly environmentName?: string | null | undefined;
  readonly hostName: string;
}): string {
  return target.environmentName ?? target.hostName;
}
