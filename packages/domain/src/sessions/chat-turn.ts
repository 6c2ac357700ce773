/** A person talks to servers in the playground: how much a conversation holds, and what it is about. */
import type { Refusal } from '../kernel/refusal.ts';
import type { VisitorTurnStatus } from '../user-testing/visit-bounds.ts';

export const chatBounds = {
  /** Of one conversation, each with at most two answers. */
  messages: 100,
  messageIdCharacters: 64,
  titleCharacters: 120,
  /** Of an organization, over all its people. */
  turnsAtOnce: 16,
} as const;

/** What a conversation is held with. */
export const chatTargetKinds = ['environment', 'client', 'server'] as const;
export type ChatTargetKind = (typeof chatTargetKinds)[number];

/** The first answer of a message, and the one beside it. */
export const chatLanes = [0, 1] as const;
export type ChatLane = (typeof chatLanes)[number];

interface AnswerOfMessage {
  readonly ordinal: number;
  readonly lane: number;
  readonly status: VisitorTurnStatus;
}

/**
 * One answer for each message, in order, as a lane reads the conversation: its own where it has one, else the other. One
 * that goes on is left out, and so is one whose process died: nobody knows what it said.
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
  message: 'This organization has too many open answers; wait for one to end.',
  details: { reason: 'CONCURRENT_CHAT_TURNS', limit: chatBounds.turnsAtOnce },
};

export const chatIsAnothers: Refusal = {
  code: 'FORBIDDEN',
  message: 'Only the person who began this conversation can continue or change it.',
};
