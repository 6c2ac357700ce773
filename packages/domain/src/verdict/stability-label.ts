/**
 * The label is computed for display and never stored. A single trial does not show whether a case
 * is stable.
 */
export const stabilityLabels = [
  'stable pass',
  'stable fail',
  'mixed',
  'single trial',
  'unmeasured',
] as const;
export type StabilityLabel = (typeof stabilityLabels)[number];

export function stabilityLabel(counts: {
  readonly eligibleTrials: number;
  readonly passedTrials: number;
}): StabilityLabel {
  const { eligibleTrials, passedTrials } = counts;
  if (eligibleTrials === 0) return 'unmeasured';
  if (eligibleTrials === 1) return 'single trial';
  if (passedTrials === eligibleTrials) return 'stable pass';
  return passedTrials === 0 ? 'stable fail' : 'mixed';
}
