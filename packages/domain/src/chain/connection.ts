/**
 * The connection stage. A successful connect signal passes it. A tool call that reached the server,
 * or tools that the server listed, imply that it passed. A failed connect fails the stage only if
 * the error was attributed to the server (`theirs`) and the service's own outgoing connections
 * worked.
 */

import { failed, type Measurement, notMeasured, passed } from './measurement.ts';
import { stageWithoutSignal } from './stage-without-evidence.ts';
import { isToolSpan, isTransportLocal } from './tool-spans.ts';
import type { TrialEvidence } from './trial-evidence.ts';

export function measureConnection(evidence: TrialEvidence): Measurement {
  const { connect, toolCount = 0 } = evidence;
  if (connect?.ok) return passed('observed');
  const spans = evidence.spans.filter((span) => isToolSpan(span) && !isTransportLocal(span));
  if (spans.length > 0 || toolCount > 0) return passed('impliedByLaterEvidence', { spans });
  if (connect === undefined) return notMeasured(stageWithoutSignal(evidence));
  if (connect.attribution === 'ours') return notMeasured('setupAborted');
  return connect.attribution === 'theirs' && connect.egressVerified
    ? failed('connectFailed')
    : notMeasured('egressUnverified');
}
