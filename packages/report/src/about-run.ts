import {
  type CaseTitles,
  count,
  type DecisionSummary,
  grouped,
  join,
  maxDistinctCases,
  quote,
  type RowSample,
  type Sentence,
  say,
  saysTooManyCases,
  sourceWords,
  stageWords,
  undecidedActions,
} from '@proofmark/domain';
import { trialsToCome } from './ended-trials.ts';
import { leftOutSentences } from './left-out-sentence.ts';
import { type KnownOfCases, measuredSentence } from './measured-sentence.ts';
import type { PickedTrials } from './picked-trials.ts';
import { planSentences, plansOf } from './plan-words.ts';
import { allowAction, refusedSentences } from './refused-sentence.ts';
import { replayAction, replaySentences } from './replay-sentence.ts';
import {
  intervalOfCase,
  measuredOfCase,
  type ReportCase,
  reportCases,
  thresholdOfCase,
} from './report-cases.ts';
import { candidateSentences, type SurfaceToRender } from './surface-words.ts';
import { stateSymbol } from './symbols.ts';
import { validityAction, validitySentence } from './validity-sentence.ts';
import { stopsByStage } from './verdict-sentence.ts';

type Decided = Extract<DecisionSummary, { verdictSource: 'policyV2' }>;

const listedCases = 20;

export interface AboutRun extends KnownOfCases {
  readonly sharesSessions?: boolean | undefined;
  readonly warnedTrials?:
    | { readonly count: number; readonly messages: readonly string[] }
    | undefined;
  readonly picked?: PickedTrials | undefined;
  readonly surface?: SurfaceToRender | undefined;
  /** The number of trials that have not ended yet (default: counted from the listed trials). */
  readonly toCome?: number | undefined;
  /** If true, a run that passed completely is described only by its cases. */
  readonly terse?: boolean | undefined;
}

export function isWhollyGreen(summary: DecisionSummary): boolean {
  if (summary.verdictSource !== 'policyV2' || summary.verdict !== 'passed') return false;
  const { validity, cases } = summary.decision;
  const trials = cases.reduce((sum, { passedTrials }) => sum + passedTrials, 0);
  return trials === validity.configuredTrials && stopsByStage(summary).size === 0;
}

export function aboutRun(summary: DecisionSummary, known: AboutRun = {}): Sentence[] {
  return [
    ...replaySentences(summary.replay),
    ...refusedSentences(summary.refusedCalls),
    ...leftOutSentences(summary.leftOut, summary.refusedCalls),
    ...ofVerdict(summary, known),
    ...sampleSentences(summary.samples),
    ...planSentences(plansOf(summary)),
    ...ofSessions(known),
    ...ofWarnings(known),
    ...candidateSentences(summary, known),
  ];
}

function ofVerdict(summary: DecisionSummary, known: AboutRun): Sentence[] {
  const stops = whereTrialsStop(summary, known.picked);
  switch (summary.verdictSource) {
    case 'policyV2':
      if (known.terse && isWhollyGreen(summary)) return [];
      return [...stops, ...aboutDecision(summary, known), say`${sourceWords.policyV2}.`];
    case 'legacy':
      return [...stops, legacySource(summary)];
    case 'none': {
      const { detail } = summary.undecided;
      return [
        ...stillToCome(summary, known),
        ...(detail === undefined ? [] : [say`What was recorded: ${quote(detail)}`]),
        say`The run does not say whether the server works.`,
      ];
    }
  }
}

function legacySource({
  decidedBy,
}: Extract<DecisionSummary, { verdictSource: 'legacy' }>): Sentence {
  const share = decidedBy?.passThreshold;
  return share === undefined
    ? say`${sourceWords.legacy}; whether everything was measured was not recorded.`
    : say`Every case had to pass ${Number((share * 100).toFixed(4))} % of its trials. The report has more cases than a decision can hold, so its cases are not listed one by one.`;
}

function ofSessions({ sharesSessions = false }: AboutRun): Sentence[] {
  if (!sharesSessions) return [];
  return [say`Trials shared one session with each server, so a trial can see what another did.`];
}

function ofWarnings({ warnedTrials }: AboutRun): Sentence[] {
  if (warnedTrials === undefined) return [];
  const { count: warned, messages } = warnedTrials;
  return [
    say`The clean-up after ${count(warned, 'trial')} failed, which changes no verdict.`,
    ...messages.map((message) => say`${quote(message)}`),
  ];
}

export function nextForRun(summary: DecisionSummary): Sentence | undefined {
  const isOpen = summary.verdict === 'inconclusive' || summary.verdict === 'notEstablished';
  if (isOpen && summary.maxCredits !== undefined) {
    return say`Launch it again with a greater maxCredits, or with fewer trials.`;
  }
  if (isOpen && summary.stopReason === 'credits') {
    return say`Ask the operator to raise creditsPerDay, or run it again tomorrow (UTC).`;
  }
  if (summary.nothingCalled === true) {
    return say`Add a case that calls a tool of the server; so far only the lists of the server are tested.`;
  }
  if (summary.verdictSource === 'none') {
    const { reason, detail = '' } = summary.undecided;
    return saysTooManyCases(detail)
      ? say`Split it into suites, so that each run has at most ${maxDistinctCases} cases.`
      : say`${undecidedActions[reason]}`;
  }
  if (summary.verdictSource !== 'policyV2' || summary.verdict !== 'inconclusive') return undefined;
  const { replay } = summary;
  if (replay !== undefined && replay.diverged + replay.notRecorded > 0) return replayAction(replay);
  return (
    reachServer(summary) ?? allowAction(summary.refusedCalls) ?? validityAction(summary.decision)
  );
}

/**
 * Returns the advice to repair the server if all trials that did not pass failed at connection, or
 * all at discovery.
 */
