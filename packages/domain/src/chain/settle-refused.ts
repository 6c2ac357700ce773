/**
 * A trial that ended where a policy refused a call. What was seen to go well before that call stands; the stage of the call
 * and all after it were blocked. Nothing fails and there is no category: what would have come next is not known, so the trial
 * says nothing about the server or the model.
 */
import { measureCall } from './call.ts';
import { measureConnection } from './connection.ts';
import { measureDiscovery } from './discovery.ts';
import { type Measurement, notMeasured } from './measurement.ts';
import { measureSelection } from './selection.ts';
import type { TrialEvidence } from './trial-evidence.ts';
import { type Stage, stages } from './vocabulary.ts';

export function settleRefused(
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
