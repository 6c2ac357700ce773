/**
 * The first place at which two conversations differ: something else was said, another call was made,
 * or the same call came back with something else.
 */
import { canonicalJson, capText, cleanText } from '@proofmark/domain';
import { callText } from '@proofmark/report';
import type { ConversationEntry, ConversationTurn } from '../trials/read-conversation.ts';

/** A place in a conversation: the turn, and the entry in it, both from 0. */
export interface EntryPlace {
  readonly turn: number;
  readonly entry: number;
}

export interface FirstDifference {
  /** The place on each side; undefined if that conversation ended before. */
  readonly base: EntryPlace | undefined;
  readonly compare: EntryPlace | undefined;
  readonly baseWords: string;
  readonly compareWords: string;
}

/** Returns undefined if nothing differs. */
export function firstDifference(
  base: readonly ConversationTurn[],
  compare: readonly ConversationTurn[],
): FirstDifference | undefined {
  const [ofBase, ofCompare] = [placed(base), placed(compare)];
  for (let at = 0; at < Math.max(ofBase.length, ofCompare.length); at += 1) {
    const [one, other] = [ofBase[at], ofCompare[at]];
    if (one !== undefined && other !== undefined && isSame(one, other)) continue;
    const isResult = one !== undefined && other !== undefined && askedOf(one) === askedOf(other);
    return {
      base: one?.place,
      compare: other?.place,
      baseWords: wordsOf(one?.entry, isResult),
      compareWords: wordsOf(other?.entry, isResult),
    };
  }
  return undefined;
}

interface Placed {
  readonly entry: ConversationEntry;
  readonly place: EntryPlace;
}

function placed(turns: readonly ConversationTurn[]): Placed[] {
  return turns.flatMap(({ index: turn, entries }) =>
    entries.map((entry, at) => ({ entry, place: { turn, entry: at } })),
  );
}

function isSame(one: Placed, other: Placed): boolean {
  return askedOf(one) === askedOf(other) && answerOf(one) === answerOf(other);
}

/** Everything about an entry but the result of a call. */
function askedOf({ entry, place }: Placed): string {
  return entry.kind === 'call'
    ? `${place.turn} call ${entry.name} ${canonicalJson(entry.input ?? {})}`
    : `${place.turn} ${entry.role} ${entry.text}`;
}

function answerOf({ entry }: Placed): string {
  if (entry.kind !== 'call' || entry.result === undefined) return '';
  const { value, isError } = entry.result;
  return canonicalJson({ value: value ?? null, isError });
}

function wordsOf(entry: ConversationEntry | undefined, isResult: boolean): string {
  if (entry === undefined) return 'nothing more';
  if (entry.kind !== 'call') {
    return `${cleanText(entry.role, false)} said “${capText(cleanText(entry.text, false), longest)}”`;
  }
  const call = callText({ toolName: entry.name, arguments: entry.input ?? {} });
  if (!isResult) return `${capText(cleanText(call, false), longest)} was called`;
  if (entry.result === undefined) return `${entry.name} returned nothing`;
  const value = cleanText(JSON.stringify(entry.result.value) ?? '', false);
  const how = entry.result.isError ? ' as an error' : '';
  return `${cleanText(entry.name, false)} returned ${capText(value, longest)}${how}`;
}

const longest = 160;
