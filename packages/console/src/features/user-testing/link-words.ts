/** The texts that the owner of a published link sees about the link. */
import type { OutputOf, ScenarioDetail } from '@proofmark/contract';
import { count } from '@proofmark/domain';

export type Mode = NonNullable<ScenarioDetail['mode']>;
type VisitorSession = OutputOf<'listUserTestingSessions'>['items'][number];

export const modeWords: Readonly<Record<Mode, string>> = {
  project_members: 'Members of this project',
  invited_only: 'Members of this project, and invited people',
  anyone_with_link: 'Anybody who has the link',
};

export const feedbackWords: Readonly<Record<ScenarioDetail['feedback'], string>> = {
  off: 'No ratings',
  stars: 'Stars, 1 to 5',
  thumbs: 'Helpful or not helpful',
};

export const outcomeWords: Readonly<Record<NonNullable<VisitorSession['outcome']>, string>> = {
  completed: 'completed',
  partial: 'completed after an error',
  errored: 'ended on a tool error',
  unresolved: 'no tool helped',
  unclear: 'unclear',
};

/** Returns the line of details below a visitor's first message. */
export function sessionFacts(session: VisitorSession): string {
  const { visitor, messageCount, toolCallCount = 0, toolErrorCount, outcome } = session;
  return [
    visitor.displayName ?? 'Somebody',
    ...(visitor.recency === 'returning' ? ['came back'] : []),
    ...(visitor.deviceKind === undefined ? [] : [visitor.deviceKind]),
    count(messageCount, 'message'),
    count(toolCallCount, 'call'),
    ...(toolErrorCount > 0 ? [count(toolErrorCount, 'tool error')] : []),
    outcome === undefined ? 'going on' : outcomeWords[outcome],
  ].join(' · ');
}

export function ratingWords({ rating, count: ratings }: VisitorSession['feedback']): string {
  if (rating === null) return 'not rated';
  return `${rating} of 5${ratings > 1 ? `, the lowest of ${ratings}` : ''}`;
}

/** Rounds credits up to two decimals, so that the amount is never stated too low. */
export function creditWords(credits: number): string {
  return (Math.ceil(credits * 100) / 100).toString();
}

/** Describes a segment of visitors, such as `guest-returning`. */
export function segmentWords(segment: string): string {
  const [authType, recency] = segment.split('-');
  const who = authType === 'signedIn' ? 'Signed in' : 'Without an account';
  return `${who}, ${recency === 'returning' ? 'came back' : 'first visit'}`;
}

/** Formats a rate; null means that there was nothing to divide by. */
export function percentWords(rate: number | null): string {
  return rate === null ? 'none yet' : `${Math.round(rate * 1000) / 10} %`;
}

/** Returns whether the link works only on the machine that serves it. */
export function onlyHere(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}
