export const journeyRunStatuses = [
  'running',
  'completed',
  'partial',
  'failed',
  'rate_limited',
] as const;
export type JourneyRunStatus = (typeof journeyRunStatuses)[number];

export const journeyRunErrors = ['canceled', 'stale_runner', 'run_timeout'] as const;
export type JourneyRunError = (typeof journeyRunErrors)[number];

export interface AttemptCounts {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly rateLimited: number;
}

export function journeyRunStatus(
  { total, succeeded, failed, rateLimited }: AttemptCounts,
  error: JourneyRunError | null = null,
): JourneyRunStatus {
  if (error !== null) return 'failed';
  if (succeeded + failed + rateLimited < total) return 'running';
  if (succeeded === total) return 'completed';
  if (succeeded > 0) return 'partial';
  return rateLimited === total ? 'rate_limited' : 'failed';
}
