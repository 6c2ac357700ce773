import type { OutputOf } from '@proofmark/contract';
import { newTurn, type TurnView, withLine } from '../visit/index.ts';

export type ChatRead = OutputOf<'getChatSession'>;
export type ChatTurnRead = ChatRead['turns'][number];

export interface ChatAnswer {
  readonly lane: 0 | 1;
  readonly modelId: string;
  readonly view: TurnView;
}

export interface ChatMessage {
  readonly messageId: string;
  readonly text: string;
  readonly answers: readonly ChatAnswer[];
}

/** A streamed answer. It is shown until the stored turn is loaded. */
export interface LiveAnswer extends ChatAnswer {
  readonly messageId: string;
}

/**
 * Merges stored and streamed turns. While a stored turn is running, its streamed version is newer
 * and replaces it.
 */
export function messagesOfChat(
  turns: readonly ChatTurnRead[],
  live: readonly LiveAnswer[],
): ChatMessage[] {
  const messages = new Map<string, { text: string; answers: Map<number, ChatAnswer> }>();
  const at = (messageId: string, text: string) => {
    const known = messages.get(messageId) ?? { text, answers: new Map<number, ChatAnswer>() };
    messages.set(messageId, known);
    return known.answers;
  };
  for (const turn of turns) {
    const { messageId, text, lane, modelId } = turn;
    at(messageId, text).set(lane, { lane, modelId, view: viewOfTurn(turn) });
  }
  for (const { messageId, lane, modelId, view } of live) {
    const answers = at(messageId, view.text);
    const read = answers.get(lane);
    const isOlder = read !== undefined && read.view.status !== 'running' && isSame(read.view, view);
    if (!isOlder) answers.set(lane, { lane, modelId, view });
  }
  return [...messages].map(([messageId, { text, answers }]) => ({
    messageId,
    text,
    answers: [...answers.values()].sort((one, other) => one.lane - other.lane),
  }));
}

function isSame(read: TurnView, live: TurnView): boolean {
  return live.turnId === undefined || live.turnId === read.turnId;
}

function viewOfTurn({ messageId, turnId, text, status, lines }: ChatTurnRead): TurnView {
  const view = lines.reduce(withLine, { ...newTurn(messageId, text), turnId });
  return { ...view, status: status === 'awaitingApproval' ? 'running' : status };
}

export function goesOn(messages: readonly ChatMessage[]): boolean {
  return messages.some(({ answers }) => answers.some(({ view }) => view.status === 'running'));
}

/** Returns a number that grows with every addition, also during streaming. */
export function shownLength(messages: readonly ChatMessage[]): number {
  const parts = messages.flatMap(({ answers }) => answers.flatMap(({ view }) => view.parts));
  const lengths = parts.map((part) => 1 + (part.kind === 'text' ? part.text.length : 0));
  return lengths.reduce((sum, length) => sum + length, messages.length);
}

/**
 * Returns the last ended answer of each lane, to create a case from it. If two models answer side
 * by side, each has its own lane.
 */
export function lanesOf(messages: readonly ChatMessage[]): readonly ChatAnswer[] {
  const last = new Map<number, ChatAnswer>();
  for (const answer of messages.flatMap(({ answers }) => answers)) {
    if (answer.view.status !== 'running') last.set(answer.lane, answer);
  }
  return [...last.values()].sort((one, other) => one.lane - other.lane);
}

export function heldWithWords({ target, servers, asksFirst, ownedByViewer }: ChatRead): string {
  if (target === null) return 'Nothing can be said here any more.';
  const kind = { environment: 'the environment', client: 'the client', server: 'the server' };
  const who = ownedByViewer ? 'You talk' : 'A colleague talks';
  const with_ = `${who} to ${kind[target.kind]} ${target.name ?? 'that was deleted'}`;
  const names = servers.map(({ name }) => name).join(', ');
  const on = target.kind === 'server' || names === '' ? '' : ` with ${names}`;
  const calls = asksFirst
    ? `${ownedByViewer ? 'You are' : 'They are'} asked before each call of a tool.`
    : `Each call of a tool is shown in its place; ${ownedByViewer ? 'you are' : 'they are'} asked before one that may change something.`;
  return `${with_}${on}. ${calls}`;
}
