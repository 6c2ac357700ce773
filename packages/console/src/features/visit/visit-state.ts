import type { Closed, Limit } from './refusal-meaning.ts';
import { openCall, type TurnView } from './turn-view.ts';
import type { RedeemedLink } from './visit-calls.ts';

export interface VisitState {
  readonly isPreview: boolean;
  /** Undefined until the link is open. */
  readonly link?: RedeemedLink | undefined;
  readonly closed?: Closed | undefined;
  readonly limit?: Limit | undefined;
  /** A temporary problem, which does not prevent further messages. */
  readonly problem?: string | undefined;
  /**
   * Whether the previous conversation is not loaded yet, or could not be loaded. A message sent in
   * this state would start a new conversation.
   */
  readonly isUnread?: boolean;
  readonly sessionId?: string | undefined;
  readonly ended?: 'ended' | 'silent' | 'erased' | 'gone' | undefined;
  readonly turns: readonly TurnView[];
  /** The text of a rejected message, which is put back into the text box. */
  readonly unsent?: string | undefined;
  readonly isBusy: boolean;
  readonly endRating?: number | undefined;
  /** Ids of this browser's other conversations for the same link. */
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
