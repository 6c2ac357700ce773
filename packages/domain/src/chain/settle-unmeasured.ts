/**
 * Handles three outcomes that settle a trial before its stages are measured, in this order:
 *
 * - A policy blocked the trial. Only what was observed before the refused call is measured
 *   (`settleRefused`), and there is no category.
 * - The trial's set-up was aborted. Connection and discovery are measured from the set-up signals;
 *   everything else is not measured. The category is `setup`.
 * - The trial was stopped. Nothing is measured, and the category is `setup`. A replay that diverged
 *   from its recording has no category.
 */

import { measureCall } from './call.ts';
import { measureConnection } from './connection.ts';
import { measureDiscovery } from './discovery.ts';
import { type Measurement, notMeasured } from './measurement.ts';
import { measureSelection } from './selection.ts';
import { isMissingEvidence } from './stage-without-evidence.ts';
import type { TrialEvidence } from './trial-evidence.ts';
import { type FailureCategory, type Stage, stages } from './vocabulary.ts';

export interface Settled {
  readonly measurements: Readonly<Record<Stage, Measurement>>;
  readonly category?: FailureCategory;
}

export function settleUnmeasured(evidence: TrialEvidence): Settled | undefined {
  if (evidence.refusedAt !== undefined) {
    return { measurements: settleRefused(evidence, evidence.refusedAt) };
  }
  if (evidence.blockedByPolicy) {
    return { measurements: everyStage(notMeasured('blockedByPolicy')) };
  }
  if (isSetupAbort(evidence)) {
    return { measurements: measureAbortedSetup(evidence), category: 'setup' };
  }
  if (evidence.diverged) return { measurements: everyStage(notMeasured('lifecycleStopped')) };
  if (stoppedStatuses.includes(evidence.status)) {
    return { measurements: everyStage(notMeasured('lifecycleStopped')), category: 'setup' };
  }
  return undefined;
}

const stoppedStatuses: readonly string[] = ['cancelled', 'timed_out', 'skipped'];

/**
 * A trial with a failed model provider was not aborted in its set-up, since it had already called
 * the model.
 */
function isSetupAbort(evidence: TrialEvidence): boolean {
  if (evidence.status === 'setup_failed') return true;
  const { spans, turns, assertions, toolErrors, renders, judge } = evidence;
  return (
    evidence.status === 'failed' &&
    !evidence.tracePresent &&
    !evidence.providerError &&
    judge?.status !== 'scored' &&
    [spans, turns, assertions, toolErrors, renders].every((list) => list.length === 0)
  );
}

function measureAbortedSetup(evidence: TrialEvidence): Settled['measurements'] {
  const signals = { ...evidence, spans: [], assertions: [] };
  const connection = measureConnection(signals);
  const discovery = measureDiscovery(signals, connection);
  return {
    ...everyStage(aborted),
    connection: isMissingEvidence(connection.reason) ? aborted : connection,
    discovery: isMissingEvidence(discovery.reason) ? aborted : discovery,
  };
}

const aborted = notMeasured('setupAborted');

function everyStage(measurement: Measurement): Settled['measurements'] {
  return {
    connection: measurement,
    discovery: measurement,
    selection: measurement,
    call: measurement,
    response: measurement,
    userValue: measurement,
  };
}

/**
 * Settles a trial that ended because a policy refused a call. Stages that passed before the call
 * stay passed. The call's stage and all later stages are blocked. Nothing fails, since the outcome
 * without the refusal is unknown.
 */
function settleRefused(
  evidence: TrialEvidence,
  refusedAt: Stage,
): Readonly<Record<Stage, Measurement>> {
  const connection = measureConnection(evidence);
  const seen: Readonly<Partial<Record<Stage, Measurement>>> = {
    connection,
    discovery: measureDiscovery(evidence, connection),
    ...(evidence.isChoiceOpen !== true && { selection: measureSelection(evidence) }),
    call: measureCall(evidence),
  };
  const settle = (stage: Stage): Measurement => {
    const measured = seen[stage];
    const isBefore = stages.indexOf(stage) < stages.indexOf(refusedAt);
    return isBefore && measured?.state === 'passed' ? measured : notMeasured('blockedByPolicy');
  };
  return {
    connection: settle('connection'),
    discovery: settle('discovery'),
    selection: settle('selection'),
    call: settle('call'),
    response: settle('response'),
    userValue: settle('userValue'),
  };
}
