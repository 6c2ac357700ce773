/**
 * Rate limits for starting work that costs credits, per organization, for all its API keys
 * together.
 */
import type { RateLimit } from '../limits/token-bucket.ts';

export const brakes = {
  launch: { perMinute: 30, burst: 10 },
  generation: { perMinute: 6, burst: 3 },
  insights: { perMinute: 6, burst: 3 },
  providerTest: { perMinute: 6, burst: 3 },
} as const satisfies Readonly<Record<string, RateLimit>>;

export type BrakeName = keyof typeof brakes;