function reachServer({ diagnostics }: Decided): Sentence | undefined {
  const { items, complete, scannedIterations } = diagnostics;
  const stopped = new Set(
    items.map(({ chain }) => (chain.status === 'verified' ? chain.firstFailedStage : undefined)),
  );
  const [stage] = stopped;
  if (!complete || stopped.size !== 1 || (stage !== 'connection' && stage !== 'discovery')) {
    return undefined;
  }
  const all = allTrials(items.length, items.length === scannedIterations);
  return stage === 'connection'
    ? say`Connection failed in ${all}; make the server reachable and run it again.`
    : say`Discovery failed in ${all}; make the server list its tools and run it again.`;
}

function allTrials(trials: number, isEvery: boolean): string {
  const which = isEvery ? '' : ' that did not pass';
  if (trials === 1) return `the only trial${which}`;
  return `${trials === 2 ? 'both trials' : `all ${count(trials, 'trial')}`}${which}`;
}

function stillToCome(summary: DecisionSummary, { toCome }: AboutRun): Sentence[] {
  const trials = toCome ?? trialsToCome(summary);
  if (trials === 0) return [];
  const isAll = toCome !== undefined || summary.diagnostics.nextCursor === undefined;
  const atLeast = isAll ? '' : 'At least ';
  return [say`${atLeast}${count(trials, 'trial')} ${trials === 1 ? 'is' : 'are'} still to come.`];
}

export function failedCases(summary: DecisionSummary, titles?: CaseTitles): Sentence[] {
  if (summary.verdict === 'passed') return [];
  return casesOf(summary, 'failed', titles, ({ name, row, plan }) => {
    const threshold = row.eligibleTrials === 1 ? '' : `; ${thresholdOfCase(row)}`;
    return say`${name}: ${measuredOfCase({ row, plan })}${threshold}.`;
  });
}

export function passedCases(
  summary: DecisionSummary,
  titles: CaseTitles | undefined,
  ascii: boolean,
): Sentence[] {
  const mark = stateSymbol('passed', ascii);
  return casesOf(summary, 'passed', titles, ({ name, row, plan }) => {
    const { passedTrials, eligibleTrials } = row;
    const interval = intervalOfCase({ row, plan }).map((text) => `, ${text}`);
    return say`${mark} ${passedTrials}/${eligibleTrials} ${name}${interval.join('')}`;
  });
}

function casesOf(
  summary: DecisionSummary,
  verdict: 'passed' | 'failed',
  caseTitles: CaseTitles | undefined,
  lineOf: (one: ReportCase) => Sentence,
): Sentence[] {
  const cases = reportCases(summary, { caseTitles }).filter(({ outcome }) => outcome === verdict);
  const unlisted = cases.length - listedCases;
  const which = verdict === 'passed' ? 'that met it' : 'below the threshold';
  return [
    ...cases.slice(0, listedCases).map(lineOf),
    ...(unlisted > 0 ? [say`${count(unlisted, 'more case variant')} ${which}.`] : []),
  ];
}

function whereTrialsStop(summary: DecisionSummary, picked: PickedTrials | undefined): Sentence[] {
  const stops = stopsByStage(summary);
  if (stops.size === 0) return [];
  const { complete } = summary.diagnostics;
  const known = [...stops].flatMap(([stage, trials]) =>
    stage === undefined ? [] : [say`${count(trials, 'failing trial')} at ${stageWords[stage]}`],
  );
  const unknown = stops.get(undefined) ?? 0;
  const where = picked === undefined ? ', on this page' : ', among those read';
  // If all failing trials stop at one stage and all are listed, this sentence is omitted: the
  // verdict sentence already names that stage.
  const isAlreadyShown = summary.verdict === 'failed' && complete && stops.size === 1;
  return [
    ...(known.length > 0 && !isAlreadyShown
      ? [say`Where trials stop${complete ? '' : where}: ${join(known, ', ', ' and ')}.`]
      : []),
    ...(unknown > 0 ? [say`For ${count(unknown, 'failing trial')} no stage is known.`] : []),
  ];
}

function aboutDecision(summary: Decided, known: KnownOfCases): Sentence[] {
  const { counts, decision } = summary;
  const measured = measuredSentence(decision, known);
  if (summary.verdict === 'passed' && stopsByStage(summary).size > 0) {
    return [say`Each case variant met its threshold all the same.`, measured];
  }
  if (summary.verdict !== 'inconclusive') return [measured];
  const parts = [
    `${grouped(counts.passed)} met the threshold`,
    `${grouped(counts.failed)} did not`,
    `${grouped(counts.inconclusive)} had no graded trial`,
  ];
  return [
    ...decision.reasons.map((reason) => validitySentence(reason, decision)),
    measured,
    say`Of ${count(counts.total, 'case variant')}, ${parts.join(', ')}.`,
    say`The run does not say whether the server works.`,
  ];
}

/**
 * How many sampled cases are named; further ones are only counted. A case is sampled if the run
 * used only some of its rows.
 */
const mostSamples = 5;

function sampleSentences(samples: readonly RowSample[] = []): Sentence[] {
  const [only, ...others] = samples;
  if (only === undefined) return [];
  if (others.length === 0) return [say`Sampled: ${sampleWords(only)}.`];
  const more = samples.length - mostSamples;
  return [
    ...samples
      .slice(0, mostSamples)
      .map((sample) => say`Sampled: ${quote(sample.title)}, ${sampleWords(sample)}.`),
    ...(more > 0 ? [say`Sampled: ${count(more, 'more case')}.`] : []),
  ];
}

function sampleWords({ rows, of, seed }: RowSample): string {
  return `${grouped(rows)} of ${count(of, 'row')}, seed ${seed}`;
}
