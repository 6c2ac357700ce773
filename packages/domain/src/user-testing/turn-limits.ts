/**
 * Decides whether a visitor's turn may start while others are running. Each running turn occupies a
 * place, and a visitor has at most one, so nobody can take all places. A turn that waits for the
 * visitor's approval occupies no place, so a visitor who does not answer blocks nobody.
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

/** Returns undefined if there is a place. */
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
      ? 'Another conversation of yours is being answered; try again when that answer is complete.'
      : 'Too many people are being answered at this moment; try again shortly.';
  return new Refused(
    { code: 'RATE_LIMITED', message, details: { reason: 'TURNS_AT_ONCE', ...full } },
    { 'retry-after': '2' },
  );
}
