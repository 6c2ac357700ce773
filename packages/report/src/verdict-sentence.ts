/**
 * The first sentence of every summary: the verdict, its figures and, if all failing trials stop at
 * the same stage, that stage.
 * Listed trials cannot be assigned to case variants, so each figure names its unit. If everything
 * passed but no tool was called, "NOTHING CALLED" replaces a verdict that would claim too much. A
 * replay that diverged from its recording has no result, even if trials were graded.
 */
import {
  count,
  type DecisionSummary,
  grouped,
  type RunReplay,
  runStatusWords,
  type Sentence,
  type Stage,
  say,
  stages,
  stageWords,
  stoppedWords,
  theirs,
  undecidedWords,
  wentAsRecorded,
} from '@proofmark/domain';

export function verdictSentence(summary: DecisionSummary): Sentence {
  const { replay, verdictSource } = summary;
  if (replay !== undefined && verdictSource !== 'none' && !wentAsRecorded(replay)) {
    return say`NO ANSWER: ${wentAs(replay)}; a replay decides only if all of them did`;
  }
  switch (summary.verdictSource) {
    case 'policyV2':
      return decidedSentence(summary);
    case 'legacy':
      return legacySentence(summary);
    case 'none':
      return say`NOT ESTABLISHED: ${undecidedWords[summary.undecided.reason]} (${runStatus(summary)})`;
  }
}

export interface BriefVerdict {
  /** The verdict with a count of passed, failed or decided cases. */
  readonly head: Sentence;
  readonly rest?: Sentence;
}

/**
 * Example: `PASSED: 10 of 10 cases`. Without a count of cases, `head` is the whole verdict
 * sentence.
 */
export function briefVerdict(summary: DecisionSummary): BriefVerdict {
  const { replay } = summary;
  if (replay !== undefined && summary.verdictSource !== 'none' && !wentAsRecorded(replay)) {
    const rest = say`A replay decides only if all of them did.`;
    return { head: say`NO ANSWER: ${wentAs(replay)}`, rest };
  }
  if (summary.verdictSource !== 'policyV2') return { head: verdictSentence(summary) };
  const { total, passed, failed } = summary.counts;
  const unit = summary.decision.cases.some(({ executionVariant }) => executionVariant)
    ? 'case variant'
    : 'case';
  const of = `of ${count(total, unit)}`;
  const stopped = stoppedClause(summary).replace(/; $/, '');
  switch (summary.verdict) {
    case 'passed':
      return summary.nothingCalled === true
        ? brief(say`NOTHING CALLED: ${passed} ${of}`, [stopped, nothingWasCalled])
        : brief(say`PASSED: ${passed} ${of}`, [stopped]);
    case 'failed':
      return brief(say`FAILED: ${failed} ${of}`, [stopped, stopClause(summary).replace(/^; /, '')]);
    case 'inconclusive':
      return brief(say`INCONCLUSIVE: ${passed + failed} ${of} decided`, [
        stopped || 'too little was measured to decide',
        gradedOf(summary.decision.validity),
      ]);
  }
}

function brief(head: Sentence, clauses: readonly string[]): BriefVerdict {
  const clauseText = clauses.filter((clause) => clause !== '').join('; ');
  if (clauseText === '') return { head };
  return { head, rest: say`${clauseText.charAt(0).toUpperCase()}${clauseText.slice(1)}.` };
}

const nothingWasCalled = 'no tool, prompt or resource of a server was called';

function wentAs({ trials, diverged, notRecorded }: RunReplay): string {
  return `${trials - diverged} of ${count(trials + notRecorded, 'trial')} went as recorded`;
}

/**
 * Counts the failing trials of a page by stage, in stage order. Trials with an unknown stage come
 * last.
 */
export function stopsByStage(summary: DecisionSummary): ReadonlyMap<Stage | undefined, number> {
  const stops = new Map<Stage | undefined, number>();
  for (const { chain, result } of summary.diagnostics.items) {
    if (result !== 'failed') continue;
    const stage = chain.status === 'verified' ? chain.firstFailedStage : undefined;
    stops.set(stage, (stops.get(stage) ?? 0) + 1);
  }
  const inOrder = [...stages, undefined].filter((stage) => stops.has(stage));
  return new Map(inOrder.map((stage) => [stage, stops.get(stage) ?? 0]));
}

