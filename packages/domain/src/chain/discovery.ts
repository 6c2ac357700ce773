/**
 * Discovery: a good tools/list signal or a listed tool is seen; any tool call implies it. A failed
 * list is the server's failure only when its shape says `theirs` and the connection held.
 */
import { signalFloor } from './evidence-floor.ts';
import { failed, type Measurement, notMeasured, passed } from './measurement.ts';
import { isToolSpan } from './tool-spans.ts';
import type { TrialEvidence } from './trial-evidence.ts';

export function measureDiscovery(evidence: TrialEvidence, connection: Measurement): Measurement {
  const { toolsList, toolCount = 0 } = evidence;
  if (toolsList?.ok || toolCount > 0) return passed('observed');
  const spans = evidence.spans.filter(isToolSpan);
  if (spans.length > 0) return passed('impliedByLaterEvidence', { spans });
  if (toolsList === undefined) return notMeasured(signalFloor(evidence));
  if (toolsList.attribution === 'ours') return notMeasured('setupAborted');
  return toolsList.attribution === 'theirs' && connection.state === 'passed'
    ? failed('toolsListFailed')
    : notMeasured('egressUnverified');
}
