/**
 * The outline of a trial that did not pass: its name, the six stages, the reason, expected and
 * observed calls, specific advice, the next action, and the trace's URL. If the stage results are
 * invalid, the outline says only that.
 */
import {
  becauseWords,
  categoryMeanings,
  type DecisionChain,
  type DecisionDiagnostic,
  join,
  nextActions,
  quote,
  quoteSentence,
  reasonWords,
  type Sentence,
  say,
  stageWords,
  theirs,
  trialAdvices,
} from '@proofmark/domain';
import { address, type ConsoleLocation, trialPage } from './console-page.ts';
import { failedChecks } from './read-checks.ts';
import { namesServer, showCall, type TrialCalls } from './show-call.ts';
import type { TrialFact, TrialOutline } from './summary-outline.ts';
import { stateSymbol } from './symbols.ts';
import { shownStatus, trialEndWords } from './trial-status-words.ts';

const listedTools = 10;
const comparedLength = 100;

export interface TrialWords {
  /**
   * By trial id: the calls with arguments, and the checks. If absent, only tool names and the
   * checks in the stage results are shown.
   */
  readonly calls?: ReadonlyMap<string, TrialCalls> | undefined;
  /** If absent, traces are shown as paths of the API. */
  readonly console?: ConsoleLocation | undefined;
  /**
   * Whether the trace's address is shown. A service that ends with the run cannot serve traces
   * later.
   */
  readonly namesTraces?: boolean | undefined;
}

export function outlineTrial(
  trial: DecisionDiagnostic,
  ascii: boolean,
  words: TrialWords = {},
): TrialOutline {
  const { chain } = trial;
  const calls = words.calls?.get(trial.iterationId);
  const stages = chain.status === 'verified' ? chain.stages : [];
  return {
    heading: say`${trialName(trial)}, trial ${trial.iterationNumber}: ${outcomeOf(trial)}`,
    strip: stages.map(({ stage, state }) => `${stateSymbol(state, ascii)} ${stageWords[stage]}`),
    facts: [
      { label: 'Why', text: why(trial) },
      ...checksOf(trial, calls).map((reason) => ({
        label: 'Check' as const,
        // Not quoted, because most checks already begin with a quoted tool name.
        text: say`${theirs(reason)}`,
      })),
      ...expectedAndObserved(trial, calls),
      ...nextSteps(trial),
      ...(words.namesTraces === false ? [] : [traceOf(trial, calls, words)]),
    ],
  };
}

/**
 * Returns the advice, then the next action for the category of the failure. If the failure has no
 * category, the next action is too general, so it is shown only without advice. A cancelled trial
 * has only its advice.
 */
function nextSteps(trial: DecisionDiagnostic): TrialOutline['facts'] {
  const { advice, nextAction, chain, status } = trial;
  const next = { label: 'Next' as const, text: action(nextAction) };
  if (advice === undefined) return [next];
  const advised = { label: 'Advice' as const, text: action(advice) };
  const category = chain.status === 'verified' ? chain.failureCategory : undefined;
  return category === undefined || status === 'cancelled' ? [advised] : [advised, next];
}

/**
 * Stage results store only the beginning of a long text. So duplicates are found by comparing
 * beginnings.
 */
function checksOf(
  { evidence: { reasons = [] } }: DecisionDiagnostic,
  trial: TrialCalls | undefined,
): readonly string[] {
  const start = (text: string) => text.slice(0, comparedLength);
  const reasonStarts = new Set(reasons.map(start));
  const failed = trial === undefined ? [] : failedChecks(trial);
  const furtherChecks = failed.filter((text) => !reasonStarts.has(start(text)));
  return [...reasons, ...new Set(furtherChecks)];
}

export function trialName({ title, caseId, iterationId }: DecisionDiagnostic): Sentence {
  return say`${theirs(title ?? caseId ?? iterationId)}`;
}

export function outcomeOf(trial: DecisionDiagnostic): Sentence {
  const known = trialEndWords({ ...endOf(trial), result: trial.result });
  return known === undefined ? say`status ${theirs(trial.status)}` : say`${known}`;
}

export function shownStatusOf(trial: DecisionDiagnostic): string {
  return shownStatus(endOf(trial));
}

function endOf({ status, chain, observed }: DecisionDiagnostic) {
  const verified = chain.status === 'verified' ? chain : undefined;
  return {
    status,
    stageResults: verified?.stages,
    failureCategory: verified?.failureCategory,
    error: observed?.failure,
  };
}

/**
 * Returns why the trial failed. If no failed stage is known, nothing else explains the failure, so
 * the recorded error is quoted.
 */
function why(trial: DecisionDiagnostic): Sentence {
  const sentence = whyOfChain(trial.chain, shownStatusOf(trial));
  const failure = trial.observed?.failure;
  return failure !== undefined && isShownAsReason(trial)
    ? say`${quoteSentence(failure)} ${sentence}`
    : sentence;
}

export function isShownAsReason({ chain, observed }: DecisionDiagnostic): boolean {
  const broke = chain.status === 'verified' && chain.firstFailedStage !== undefined;
  return !broke && observed?.failure !== undefined;
}

