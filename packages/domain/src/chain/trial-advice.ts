/**
 * Advice after a trial that did not pass, for causes more specific than the failure category.
 * Without a specific cause, the category's next action is used. Blocked trials and stopped replays
 * have no category, so their advice is here too.
 */
import { saysNotCounted } from '../conformance/not-counted.ts';
import { notRecordedMessage, replayActions } from '../recordings/run-replay.ts';
import { saysExcluded } from '../surfaces/excluded-tools.ts';
import {
  saysHeldForWriting,
  saysNobodyApproves,
  saysToolPolicy,
} from '../trials/refuse-by-policy.ts';
import { saysRefusedOrigin } from '../widgets/refused-origin.ts';
import { actionOfCause, actionsOfCauses } from './error-causes.ts';
import type { FailureCategory, StageReason, StageResultRow } from './vocabulary.ts';

interface TrialFacts {
  readonly failure?: string;
  readonly status?: string;
}

export function trialAdvice(
  category: FailureCategory | undefined,
  rows: readonly StageResultRow[] = [],
  { failure = '', status }: TrialFacts = {},
): string | undefined {
  if (status === 'cancelled') {
    // A cause in the failure text, such as used-up credits, gives more specific advice.
    return (category && actionOfCause(category, failure)) ?? runItAgain;
  }
  const cause = causeOf(rows);
  if (restsOnExclusion(rows)) return correctTheHeader;
  if (category !== undefined) return ofCategory(category, cause, { failure, status });
  if (saysNotCounted(failure)) return doNothing;
  // Any other skipped trial without a category is a stopped replay: a call was not recorded, or the
  // trial diverged from the recording.
  if (status === 'skipped' && cause === 'lifecycleStopped') {
    return replayActions[failure === notRecordedMessage ? 'notRecorded' : 'diverged'];
  }
  if (!rows.some(({ reason }) => reason === 'blockedByPolicy')) return undefined;
  if (saysHeldForWriting.test(failure)) return allowTheWrite;
  if (saysNobodyApproves.test(failure)) return approveNothing;
  if (saysToolPolicy.test(failure)) return changeThePolicy;
  return saysRefusedOrigin.test(failure) ? allowTheOrigin : askThePolicy;
}

/** Whether the first failure is that of a tool which clients must hide. */
function restsOnExclusion(rows: readonly StageResultRow[]): boolean {
  const failed = rows.find(({ state }) => state === 'failed');
  return failed?.evidence?.predicateReasons?.some((reason) => saysExcluded.test(reason)) === true;
}

function ofCategory(
  category: FailureCategory,
  cause: StageReason | undefined,
  { failure, status }: { readonly failure: string; readonly status: string | undefined },
): string | undefined {
  if (category === 'setup' && status === 'skipped') return runTheTest;
  if (category === 'setup' && status === 'timed_out') return lookAtTheTime;
  const causeAdvice = actionOfCause(category, failure);
  if (causeAdvice !== undefined) return causeAdvice;
  if (cause === 'predicateFailed') return ofAssertions[category];
  if (category === 'serverData' && cause === 'renderFailed') return lookAtTheWidget;
  return category === 'setup' && cause !== undefined ? ofSetup[cause] : undefined;
}

export function causeOf(rows: readonly StageResultRow[]): StageReason | undefined {
  const row =
    rows.find(({ state }) => state === 'failed') ??
    rows.find(({ state }) => state === 'notMeasured');
  return row?.reason;
}

const doNothing = 'Nothing has to be done: this scenario does not count.';
const correctTheHeader =
  'Correct the `x-mcp-header` of the named tool in the server, or remove the tool from the case; `proofmark lint` shows the place.';

const askThePolicy =
  'A policy blocked a call of this trial; allow that tool in the tool policy or the client, or remove the call from the case.';

const allowTheWrite =
  'A call that may write was rejected; name its tool in allowWrites to allow it, or change the prompt, the case or the descriptions of the tools.';

const changeThePolicy =
  'The tool policy of the suite rejected a call, so this trial was not graded; allow that tool in `toolPolicy`, or change the prompt, the case or the descriptions of the tools.';

const approveNothing =
  'The client asks a person before each call, and a run has none, so this trial was not graded; turn `requireToolApproval` off in a client for runs, or try the prompt in the playground.';

const allowTheOrigin =
  'Ask the operator to allow the origin that the widget requests, or make the widget declare an origin that can be reached from here.';

const runItAgain = 'Run the trial again; it was stopped before it ended.';

const runTheTest = 'Enable the skipped test, or leave it out of the report.';

const lookAtTheWidget =
  'Read why the widget was not rendered or broke, what it wrote to its console and which of its requests were rejected; then correct its resource or its code.';

const lookAtTheTime =
  'Find the step that was running when the time ran out, and make it faster or raise its time limit.';

const ofAssertions: Partial<Readonly<Record<FailureCategory, string>>> = {
  metadata: 'Correct the listed tools where the quoted check fails, or change the check.',
  serverData:
    'Compare the answer of the tool, its size and its time with the quoted check, and decide which of them has to change.',
};

/**
 * The advice for each reason that leads to the category `setup`. The stage chain does not
 * distinguish wrong credentials from a wrong environment.
 */
const ofSetup: Partial<Readonly<Record<StageReason, string>>> = {
  connectFailed:
    'Look at the server: check that it runs, that its address or its command is that of an MCP server, and read its answer.',
  toolsListFailed:
    'Look in the server for the reason it could not list its tools; the error of this trial has its answer.',
  egressUnverified:
    'Check the address and the network between the runner and the server: there was no answer.',
  providerError:
    'Check the model provider, its key and its limits, then run again; this trial says nothing more about the server.',
  lifecycleStopped: runItAgain,
  protocolError:
    'Look at the connection between the runner and the server: it was lost, or the server was silent for too long, during a call.',
};

export const trialAdvices: readonly string[] = [
  doNothing,
  correctTheHeader,
  askThePolicy,
  allowTheWrite,
  changeThePolicy,
  approveNothing,
  allowTheOrigin,
  runTheTest,
  lookAtTheTime,
  lookAtTheWidget,
  ...Object.values(replayActions),
  ...Object.values(ofAssertions),
  ...Object.values(ofSetup),
  ...actionsOfCauses,
];