function decidedSentence(
  summary: Extract<DecisionSummary, { verdictSource: 'policyV2' }>,
): Sentence {
  const { counts, decision } = summary;
  const stopped = stoppedClause(summary);
  switch (summary.verdict) {
    case 'passed':
      if (summary.nothingCalled === true) {
        const met = counts.total === 1 ? 'met its threshold' : 'met their thresholds';
        return say`NOTHING CALLED: ${stopped}${allOf(counts.total)} ${met}, but ${nothingWasCalled}`;
      }
      return say`PASSED: ${stopped}${allOf(counts.total)}${skippedClause(summary)}`;
    case 'failed':
      return say`FAILED: ${stopped}${counts.failed} of ${count(counts.total, 'case variant')}${skippedClause(summary)}${stopClause(summary)}`;
    case 'inconclusive':
      return say`INCONCLUSIVE: ${stopped || 'too little was measured to decide; '}${gradedOf(decision.validity)}`;
  }
}

function legacySentence(summary: Extract<DecisionSummary, { verdictSource: 'legacy' }>): Sentence {
  const { total, passed, failed } = summary.counts ?? {};
  const verdict = summary.nothingCalled === true ? 'NOTHING CALLED' : summary.verdict.toUpperCase();
  const [amount, word] = summary.verdict === 'passed' ? [passed, 'passed'] : [failed, 'failed'];
  const clause = `${skippedClause(summary)}${stopClause(summary)}`;
  if (total !== undefined && passed !== undefined && failed !== undefined) {
    const rest = total - passed - failed;
    // Some trials neither passed nor failed. The number of failures alone would not explain the
    // verdict, so all three counts are given.
    if (rest > 0) {
      const has = rest === 1 ? 'has' : 'have';
      return say`${verdict}: ${passed} of ${count(total, 'trial')} passed${neededClause(summary)}, ${failed} failed and ${rest} ${has} no result${clause}`;
    }
  }
  if (amount !== undefined && total !== undefined) {
    return say`${verdict}: ${amount} of ${count(total, 'trial')} ${word}${clause}`;
  }
  if (amount !== undefined) return say`${verdict}: ${count(amount, 'trial')} ${word}${clause}`;
  return say`${verdict}: the run recorded no count of the trials that ${word}${clause}`;
}

type Settled = Exclude<DecisionSummary, { verdictSource: 'none' }>;

function neededClause({ decidedBy }: Settled): string {
  const percent = decidedBy?.minimumPassRate;
  return percent === undefined ? '' : ` (${percent} % needed)`;
}

/** How skipped tests of a report affected the verdict; empty if the run does not state it. */
function skippedClause({ decidedBy }: Settled): string {
  switch (decidedBy?.skipped) {
    case 'ignore':
      return '; skipped tests are left out';
    case 'fail':
      return '; skipped tests count as failed';
    default:
      return '';
  }
}

/**
 * Why the run ended early. The reason precedes the figures, even if part of the run was measured.
 */
function stoppedClause(summary: DecisionSummary): string {
  const { runStatus: status, stopReason } = summary;
  if (stopReason === 'credits') return `${creditsWords(summary)} before its end; `;
  const word = Object.entries(stoppedWords).find(([known]) => known === status)?.[1];
  return word === undefined ? '' : `the run ${word} before its end; `;
}

function creditsWords({ maxCredits }: DecisionSummary): string {
  if (maxCredits === undefined) return 'the credits of the day were used up';
  return `its maxCredits of ${count(maxCredits, 'credit')} were used up`;
}

function runStatus(summary: DecisionSummary): Sentence {
  const { runStatus: status, stopReason } = summary;
  if (stopReason === 'credits') return say`${creditsWords(summary)}`;
  const word = Object.entries(runStatusWords).find(([known]) => known === status)?.[1];
  return word === undefined ? say`status ${theirs(status)}` : say`${word}`;
}

function gradedOf(validity: { eligibleTrials: number; configuredTrials: number }): string {
  const { eligibleTrials, configuredTrials } = validity;
  if (configuredTrials === 1) {
    return `the only configured trial was ${eligibleTrials === 0 ? 'not ' : ''}graded`;
  }
  const were = eligibleTrials === 1 ? 'was' : 'were';
  return `${grouped(eligibleTrials)} of ${count(configuredTrials, 'configured trial')} ${were} graded`;
}

function allOf(total: number): string {
  if (total === 1) return 'the only case variant';
  return total === 2 ? 'both case variants' : `all ${count(total, 'case variant')}`;
}

function stopClause(summary: DecisionSummary): string {
  const stops = stopsByStage(summary);
  const [only] = stops;
  if (summary.verdict !== 'failed' || !summary.diagnostics.complete || stops.size !== 1) return '';
  const [stage, trials] = only ?? [];
  if (stage === undefined || trials === undefined) return '';
  const at = `at ${stageWords[stage]}`;
  if (trials === 1) return `; the only failing trial stops ${at}`;
  return trials === 2
    ? `; both failing trials stop ${at}`
    : `; all ${count(trials, 'failing trial')} stop ${at}`;
}
