/** What is said next, by which model it is answered, and by which other beside it. */
import { utf8Bytes, visitBounds } from '@proofmark/domain';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type OpenChat, useOfferedModels } from '../../data/playground.ts';
import { type ChatRead, goesOn } from '../../playground/chat-messages.ts';

export function ChatComposer({ open, chat }: { open: OpenChat; chat: ChatRead }) {
  const last = open.messages.at(-1)?.answers;
  const models = useOfferedModels().data ?? [];
  const [text, setText] = useState('');
  const [model, setModel] = useState(last?.[0]?.modelId ?? chat.modelId ?? '');
  const [beside, setBeside] = useState(last?.[1]?.modelId ?? '');
  const box = useRef<HTMLTextAreaElement>(null);
  const isBusy = goesOn(open.messages);
  const over = utf8Bytes(text) - visitBounds.textBytes;
  const maySend = !isBusy && text.trim() !== '' && over <= 0 && model !== '';

  // What was not taken comes back, before what was written since.
  const { unsent } = open;
  useEffect(() => {
    if (unsent === undefined) return;
    setText((now) => (now === '' || now === unsent.text ? unsent.text : `${unsent.text}\n${now}`));
  }, [unsent]);
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) box.current?.focus();
  }, []);

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (!maySend) return;
    setText('');
    open.say(text, beside === '' ? [model] : [model, beside]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = !event.shiftKey && !event.nativeEvent.isComposing;
    if (event.key !== 'Enter' || !isPlain || !matchMedia('(pointer: fine)').matches) return;
    event.preventDefault();
    send();
  };
  const ids = [...new Set([...models.map(({ id }) => id), ...(model === '' ? [] : [model])])];
  const running = (last ?? []).filter(({ view }) => view.status === 'running');
  const stop = () => {
    const messageId = open.messages.at(-1)?.messageId ?? '';
    for (const { lane, view } of running) {
      if (view.turnId !== undefined) void open.stop(messageId, lane, view.turnId);
    }
  };
  return (
    <form className="chat-composer" onSubmit={send} aria-label="Say something">
      <div role="alert">
        {unsent !== undefined && <p className="form-problem">{unsent.problem}</p>}
        {over > 0 && <p className="problem">This message is too long by {over} bytes.</p>}
      </div>
      <div className="chat-pen">
        <textarea
          ref={box}
          rows={1}
          aria-label="Message"
          placeholder="Ask the server something"
          aria-invalid={over > 0}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
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
          <button key="send" type="submit" className="primary" disabled={!maySend}>
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
          Beside it{' '}
          <select
            aria-label="Beside it"
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
