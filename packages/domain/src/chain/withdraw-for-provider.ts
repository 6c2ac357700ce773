/**
 * When the call to the model itself failed, what was not seen proves nothing. A stage that was not measured was not
 * because of the provider, whoever else was to be asked; a failure that rests on an absence is withdrawn together with
 * its evidence, and so is a stage that passed because nothing was called. What rests on something seen stands, and a
 * grader that broke is still said.
 */
import { type Measurement, notMeasured } from './measurement.ts';
import type { StageReason } from './vocabulary.ts';

/** `isSilent`: no call stands behind it. */
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