function whyOfChain(chain: DecisionChain, status: string): Sentence {
  if (chain.status === 'absent') return say`No stage chain was recorded for this trial.`;
  const ahead = versionAhead(chain);
  if (chain.status === 'unverified') {
    return say`The stored stage chain is inconsistent, so it is not shown.${ahead}`;
  }
  const failed = chain.stages.find((row) => row.stage === chain.firstFailedStage);
  if (failed) {
    const because =
      failed.reason === undefined
        ? '; no reason was recorded'
        : ` because ${reasonWords[failed.reason]}`;
    return say`${capital(stageWords[failed.stage])} failed${because}.${ahead}`;
  }
  const unmeasured = chain.stages.find((row) => row.state === 'notMeasured' && row.reason);
  const because =
    unmeasured?.reason === undefined
      ? ''
      : ` ${capital(stageWords[unmeasured.stage])} was not measured because ${becauseWords(unmeasured.reason, status)}.`;
  const category =
    chain.failureCategory === undefined ? '' : `: ${categoryMeanings[chain.failureCategory]}`;
  return say`No stage was seen to break${category}.${because}${ahead}`;
}

function versionAhead(chain: Exclude<DecisionChain, { status: 'absent' }>): string {
  const ahead = chain.analyzerVersionAhead;
  if (ahead === undefined) return '';
  return ` The chain comes from version ${ahead.reported} of the analyzer, newer than version ${ahead.known} known here.`;
}

function expectedAndObserved(
  trial: DecisionDiagnostic,
  calls: TrialCalls | undefined,
): TrialFact[] {
  const { expected, observed } = trial;
  const withServer = namesServer(calls?.expectedToolCalls ?? []);
  const made = listCalls(observed?.toolNames, calls?.actualToolCalls, 'observed', withServer);
  const wanted = expectsNoCall(trial)
    ? noCall(calls?.actualToolCalls.length ?? observed?.toolNames?.length)
    : listCalls(expected?.toolNames, calls?.expectedToolCalls, 'expected', withServer);
  const seen = [
    ...(made === undefined ? [] : [made]),
    ...(made === undefined && wanted !== undefined ? [say`no tool call recorded`] : []),
    ...(observed?.failure === undefined || isShownAsReason(trial)
      ? []
      : [say`${quote(observed.failure)}`]),
  ];
  return [
    ...(wanted === undefined ? [] : [{ label: 'Expected' as const, text: wanted }]),
    ...(seen.length === 0 ? [] : [{ label: 'Observed' as const, text: join(seen, '; ') }]),
  ];
}

/**
 * Whether the case expects no calls: the selection failed because of an unexpected call, no
 * expected calls are recorded, and no check gives another explanation.
 */
function expectsNoCall({ chain, expected, evidence }: DecisionDiagnostic): boolean {
  if (chain.status !== 'verified' || expected !== undefined) return false;
  const failed = chain.stages.find(({ stage }) => stage === chain.firstFailedStage);
  return failed?.reason === 'unexpectedToolCall' && evidence.reasons === undefined;
}

/**
 * If the trial made one unexpected call, the case allows no call. If it made several, the case may
 * allow fewer calls.
 */
function noCall(made: number | undefined): Sentence {
  return made === undefined || made <= 1 ? say`no tool call` : say`no tool call, or fewer`;
}

function listCalls(
  names: readonly string[] | undefined,
  calls: readonly unknown[] | undefined,
  side: 'expected' | 'observed',
  withServer: boolean,
): Sentence | undefined {
  if (names === undefined) return undefined;
  const all = calls === undefined || calls.length === 0 ? names : calls;
  const listed = join(
    all
      .slice(0, listedTools)
      .map(
        (one) => say`${theirs(typeof one === 'string' ? one : showCall(one, side, withServer))}`,
      ),
    ', ',
  );
  const unlisted = all.length - listedTools;
  return unlisted > 0 ? say`${listed} and ${unlisted} more` : listed;
}

function traceOf(
  trial: DecisionDiagnostic,
  calls: TrialCalls | undefined,
  words: TrialWords,
): TrialOutline['facts'][number] {
  const text = hasTrace(trial, calls) ? traceAddress(trial, words.console) : noTrace;
  return { label: 'Trace', text };
}

/**
 * If `calls` does not say whether there is a trace, one is assumed unless a stage has the reason
 * `traceAbsent`.
 */
function hasTrace({ chain }: DecisionDiagnostic, calls: TrialCalls | undefined): boolean {
  if (typeof calls?.hasTrace === 'boolean') return calls.hasTrace;
  const rows = chain.status === 'verified' ? chain.stages : [];
  return rows.every(({ reason }) => reason !== 'traceAbsent');
}

const noTrace = say`none was recorded`;

function traceAddress(
  { iterationId, evidence }: DecisionDiagnostic,
  location: ConsoleLocation | undefined,
): Sentence {
  return location === undefined
    ? say`${theirs(`/api/v1${evidence.tracePath}`)}`
    : say`${address(trialPage(location, evidence.runId, iterationId))}`;
}

// A summary may come from another service. So only sentences that Proofmark knows are shown
// unmarked; all others are quoted.
function action(sentence: string): Sentence {
  const isOurs = nextActions.includes(sentence) || trialAdvices.includes(sentence);
  return isOurs ? say`${sentence}` : say`${quote(sentence)}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
