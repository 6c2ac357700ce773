/**
 * If the call to the model itself failed, missing evidence proves nothing. Stages that were not
 * measured get the provider as their reason, except for a broken grader. A failure that depends on
 * something missing is withdrawn together with its evidence, and so is a stage that passed without
 * any call. Results from observed evidence remain.
 */
import { type Measurement, notMeasured } from './measurement.ts';
import type { StageReason } from './vocabulary.ts';

/** Withdraws a measurement. `isSilent`: the stage has no call as evidence. */
export function withdrawForProvider(measurement: Measurement, isSilent = false): Measurement {
  const { state, reason } = measurement;
  const isWithdrawn =
    (state === 'notMeasured' && reason !== 'evaluatorError') ||
    (state === 'passed' && isSilent) ||
    absenceFailures.includes(reason);
  return isWithdrawn ? notMeasured('providerError') : measurement;
}

const absenceFailures: readonly StageReason[] = [
  'missingToolCall',
  'predicateFailed',
  'judgePartial',
  'judgeFailed',
];
