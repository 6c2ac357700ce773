/**
 * The walk rule: every stage after the first failed one is not reached, whatever was measured for
 * it.
 */
import type { Measurement } from './measurement.ts';

export function walkStages(measurements: readonly Measurement[]): readonly Measurement[] {
  const firstFailed = measurements.findIndex((measurement) => measurement.state === 'failed');
  if (firstFailed === -1) return measurements;
  return measurements.map((measurement, index) => (index > firstFailed ? notReached : measurement));
}

const notReached: Measurement = { state: 'notReached', reason: 'earlierStageFailed' };
