/**
 * Whether a visitor's turn may start beside the running ones. Each running turn occupies a place; a
 * turn that waits for its visitor's approval occupies none, so nobody blocks others by not
 * answering. A visitor occupies at most one place, so nobody takes all of them.
 */
import { Refused } from '../kernel/refusal.ts';
import type { VisitLimits } from './visit-limits.ts';

/** The numbers of turns in one scenario that occupy a place. */
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

/** Returns the first limit that leaves no place for the turn; undefined if there is a place. */
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

/**
 * Returns the refusal. The time until a running turn ends is unknown, so a retry is suggested after
 * 2 seconds.
 */
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
