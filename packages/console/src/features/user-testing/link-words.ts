import type { OutputOf, ScenarioDetail } from '@proofmark/contract';
import { count } from '@proofmark/domain';
import { visitOutcomeWords } from '@proofmark/report';

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

export function sessionFacts(session: VisitorSession): string {
  const { visitor, messageCount, toolCallCount = 0, toolErrorCount, outcome } = session;
  return [
    visitor.displayName ?? 'Somebody',
    ...(visitor.recency === 'returning' ? ['came back'] : []),
    ...(visitor.deviceKind === undefined ? [] : [visitor.deviceKind]),
    count(messageCount, 'message'),
    count(toolCallCount, 'call'),
    ...(toolErrorCount > 0 ? [count(toolErrorCount, 'tool error')] : []),
    outcome === undefined ? 'not over' : visitOutcomeWords[outcome],
  ].join(' · ');
}

/** Rounds up to two decimals, so that the amount is never understated. */
export function creditWords(credits: number): string {
  return (Math.ceil(credits * 100) / 100).toString();
}

export function segmentWords(segment: string): string {
  const [authType, recency] = segment.split('-');
  const who = authType === 'signedIn' ? 'Signed in' : 'Without an account';
  return `${who}, ${recency === 'returning' ? 'came back' : 'first visit'}`;
}

/** Whether the link works only on the machine that serves it. */
export function onlyHere(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}
