/**
 * The words for every value of the closed vocabularies, so that terminal, pull request and console
 * agree. A reason completes a clause after "because" and must be true for every cause that it
 * covers. Words for undecided results never mention failure, since no failure was measured.
 */
import type { FailureCategory, Stage, StageReason, StageState } from '../chain/vocabulary.ts';
import type { ExclusionReason, TrialStatus } from '../verdict/decision.ts';
import type {
  SummaryVerdict,
  terminalRunStatuses,
  UndecidedReason,
  VerdictSource,
} from '../verdict/verdict-source.ts';

type TerminalStatus = (typeof terminalRunStatuses)[number];
type RunStatus = TerminalStatus | 'pending' | 'running';

export const stageWords: Readonly<Record<Stage, string>> = {
  connection: 'connection',
  discovery: 'discovery',
  selection: 'selection',
  call: 'call',
  response: 'response',
  userValue: 'user value',
};

export const stateWords: Readonly<Record<StageState, string>> = {
  passed: 'passed',
  failed: 'failed',
  notReached: 'not reached',
  notMeasured: 'not measured',
  notApplicable: 'not applicable',
};

export const reasonWords: Readonly<Record<StageReason, string>> = {
  noSpanChannel: 'the run records nothing that could show this stage',
  noEvidenceCaptured: 'nothing was recorded that could decide it',
  matchVerdictUnavailable:
    'extra tool calls were made and the run did not report whether the case tolerates them',
  traceAbsent: 'the trial recorded no trace',
  executorEmitsNoSpans: 'the program that ran the trial recorded no spans',
  blockedByPolicy: 'a policy blocked it before it could be measured',
  evaluatorError: 'the grader itself broke',
  providerError: 'the model provider gave no complete answer',
  setupAborted: 'something that the trial needs was missing or was removed',
  connectFailed: 'no MCP session could be opened with the server',
  toolsListFailed: 'the server initialized but could not list its tools',
  egressUnverified:
    'there was no answer, and no evidence that the network of the runner was working',
  lifecycleStopped: 'the trial was stopped before it ended',
  notAuthored: 'the case has no check for this stage',
  earlierStageFailed: 'an earlier stage failed',
  missingToolCall: 'some calls that the case expects were not made, or not in the expected order',
  unexpectedToolCall: 'the calls, or the first of them, are not those the case allows',
  argumentMismatch:
    'the calls and their arguments are not those the case expects, or they break the schema of the tool',
  toolError: 'the tool answered with an error, or with a result that breaks its own schema',
  protocolError: 'the call got no result',
  renderFailed: 'the widget did not render',
  predicateFailed: 'a check of the case failed',
  observed: 'the evidence shows that the stage succeeded',
  impliedByLaterEvidence: 'a later stage could not have succeeded without it',
  judgeObserved: 'the judge scored it at or above the threshold',
  judgePartial: 'the judge scored it below the threshold, inside the partial band',
  judgeFailed: 'the judge scored it below the partial band',
  judgePending: 'the score of the judge has not arrived yet',
  judgeNotRequested: 'no judge was asked',
};

/**
 * Skipped trials, replayed trials and stopped trials share the reason `lifecycleStopped`. The
 * status of the trial selects their words.
 */
export function becauseWords(reason: StageReason, shownStatus: string): string {
  if (reason !== 'lifecycleStopped') return reasonWords[reason];
  return becauseOfEnd[shownStatus] ?? reasonWords[reason];
}

const becauseOfEnd: Readonly<Record<string, string>> = {
  skipped: 'the test was skipped by its reporter',
  diverged: 'the replay diverged from its recording and was ended there',
  notRecorded: 'nothing was recorded for this trial',
};

export const categoryWords: Readonly<Record<FailureCategory, string>> = {
  setup: 'setup',
  metadata: 'tool metadata',
  selection: 'tool selection',
  arguments: 'arguments',
  serverData: 'server data',
  userValue: 'user value',
  evaluator: 'grader',
};

/** Each meaning is a sentence without a full stop. */
export const categoryMeanings: Readonly<Record<FailureCategory, string>> = {
  setup: 'the trial could not be carried out as its case states',
  metadata: 'names, descriptions or schemas of the tools misled the model',
  selection: 'the model chose a wrong tool, or none',
  arguments: 'the right tool was called with wrong arguments',
  serverData: 'the server answered with data the model could not use',
  userValue: 'every call worked, but the result did not serve the user',
  evaluator: 'the grader itself broke, so this trial says nothing about the server',
};

export const verdictWords: Readonly<Record<SummaryVerdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  notEstablished: 'not established',
};

export const sourceWords: Readonly<Record<VerdictSource, string>> = {
  policyV2: 'Each case variant was decided by its own trials',
  legacy: 'Decided by one percentage over all trials',
  none: 'Not decided',
};

export const undecidedWords: Readonly<Record<UndecidedReason, string>> = {
  runNotTerminal: 'the run has not ended',
  runStatusNotAVerdict: 'the run stopped before it had a verdict',
  runResultNotAVerdict: 'the run completed and recorded no result',
  verdictSummaryUnavailable: 'the decision of the run cannot be read',
};

export const undecidedActions: Readonly<Record<UndecidedReason, string>> = {
  runNotTerminal: 'Wait for the run to end, then read it again.',
  runStatusNotAVerdict: 'Start the run again and let it end by itself.',
  runResultNotAVerdict: 'Start the run again, or send its results again.',
  verdictSummaryUnavailable: 'Start the run again; a stored decision is never repaired.',
};

export const runStatusWords: Readonly<Record<RunStatus, string>> = {
  pending: 'not started',
  running: 'still running',
  completed: 'completed',
  failed: 'broke off',
  cancelled: 'cancelled',
  timed_out: 'timed out',
};

export const stoppedWords: Readonly<Record<Exclude<TerminalStatus, 'completed'>, string>> = {
  failed: 'broke off',
  cancelled: 'was cancelled',
  timed_out: 'timed out',
};

export const trialStatusWords: Readonly<Record<TrialStatus, string>> = {
  pending: 'not started',
  running: 'still running',
  completed: 'completed without a result',
  failed: 'broke off',
  cancelled: 'cancelled',
  timed_out: 'timed out',
  setup_failed: 'stopped in setup',
  skipped: 'skipped',
};

/** Adds two outcomes that only replayed trials have and that are not verdicts. */
export const endWords: Readonly<Record<TrialStatus | 'diverged' | 'notRecorded', string>> = {
  ...trialStatusWords,
  diverged: 'diverged from its recording',
  notRecorded: 'not recorded',
};

/** The words follow a number, such as "3 skipped". */
export const exclusionWords: Readonly<Record<ExclusionReason, string>> = {
  notTerminal: 'not ended',
  skipped: 'skipped',
  setupFailed: 'stopped in setup',
  cancelled: 'cancelled',
  timedOut: 'timed out',
  executionFailed: 'broken off',
  evaluatorError: 'without a grade because the grader broke',
};
