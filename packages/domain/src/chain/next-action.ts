/**
 * The one thing to do next after a trial that did not pass. It depends on the failure category, and where a category has
 * many causes, on the one that the error of the trial or the rows tell. A policy that
 * blocked the trial, and a replay that was ended, are told as such. Without either nothing is
 * known to blame, so it sends the reader to what was recorded and names no system. A reported trial may have no trace, so
 * none is promised.
 */
import { notRecordedMessage, replayActions } from '../recordings/run-replay.ts';
import { saysHeldForWriting } from '../trials/refuse-by-policy.ts';
import { saysRefusedOrigin } from '../widgets/refused-origin.ts';
import { actionOfCause, actionsOfCauses } from './error-causes.ts';
import type { FailureCategory, StageReason, StageResultRow } from './vocabulary.ts';

/** What is known of the trial beside its chain. */
interface TrialFacts {
  /** Its error. */
  readonly failure?: string;
  readonly status?: string;
}

export function nextAction(
  category: FailureCategory | undefined,
  rows: readonly StageResultRow[] = [],
  { failure = '', status }: TrialFacts = {},
): string {
  if (category === 'setup' && status === 'skipped') return runTheTest;
  if (category === 'setup' && status === 'timed_out') return lookAtTheTime;
  const told = category === undefined ? undefined : actionOfCause(category, failure);
  if (told !== undefined) return told;
  const asserted = category === undefined ? undefined : ofAssertions[category];
  if (asserted !== undefined && causeOf(rows) === 'predicateFailed') return asserted;
  if (category === 'serverData' && causeOf(rows) === 'renderFailed') return lookAtTheWidget;
  if (category === 'setup') return ofSetup[causeOf(rows) ?? 'setupAborted'] ?? actions.setup;
  if (category !== undefined) return actions[category];
  // Nothing else that was skipped has no category.
  if (status === 'skipped' && causeOf(rows) === 'lifecycleStopped') {
    return replayActions[failure === notRecordedMessage ? 'notRecorded' : 'diverged'];
  }
  if (!rows.some(({ reason }) => reason === 'blockedByPolicy')) return lookAtTheTrial;
  if (saysHeldForWriting.test(failure)) return allowTheWrite;
  return saysRefusedOrigin.test(failure) ? allowTheOrigin : askThePolicy;
}

/** What the first row that failed says, else the first that was not measured. */
export function causeOf(rows: readonly StageResultRow[]): StageReason | undefined {
  const row =
    rows.find(({ state }) => state === 'failed') ??
    rows.find(({ state }) => state === 'notMeasured');
  return row?.reason;
}

const lookAtTheTrial =
  'Read what was recorded of this trial; nothing in it shows at which stage it went wrong.';

const askThePolicy =
  'A policy blocked a call of this trial; let the tool policy or the client allow that tool, or take the call out of the case.';

const allowTheWrite =
  'A call that may write was refused; where it may be made, name its tool in allowWrites, else change the prompt, the case or the descriptions of the tools.';

const allowTheOrigin =
  'Let the operator allow the origin that the widget asks, or let the widget declare one that can be reached from here.';

const runTheTest = 'Let the test run, or leave it out of the report.';

const lookAtTheWidget =
  'Read why the widget was not rendered or broke, what it wrote to its console and which requests it was refused, and correct its resource or the program in it.';

const lookAtTheTime =
  'Find out what the trial was waiting for when its time was up, and make that faster or its time limit longer.';

const actions: Readonly<Record<FailureCategory, string>> = {
  setup:
    'Read the error of this trial and check what it names: the credentials, the environment, the model provider, or the address and the network of the server.',
  metadata:
    'Compare the quoted evidence with the names, descriptions and schemas of the tools, and make clear which tool serves this request.',
  selection:
    'Compare the tools the case expects with the tools the model called, then decide whether the prompt, the case or the tool list has to change.',
  arguments:
    'Compare the calls and their arguments with those the case expects and with the input schema of the tool.',
  serverData:
    'Find the failing tool call and look in the server for the reason it gave no usable result.',
  userValue:
    'Read the check that did not hold next to what the trial did and answered, and decide which of them is wrong.',
  evaluator:
    'Repair the grader that the error names, then run again what was not graded; this trial says nothing about the server.',
};

/** What a category tells to do where it was an assertion that did not hold. */
const ofAssertions: Partial<Readonly<Record<FailureCategory, string>>> = {
  metadata:
    'Give the listed tools what the quoted check finds missing or wrong in them, or change the check.',
  serverData:
    'Compare what the tool answered, its size and its time with the quoted check, and decide which of them has to change.',
};

/** The causes of `setup` that the chain knows; credentials and the environment it does not tell apart. */
const ofSetup: Partial<Readonly<Record<StageReason, string>>> = {
  connectFailed:
    'Look at the server: check that it runs, that its address or its command is that of an MCP server, and what it answers there.',
  toolsListFailed:
    'Look in the server for the reason it could not list its tools; the error of this trial says what came back.',
  egressUnverified:
    'Check the address and the network between the runner and the server, for nothing came back from it.',
  providerError:
    'Check the model provider, its key and its limits, then run again; this trial says nothing more about the server.',
  lifecycleStopped: 'Run the trial again, for it was stopped before it ended.',
  protocolError:
    'Look at the connection between the runner and the server: it was lost, or the server was silent for too long, during a call.',
};

export const nextActions: readonly string[] = [
  lookAtTheTrial,
  askThePolicy,
  allowTheWrite,
  allowTheOrigin,
  runTheTest,
  lookAtTheTime,
  lookAtTheWidget,
  ...Object.values(replayActions),
  ...Object.values(actions),
  ...Object.values(ofAssertions),
  ...Object.values(ofSetup),
  ...actionsOfCauses,
];
