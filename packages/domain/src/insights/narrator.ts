/**
 * `proofmark/narrator-1`: explains candidates from their counts alone, with fixed sentences for
 * each detector. Its summary says that it reads no transcript.
 */
import { count, grouped } from '../words/sentence.ts';
import { stageWords } from '../words/words.ts';
import { type Candidate, type Confidence, cutText, orderCandidates } from './candidate.ts';
import type { Detector } from './detectors.ts';
import type { InsightCoverage, InsightUnit } from './finding-evidence.ts';

export const narratorId = 'proofmark/narrator-1';

export interface Narration {
  readonly rootCause: string;
  readonly recommendation: string;
  readonly confidence: Confidence;
  readonly acceptanceCriteria: readonly string[];
}

export interface NarrationAnswer {
  readonly summary: string;
  /** Keyed by fingerprint. A missing entry means that the model omitted the candidate. */
  readonly narrations: Readonly<Record<string, Narration>>;
  readonly discovery: {
    readonly findings: readonly {
      readonly title: string;
      readonly observed: string;
      readonly evidenceSessionIds: readonly string[];
    }[];
    readonly sampledSessionIds: readonly string[];
  };
}

export function forgetInAnswer(
  answer: NarrationAnswer,
  gone: ReadonlySet<string>,
): NarrationAnswer {
  const kept = (ids: readonly string[]) => ids.filter((id) => !gone.has(id));
  const { findings, sampledSessionIds } = answer.discovery;
  return {
    ...answer,
    discovery: {
      findings: findings
        .map((one) => ({ ...one, evidenceSessionIds: kept(one.evidenceSessionIds) }))
        .filter(({ evidenceSessionIds }) => evidenceSessionIds.length > 0),
      sampledSessionIds: kept(sampledSessionIds),
    },
  };
}

export const narratorLimit = 'Written from counts by rules; nobody read the transcripts.';

export function narrateByRules(
  candidates: readonly Candidate[],
  { unit, analyzed }: Pick<InsightCoverage, 'unit' | 'analyzed'>,
): NarrationAnswer {
  const severest = orderCandidates(candidates)
    .slice(0, 2)
    .map((candidate) => `${labelOf(candidate)}: ${observedOf(candidate, unit)}`);
  const sentences =
    severest.length > 0 ? severest : [`Nothing was found in ${count(analyzed, unitWord(unit))}.`];
  return {
    summary: [...sentences, narratorLimit].join(' '),
    narrations: Object.fromEntries(
      candidates.map((candidate) => [candidate.fingerprint, narrationByRules(candidate)]),
    ),
    discovery: { findings: [], sampledSessionIds: [] },
  };
}

export function narrationByRules({ detector }: Pick<Candidate, 'detector'>): Narration {
  const [rootCause, recommendation, criterion] = sentences[detector];
  // The confidence is low, since a narrator that has read no transcript cannot be sure of a cause.
  return { rootCause, recommendation, confidence: 'low', acceptanceCriteria: [criterion] };
}

export function observedOf(candidate: Candidate, unit: InsightUnit): string {
  const counted = countsOf(candidate, unit);
  if (candidate.isOfRead !== true) return counted;
  return `${counted} Not all ${unitWord(unit)}s were read; the counts cover those that were, the failed ones first.`;
}

