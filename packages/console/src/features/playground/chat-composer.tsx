import { useEffect, useState } from 'react';
import { useOfferedModels } from '../models/index.ts';
import { hasKeyboard, tooLongWords, usePen } from '../visit/index.ts';
import { type ChatRead, goesOn } from './chat-messages.ts';
import type { OpenChat } from './data/chats.ts';

export function ChatComposer({ open, chat }: { open: OpenChat; chat: ChatRead }) {
  const last = open.messages.at(-1)?.answers;
  const models = useOfferedModels().data ?? [];
  const [model, setModel] = useState(last?.[0]?.modelId ?? chat.modelId ?? '');
  const [beside, setBeside] = useState(last?.[1]?.modelId ?? '');
  const isBusy = goesOn(open.messages);
  const pen = usePen(!isBusy && model !== '', (text) =>
    open.say(text, beside === '' ? [model] : [model, beside]),
  );
  const { box, giveBack } = pen;
  const { unsent } = open;
  useEffect(() => {
    if (unsent !== undefined) giveBack(unsent.text);
  }, [unsent, giveBack]);
  useEffect(() => {
    if (hasKeyboard()) box.current?.focus();
  }, [box]);

  // Models that gave the last answers stay selectable even if they are no longer offered.
  const chosen = [model, beside].filter((id) => id !== '');
  const ids = [...new Set([...models.map(({ id }) => id), ...chosen])];
  const running = (last ?? []).filter(({ view }) => view.status === 'running');
  const stop = () => {
    const messageId = open.messages.at(-1)?.messageId ?? '';
    for (const { lane, view } of running) {
      if (view.turnId !== undefined) void open.stop(messageId, lane, view.turnId);
    }
  };
  return (
    <form className="chat-composer" onSubmit={pen.send} aria-label="Say something">
      <div role="alert">
        {unsent !== undefined && <p className="form-problem">{unsent.problem}</p>}
        {pen.over > 0 && <p className="problem">{tooLongWords(pen.over)}</p>}
      </div>
      <div className="chat-pen">
        <textarea {...pen.area} placeholder="Ask the server something" />
        {isBusy ? (
          <button
            type="button"
            key="stop"
            disabled={running.every(({ view }) => view.turnId === undefined || view.isStopping)}
            onClick={stop}
          >
            Stop
          </button>
        ) : (
          <button key="send" type="submit" className="primary" disabled={!pen.maySend}>
            Send
          </button>
        )}
      </div>
      <div className="chat-choices">
        <label>
          Model{' '}
          <select
            aria-label="Model"
            value={model}
            onChange={(event) => setModel(event.target.value)}
          >
            {ids.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <label>
          Second model{' '}
          <select
            aria-label="Second model"
            value={beside}
            onChange={(event) => setBeside(event.target.value)}
          >
            <option value="">no other</option>
            {ids.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
      </div>
    </form>
  );
}
