import { ApiError } from '@proofmark/client';
import { ConversationGone } from './visit-calls.ts';

export interface Limit {
  readonly text: string;
  /** Time at which the limit ends. Absent if the limit never ends or depends on another person. */
  readonly endsAt?: number;
}

export interface Closed {
  readonly title: string;
  readonly text: string;
  readonly maySignIn?: true;
}

export type ErrorMeaning =
  | { readonly kind: 'stale' | 'consent' | 'ended' | 'silent' | 'running' | 'gone' }
  | { readonly kind: 'closed'; readonly closed: Closed }
  | { readonly kind: 'limit'; readonly limit: Limit }
  | { readonly kind: 'problem'; readonly text: string };

/**
 * Translates an error into its meaning for the visitor. `opening` is true while the link is being
 * opened, before any message.
 */
export function meaningOf(error: unknown, nowMs: number, opening = false): ErrorMeaning {
  if (!(error instanceof ApiError)) return { kind: 'problem', text: unreachable };
  if (error instanceof ConversationGone) return { kind: 'gone' };
  const { reason, code, endedBy } = error.details;
  if (error.status === 429) return { kind: 'limit', limit: limitOf(error, nowMs) };
  const known = reasons[String(reason)];
  if (reason === 'SCENARIO_ACCESS_DENIED') {
    return { kind: 'closed', closed: opening ? notAdmitted : shutOut };
  }
  if (reason === 'SESSION_ENDED' && endedBy === 'idle') return { kind: 'silent' };
  if (known !== undefined) return known;
  if (error.status === 401) return { kind: 'closed', closed: shutOut };
  if (error.status === 403) return { kind: 'closed', closed: closedForNow };
  if (error.status === 404) return { kind: 'closed', closed: deadLink };
  if (error.status === 409 && code !== undefined) return { kind: 'closed', closed: closedForNow };
  return { kind: 'problem', text: error.status >= 500 ? ownFault : error.message };
}

function limitOf({ details, retryAfterSeconds }: ApiError, nowMs: number): Limit {
  const { resetsAt, limit } = details;
  const waitMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
  const endsAt =
    typeof resetsAt === 'number' ? resetsAt : waitMs === undefined ? undefined : nowMs + waitMs;
  const text = limitTexts[String(limit)] ?? 'This assistant accepts no messages at the moment.';
  return { text, ...(endsAt !== undefined && { endsAt }) };
}

const limitTexts: Readonly<Record<string, string>> = {
  dailyCreditCap: 'The credits of this assistant for today are used up.',
  sessionsPerDay: 'You have begun the most conversations that are allowed in a day.',
  visitorTurnsPerMinute: 'That was a lot of messages in a short time.',
  scenarioTurnsPerMinute: 'Many people are writing to this assistant at this moment.',
  guestTurnsAtOnce: 'Many people are being answered at this moment.',
  visitorTurnsAtOnce: 'Another conversation of yours is being answered at this moment.',
  scenarioTurnsAtOnce: 'Many people are being answered at this moment.',
  visitorRedeemsPerMinute: 'This link was opened many times in a short time.',
  visitorIdentitiesPerHour: 'Many new visitors came from your network within an hour.',
  linkIdentitiesPerHour: 'Many new visitors opened this link within an hour.',
};

const closedForNow: Closed = {
  title: 'Closed for now',
  text: 'This assistant is not available at the moment. Try this link again later, or ask whoever sent it to you.',
};

const deadLink: Closed = {
  title: 'This link does not work',
  text: 'It may have been replaced or closed, or a part of it was lost on the way. Ask whoever sent it to you for a new one.',
};

const notAdmitted: Closed = {
  title: 'This link is not open to everybody',
  text: 'Sign in if you have an account here, or ask whoever sent you this link for an invitation. An invitation works once, in one browser.',
  maySignIn: true,
};

const shutOut: Closed = {
  title: 'This conversation was closed',
  text: 'You can read what was said as long as this page is open, and delete it. To go on, open the link again; where it does not let you in, sign in or ask for an invitation.',
};

const noGuests: Closed = {
  title: 'Closed for now',
  text: 'This assistant answers nobody without an account at the moment. Ask whoever sent you this link.',
};

const reasons: Readonly<Record<string, ErrorMeaning>> = {
  SCENARIO_ACCESS_STALE: { kind: 'stale' },
  CONSENT_REQUIRED: { kind: 'consent' },
  SESSION_ENDED: { kind: 'ended' },
  TURN_RUNNING: { kind: 'running' },
  FEATURE_UNAVAILABLE: { kind: 'closed', closed: closedForNow },
  GUEST_EXECUTION_DISABLED: { kind: 'closed', closed: noGuests },
  MODEL_UNPRICED: { kind: 'closed', closed: noGuests },
  SESSION_FULL: {
    kind: 'limit',
    limit: { text: 'This conversation has reached its maximum length. End it to begin another.' },
  },
};

/**
 * The explanation for a conversation that the service did not find. The page cannot know which of
 * the two reasons applies.
 */
export const goneWords =
  'It was deleted before, or it is kept for somebody else: if you have signed in or out since, go back to how you were then to read or delete it.';

const unreachable = 'This assistant cannot be reached. Check your connection and try again.';
const ownFault = 'Something went wrong on our side. Try again shortly.';
