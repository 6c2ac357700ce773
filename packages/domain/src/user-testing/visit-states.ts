import type { Refusal } from '../kernel/refusal.ts';

function conflict(reason: string, message: string, more: Refusal['details'] = {}): Refusal {
  return { code: 'CONFLICT', message, details: { reason, ...more } };
}

export const visitConflicts = {
  sessionEnded: conflict('SESSION_ENDED', 'This conversation has ended; begin another one.'),
  sessionSilent: conflict(
    'SESSION_ENDED',
    'This conversation was idle for too long; begin another one.',
    { endedBy: 'idle' },
  ),
  sessionFull: conflict(
    'SESSION_FULL',
    'This conversation has reached its maximum length; begin another one.',
  ),
  turnRunning: conflict(
    'TURN_RUNNING',
    'The previous message is still being answered; wait for the answer, then send the message again.',
  ),
  turnInterrupted: conflict('TURN_INTERRUPTED', 'The answer was interrupted; send it again.'),
  feedbackOff: conflict('FEEDBACK_OFF', 'The owner of this link does not ask for ratings.'),
  notReady: conflict('NOT_READY', 'This answer is not stored yet; try again shortly.'),
  approvalOver: conflict('APPROVAL_OVER', 'This approval was already answered or has expired.'),
  argumentsChanged: conflict(
    'ARGUMENTS_CHANGED',
    'The arguments of this call have changed since they were shown; load the conversation again, then decide.',
  ),
} as const;
