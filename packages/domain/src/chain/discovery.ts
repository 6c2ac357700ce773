/**
 * The discovery stage. A successful tools/list signal or a listed tool passes it; any tool call
 * implies that it passed. A failed listing counts as the server's failure only if the error was
 * attributed to the server (`theirs`) and the connection succeeded. A failed assertion about the
 * listed tools fails the stage, since the listing was readable.
 */
import { assertionsOf } from './assertion-owner.ts';
import { failed, type Measurement, notMeasured, passed } from './measurement.ts';
import { stageWithoutSignal } from './stage-without-evidence.ts';
import { isToolSpan } from './tool-spans.ts';
import type { TrialEvidence } from './trial-evidence.ts';

export function measureDiscovery(evidence: TrialEvidence, connection: Measurement): Measurement {
  const listed = measureListing(evidence, connection);
  if (listed.state === 'failed') return listed;
  const { broken, held, hasUnanswered } = assertionsOf('discovery', evidence);
  if (broken.length > 0) {
    return failed('predicateFailed', { reasons: broken.map(({ reason }) => reason) });
  }
  if (hasUnanswered) return notMeasured('evaluatorError');
  return held.length > 0 && listed.state !== 'passed' ? passed('observed') : listed;
}

function measureListing(evidence: TrialEvidence, connection: Measurement): Measurement {
  const { toolsList, toolCount = 0 } = evidence;
  if (toolsList?.ok || toolCount > 0) return passed('observed');
  const spans = evidence.spans.filter(isToolSpan);
  if (spans.length > 0) return passed('impliedByLaterEvidence', { spans });
  if (toolsList === undefined) return notMeasured(stageWithoutSignal(evidence));
  if (toolsList.attribution === 'ours') return notMeasured('setupAborted');
  return toolsList.attribution === 'theirs' && connection.state === 'passed'
    ? failed('toolsListFailed')
    : notMeasured('egressUnverified');
}
