/** The view of a widget in words. */
import type { OutputOf } from '@proofmark/contract';
import { unrendered } from '@proofmark/domain';
import { durationWords } from '../../kit/duration-words.ts';

/** The fields that a trial and a preview share. */
export type SeenOfWidget = Omit<OutputOf<'previewWidget'>, 'answers' | 'pictures'>;

export interface SeenSentence {
  readonly tone: 'pass' | 'fail' | 'hold' | 'none';
  readonly sentence: string;
}

/** Failures of the service's own browser, which are no evidence against the widget. */
const ours: readonly unknown[] = ['screenshot_failed', 'browser_unavailable'];

export function seenSentence(toolName: string, seen: SeenOfWidget): SeenSentence {
  const { status, elapsedMs, message } = seen;
  if (status === null) {
    return { tone: 'none', sentence: message ?? 'How it was shown was not reported.' };
  }
  const why = unrendered({
    toolName,
    status,
    elapsedMs: elapsedMs ?? undefined,
    message: message ?? undefined,
  });
  if (why !== undefined) return { tone: ours.includes(status) ? 'hold' : 'fail', sentence: why };
  const time = elapsedMs === null ? '' : ` in ${durationWords(elapsedMs)}`;
  return { tone: 'pass', sentence: `Rendered${time}.` };
}

const lists: Readonly<Record<string, readonly [string, string]>> = {
  consoleLines: ['console line', 'console lines'],
  calls: ['call', 'calls'],
  messages: ['message', 'messages'],
  links: ['link', 'links'],
  refused: ['refused request', 'refused requests'],
  pictures: ['picture', 'pictures'],
};

/** Returns a sentence about omitted parts, or undefined. */
export function droppedSentence(dropped: SeenOfWidget['dropped']): string | undefined {
  const told = Object.entries(dropped).flatMap(([list, count]) => {
    const [one, many] = lists[list] ?? ['entry', 'entries'];
    return count > 0 ? [`${count.toLocaleString('en-US')} more ${count === 1 ? one : many}`] : [];
  });
  if (told.length === 0) return undefined;
  return `${told.join(', ')} came and ${told.length === 1 && told[0]?.startsWith('1 ') ? 'was' : 'were'} not kept.`;
}

export const refusedWords = {
  request: 'a request',
  navigation: 'to leave its page',
  popup: 'a window',
  download: 'a download',
  dialog: 'a dialog',
  webSocket: 'a WebSocket',
} as const;
