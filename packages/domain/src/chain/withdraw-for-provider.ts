/**
 * When the call to the model itself failed, what was not seen proves nothing. A stage that lacks
 * evidence lacks it because of the provider, and a failure that rests on an absence is withdrawn
 * together with its evidence. A failure that rests on something seen stands.
 */
import { isWantOfEvidence } from './evidence-floor.ts';
import { type Measurement, notMeasured } from './measurement.ts';
import type { StageReason } from './vocabulary.ts';

export function withdrawForProvider(measurement: Measurement): Measurement {
  const { reason } = measurement;
  return isWantOfEvidence(reason) || absenceFailures.includes(reason)
    ? notMeasured('providerError')
    : measurement;
}

const absenceFailures: readonly StageReason[] = [
  'missingToolCall',
  'predicateFailed',
  'judgePartial',
  'judgeFailed',
];
