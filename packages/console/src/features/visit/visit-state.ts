/** Where a visit stands, as the page shows it. */
import type { Closed, Limit } from './refusal-meaning.ts';
import { openCall, type TurnView } from './turn-view.ts';
import type { RedeemedLink } from './visit-calls.ts';

export interface VisitState {
  readonly isPreview: boolean;
  /** Nothing until the link was opened. */
  readonly link?: RedeemedLink | undefined;
  readonly closed?: Closed | undefined;
  readonly limit?: Limit | undefined;
  /** Passes, and hinders nothing. */
  readonly problem?: string | undefined;
  /** Whether there is a conversation of before is not known yet, or it could not be read: what is said now would begin another. */
  readonly isUnread?: boolean;
  readonly sessionId?: string | undefined;
  readonly ended?: 'ended' | 'silent' | 'erased' | 'gone' | undefined;
  readonly turns: readonly TurnView[];
  /** What was written and not taken; it goes back to where it was written. */
  readonly unsent?: string | undefined;
  readonly isBusy: boolean;
  readonly endRating?: number | undefined;
  /** Conversations of this browser behind this link, beside the one that is open. */
  readonly earlier: readonly string[];
}

export type VisitStateName =
  | 'resolving'
  | 'notice'
  | 'chatting'
  | 'approval'
  | 'limit'
  | 'ended'
  | 'closed';

export function stateName(state: VisitState): VisitStateName {
  const { link, closed, limit, ended, turns } = state;
  if (closed !== undefined) return 'closed';
  if (state.isUnread) return 'resolving';
  if (link === undefined) return limit === undefined ? 'resolving' : 'limit';
  if (ended !== undefined) return 'ended';
  if (!link.consented) return 'notice';
  const last = turns.at(-1);
  if (last !== undefined && openCall(last) !== undefined) return 'approval';
  return limit === undefined ? 'chatting' : 'limit';
}
