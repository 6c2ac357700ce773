/** The operations of the page behind a share link, typed by their rows. */
import { acceptNotice } from './accept-notice.ts';
import { answerApproval } from './answer-approval.ts';
import { createVisitorSession } from './create-visitor-session.ts';
import { endVisitorSession } from './end-visitor-session.ts';
import { eraseVisitorSession } from './erase-visitor-session.ts';
import { getVisitorSession } from './get-visitor-session.ts';
import { giveFeedback } from './give-feedback.ts';
import { redeemShareLink } from './redeem-share-link.ts';
import { stopVisitorTurn } from './stop-visitor-turn.ts';
import { takeVisitorTurn } from './take-visitor-turn.ts';
import type { VisitAction, VisitActionId } from './visit-action.ts';

export const visitActions: { readonly [Id in VisitActionId]: VisitAction<Id> } = {
  acceptNotice,
  answerApproval,
  createVisitorSession,
  endVisitorSession,
  eraseVisitorSession,
  getVisitorSession,
  giveFeedback,
  redeemShareLink,
  stopVisitorTurn,
  takeVisitorTurn,
};
