/** The refusals of calls by a visitor who was admitted. */
import type { Refusal } from '../kernel/refusal.ts';

function conflict(reason: string, message: string, more: Refusal['details'] = {}): Refusal {
  return { code: 'CONFLICT', message, details: { reason, ...more } };
}

export const visitConflicts = {
  sessionEnded: conflict('SESSION_ENDED', 'This conversation has ended; begin another.'),
  sessionSilent: conflict(
    'SESSION_ENDED',
    'This conversation was idle for too long; begin another one.',
    { endedBy: 'idle' },
  ),
  sessionFull: conflict('SESSION_FULL', 'This conversation has reached its maximum length.'),
  turnRunning: conflict('TURN_RUNNING', 'The previous message is still being answered.'),
  turnInterrupted: conflict('TURN_INTERRUPTED', 'The answer was interrupted; send it again.'),
  feedbackOff: conflict('FEEDBACK_OFF', 'The owner of this link does not ask for ratings.'),
  notReady: conflict('NOT_READY', 'This answer is not stored yet; try again shortly.'),
  approvalOver: conflict(
    'APPROVAL_OVER',
    'This approval was answered already, or its time is over.',
  ),
  argumentsChanged: conflict(
    'ARGUMENTS_CHANGED',
    'The arguments of this call are not those that the decision was made for.',
  ),
} as const;
