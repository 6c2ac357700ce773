import { utf8Bytes, visitBounds } from '@proofmark/domain';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Visit } from '../../visit/visit.ts';
import type { VisitState, VisitStateName } from '../../visit/visit-state.ts';

export function Composer(props: { visit: Visit; state: VisitState; name: VisitStateName }) {
  const { visit, state, name } = props;
  const [text, setText] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  const last = state.turns.at(-1);
  const isRunning = last?.status === 'running';
  const over = utf8Bytes(text) - visitBounds.textBytes;
  const maySend = !isRunning && name !== 'limit' && text.trim() !== '' && over <= 0;

  // What was not taken comes back, before what was written since.
  useEffect(() => {
    const { unsent } = state;
    if (unsent === undefined) return;
    setText((now) => (now === '' ? unsent : `${unsent}\n${now}`));
    visit.store.set({ unsent: undefined });
  }, [state, visit]);

  // A keyboard that was at Accept would be nowhere. On a phone, nothing opens unasked.
  useEffect(() => {
    const isNowhere = document.activeElement === document.body;
    if (isNowhere && matchMedia('(pointer: fine)').matches) box.current?.focus();
  }, []);

  // Whoever decided goes on writing.
  const before = useRef(name);
  useEffect(() => {
    if (before.current === 'approval' && name !== 'approval') box.current?.focus();
    before.current = name;
  }, [name]);

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (!maySend) return;
    setText('');
    void visit.send(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = !event.shiftKey && !event.nativeEvent.isComposing;
    // On a phone, the key for a new line makes one.
    if (event.key === 'Enter' && isPlain && matchMedia('(pointer: fine)').matches) {
      event.preventDefault();
      send();
    }
  };
  return (
    <form className="composer" onSubmit={send} aria-label="Message">
      <textarea
        ref={box}
        rows={1}
        aria-label="Message"
        placeholder="Write a message"
        aria-invalid={over > 0}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isRunning && last ? (
        <button
          type="button"
          key="stop"
          disabled={(last.turnId === undefined && !last.mayStop) || last.isStopping === true}
          onClick={() => void visit.stop(last)}
        >
          Stop
        </button>
      ) : (
        <button key="send" type="submit" className="primary" disabled={!maySend}>
          Send
        </button>
      )}
      {over > 0 && (
        <p role="alert" className="problem">
          This message is too long by {over} bytes.
        </p>
      )}
    </form>
  );
}
