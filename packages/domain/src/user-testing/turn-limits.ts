/**
 * Whether a turn of a visitor may have a place, beside those that have one. A turn that waits for its visitor's approval
 * has none, so nobody keeps others out by not answering; a visitor has one place at most, so nobody takes all of them.
 */
import { Refused } from '../kernel/refusal.ts';
import type { VisitLimits } from './visit-limits.ts';

/** Turns of one scenario that have a place. */
export interface TakenPlaces {
  readonly all: number;
  readonly anonymous: number;
  readonly ofVisitor: number;
}

export type PlaceLimits = Pick<VisitLimits, 'guestTurnsAtOnce' | 'scenarioTurnsAtOnce'>;

export interface FullPlaces {
  readonly limit: 'visitorTurnsAtOnce' | keyof PlaceLimits;
  readonly allowedValue: number;
  readonly currentValue: number;
}

/** The limit that stands in the way. */
export function fullPlaces(
  taken: TakenPlaces,
  limits: PlaceLimits,
  isAnonymous: boolean,
): FullPlaces | undefined {
  const { guestTurnsAtOnce, scenarioTurnsAtOnce } = limits;
  const bounds: readonly [FullPlaces['limit'], number | null, number][] = [
    ['visitorTurnsAtOnce', placesOfVisitor, taken.ofVisitor],
    ['guestTurnsAtOnce', isAnonymous ? guestTurnsAtOnce : null, taken.anonymous],
    ['scenarioTurnsAtOnce', scenarioTurnsAtOnce, taken.all],
  ];
  for (const [limit, allowedValue, currentValue] of bounds) {
    if (allowedValue !== null && currentValue >= allowedValue)
      return { limit, allowedValue, currentValue };
  }
  return undefined;
}

const placesOfVisitor = 1;

/** The turn that is in the way ends, but nobody knows when. */
export function tooManyTurns(full: FullPlaces): Refused {
  const message =
    full.limit === 'visitorTurnsAtOnce'
      ? 'Another conversation of yours is being answered at this moment; try again when it is done.'
      : 'Too many people are being answered at this moment; try again shortly.';
  return new Refused(
    { code: 'RATE_LIMITED', message, details: { reason: 'TURNS_AT_ONCE', ...full } },
    { 'retry-after': '2' },
  );
}
