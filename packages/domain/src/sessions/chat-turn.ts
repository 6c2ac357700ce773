import type { Refusal } from '../kernel/refusal.ts';
import type { VisitorTurnStatus } from '../user-testing/visit-bounds.ts';

export const chatBounds = {
  /** The limit per conversation; each message has at most two answers. */
  messages: 100,
  messageIdCharacters: 64,
  titleCharacters: 120,
  /** The limit per organization, over all its members. */
  turnsAtOnce: 16,
} as const;

export const chatTargetKinds = ['environment', 'client', 'server'] as const;
export type ChatTargetKind = (typeof chatTargetKinds)[number];

export const chatLanes = [0, 1] as const;
export type ChatLane = (typeof chatLanes)[number];

interface AnswerOfMessage {
  readonly ordinal: number;
  readonly lane: number;
  readonly status: VisitorTurnStatus;
}

/**
 * Returns one answer per message, in order. A message may have two answers, one in each lane; the
 * answer in the given lane is preferred. Answers in progress, and answers whose process died, are
 * left out, since their text is unknown.
 */
export function chatOfLane<Turn extends AnswerOfMessage>(
  turns: readonly Turn[],
  lane: number,
): Turn[] {
  const chosen = new Map<number, Turn>();
  for (const turn of turns) {
    if (!['completed', 'failed', 'stopped'].includes(turn.status)) continue;
    const before = chosen.get(turn.ordinal);
    const isNearer = before === undefined || (before.lane !== lane && turn.lane === lane);
    if (isNearer) chosen.set(turn.ordinal, turn);
  }
  return [...chosen.values()].sort((one, other) => one.ordinal - other.ordinal);
}

export const tooManyChatTurns: Refusal = {
  code: 'RATE_LIMITED',
  message: 'Too many answers are being written in this organization; wait for one to end.',
  details: { reason: 'CONCURRENT_CHAT_TURNS', limit: chatBounds.turnsAtOnce },
};

export const chatIsAnothers: Refusal = {
  code: 'FORBIDDEN',
  message: 'Only the person who began this conversation can continue or change it.',
};
