/**
 * One widget as a user would have seen it: the result of rendering, pictures and events. Text from
 * the widget is shown as plain text.
 */

import type { OutputOf } from '@proofmark/contract';
import { cleanText, unrendered } from '@proofmark/domain';
import { type ReactNode, useState } from 'react';
import { RawJson } from '../../kit/contents/raw-json.tsx';
import { durationWords } from '../../kit/duration-words.ts';
import { type ShownPicture, WidgetPictures } from './widget-pictures.tsx';

const shownAtOnce = 8;

export function WidgetSeen(props: {
  toolName: string;
  seen: SeenOfWidget;
  pictures: readonly ShownPicture[];
}) {
  const { toolName, seen, pictures } = props;
  const { tone, sentence } = seenSentence(toolName, seen);
  const dropped = droppedSentence(seen.dropped);
  const isQuiet = [seen.consoleLines, seen.calls, seen.messages, seen.links, seen.refused].every(
    ({ length }) => length === 0,
  );
  return (
    <div className="widget-seen">
      <p role="status" className="widget-status">
        <b className={`tone-${tone}`}>
          <bdi>{cleanText(sentence, false)}</bdi>
        </b>
      </p>
      {pictures.length > 0 && <WidgetPictures toolName={toolName} pictures={pictures} />}
      <Part title="Console" entries={seen.consoleLines}>
        {({ level, text, atMs }) => (
          <>
            <span className={level === 'error' ? 'tone-fail' : 'hint'}>{level}</span>{' '}
            <Foreign text={text} /> <span className="hint">after {durationWords(atMs)}</span>
          </>
        )}
      </Part>
      <Part title="Tools it called" entries={seen.calls}>
        {(call) => (
          <>
            <code>{cleanText(call.toolName, false)}</code>{' '}
            <span className={call.outcome === 'answered' ? 'hint' : 'tone-fail'}>
              {call.outcome}
            </span>{' '}
            {call.message !== null && <Foreign text={call.message} />}
            <RawJson title="Arguments (JSON)" value={call.arguments} />
          </>
        )}
      </Part>
      <Part title="Messages that were not sent" entries={seen.messages}>
        {(text) => <Foreign text={text} />}
      </Part>
      <Part title="Links that were not opened" entries={seen.links}>
        {(text) => <Foreign text={text} />}
      </Part>
      <Part title="Refused requests" entries={seen.refused}>
        {({ what, url }) => (
          <>
            {refusedWords[what]} <Foreign text={url} />
          </>
        )}
      </Part>
      <Part title="Advice on accessibility" entries={seen.accessibility ?? []}>
        {({ help, impact, elements, rule }) => (
          <>
            <span className="tag">advice</span> <Foreign text={help} />{' '}
            <span className="hint">
              {`${impact}, ${elements === 1 ? '1 element' : `${elements} elements`}, ${cleanText(rule, false)}`}
            </span>
          </>
        )}
      </Part>
      {isQuiet && seen.status === 'rendered' && (
        <p className="hint">It wrote nothing to its console, and asked for nothing.</p>
      )}
      {dropped !== undefined && <p className="hint">{dropped}</p>}
    </div>
  );
}

function Part<Entry>(props: {
  title: string;
  entries: readonly Entry[];
  children: (entry: Entry) => ReactNode;
}) {
  const { title, entries } = props;
  const [all, setAll] = useState(false);
  if (entries.length === 0) return null;
  const shown = all ? entries : entries.slice(0, shownAtOnce);
  return (
    <section className="widget-part" aria-label={title}>
      <h4>{title}</h4>
      <ul>
        {shown.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what a widget did is known by its place.
          <li key={index}>{props.children(entry)}</li>
        ))}
      </ul>
      {shown.length < entries.length && (
        <button type="button" className="small" onClick={() => setAll(true)}>
          {`Show all ${entries.length}`}
        </button>
      )}
    </section>
  );
}

function Foreign({ text }: { text: string }) {
  return <bdi className="widget-text">{cleanText(text, false)}</bdi>;
}

/** The fields about rendering that trials and previews have in common. */
type SeenOfWidget = Omit<OutputOf<'previewWidget'>, 'answers' | 'pictures'>;

interface SeenSentence {
  readonly tone: 'pass' | 'fail' | 'hold' | 'none';
  readonly sentence: string;
}

/** These results are failures of the service's own browser. They prove nothing about the widget. */
const ours: readonly unknown[] = ['screenshot_failed', 'browser_unavailable'];

function seenSentence(toolName: string, seen: SeenOfWidget): SeenSentence {
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

/** Returns a sentence about omitted entries, or undefined if none were omitted. */
function droppedSentence(dropped: SeenOfWidget['dropped']): string | undefined {
  const parts = Object.entries(dropped).flatMap(([list, count]) => {
    const [one, many] = lists[list] ?? ['entry', 'entries'];
    return count > 0 ? [`${count.toLocaleString('en-US')} more ${count === 1 ? one : many}`] : [];
  });
  if (parts.length === 0) return undefined;
  return `${parts.join(', ')} came and ${parts.length === 1 && parts[0]?.startsWith('1 ') ? 'was' : 'were'} not kept.`;
}

const refusedWords = {
  request: 'a request',
  navigation: 'to leave its page',
  popup: 'a window',
  download: 'a download',
  dialog: 'a dialog',
  webSocket: 'a WebSocket',
} as const;