function countsOf(candidate: Candidate, unit: InsightUnit): string {
  const { affected, sliceTotal, metric = 0, firstFailedStage } = candidate;
  const units = `${unitWord(unit)}s`;
  const share = `${grouped(affected)} of ${grouped(sliceTotal)}`;
  switch (candidate.detector) {
    case 'case_fail':
    case 'criterion_fail': {
      const stage = firstFailedStage && stageWords[firstFailedStage];
      const how = affected === 1 ? 'first' : 'most of them first';
      const where = stage === undefined ? '' : `, ${how} at ${stage}`;
      return `${share} graded ${units} failed${where}.`;
    }
    case 'flaky_case':
      return `${share} graded ${units} failed, and the others passed.`;
    case 'tool_errors':
      return `It failed in ${share} ${units} that called it, in ${count(metric, 'call')}.`;
    case 'hallucinated_tool':
      return `It was called in ${share} ${units}, but no server offered it.`;
    case 'latency_outlier':
      return `95 % of its calls took up to ${grouped(Math.round(metric))} ms, at least twice as long as calls of the other tools; ${share} ${units} that called it had such a call.`;
    case 'token_outlier':
      return `Its median is ${grouped(Math.round(metric))} tokens, at least twice that of the other models; ${share} of its ${units} used as many.`;
    default:
      return `${share} ${units} are affected.`;
  }
}

function labelOf({ subjectLabel }: Candidate): string {
  return `“${cutText(subjectLabel, 100)}”`;
}

function unitWord(unit: InsightUnit): string {
  return unit === 'iterations' ? 'trial' : 'session';
}

const sentences: Readonly<Record<Detector, readonly [string, string, string]>> = {
  case_fail: [
    'The counts show where the case fails, not why.',
    'Compare the failed trials with one that passed, beginning at the first stage where they differ.',
    'The case passes in every graded trial.',
  ],
  criterion_fail: [
    'The counts show that the check did not hold, not why.',
    'Compare the failed sessions with one that passed, beginning at the first stage where they differ.',
    'The check holds in every graded session.',
  ],
  tool_errors: [
    'The tool answered calls with errors that its arguments do not explain.',
    'Repeat one of the failed calls against the server and look into its log.',
    'The same calls are answered without an error.',
  ],
  terminal_error_concentration: [
    'The last call before the end was answered with an error.',
    'Repeat the last call of such a conversation against the server and look into its log.',
    'Such a conversation continues after that call.',
  ],
  hallucinated_tool: [
    'The model asked for a tool that no server lists.',
    'Check whether the tool is missing, or whether a description or a prompt promises it.',
    'The tool is offered, or no trial asks for it any more.',
  ],
  no_tools_used: [
    'The model answered without the tools it was offered.',
    'Check whether the descriptions of the tools say when to use them.',
    'The tool that is needed is called.',
  ],
  negative_feedback: [
    'People said that they were not satisfied.',
    'Read what they said, beginning with the shortest conversations.',
    'The people of the next window are satisfied.',
  ],
  turn_cap_grind: [
    'The conversation reached the limit of turns before its goal.',
    'Find the step that is repeated before the limit.',
    'The goal is reached before the limit.',
  ],
  target_failures: [
    'It fails more often here than elsewhere.',
    'Compare the configuration of this target with one that does well.',
    'It does not fail more often than the others.',
  ],
  persona_struggles: [
    'This persona fails more often than the others.',
    'Compare one of its sessions with one of a persona that does well.',
    'The persona does not fail more often than the others.',
  ],
  cohort_struggles: [
    'This group fails more often than the others.',
    'Compare one of its sessions with one of a group that does well.',
    'The group does not fail more often than the others.',
  ],
  flaky_case: [
    'The same case both passed and failed under the same conditions.',
    'Compare a trial that failed with one that passed before you change anything.',
    'All repetitions of the case have the same result.',
  ],
  marginal_pass: [
    'The score lies just above the threshold.',
    'Read the reasons of the judge before you rely on its score.',
    'The score lies clearly above the threshold.',
  ],
  error_recovered_pass: [
    'The tool failed first and succeeded later.',
    'Look at the first call: it may have failed because something was not ready, or because the model had to guess arguments.',
    'The first call succeeds.',
  ],
  latency_outlier: [
    'The tool takes longer than the other tools of the run.',
    'Check in the log of the server what its slowest calls wait for.',
    'Its calls take no longer than twice those of the other tools.',
  ],
  token_outlier: [
    'The model uses more tokens for the same cases.',
    'Compare the number of steps it takes with that of another model.',
    'It uses no more than twice the tokens of the other models.',
  ],
};
