import { useEffect, useRef } from 'react';
import { hasKeyboard, tooLongWords, usePen } from './use-pen.ts';
import type { Visit } from './visit.ts';
import type { VisitState, VisitStateName } from './visit-state.ts';

export function Composer(props: { visit: Visit; state: VisitState; name: VisitStateName }) {
  const { visit, state, name } = props;
  const last = state.turns.at(-1);
  const isRunning = last?.status === 'running';
  const pen = usePen(!isRunning && name !== 'limit', (text) => void visit.send(text));
  const { box, giveBack } = pen;

  useEffect(() => {
    const { unsent } = state;
    if (unsent === undefined) return;
    giveBack(unsent);
    visit.store.set({ unsent: undefined });
  }, [state, visit, giveBack]);

  // The Accept button had the focus and has disappeared, so the focus moves to the text box. On a
  // phone it does not, because the screen keyboard would open.
  useEffect(() => {
    const isNowhere = document.activeElement === document.body;
    if (isNowhere && hasKeyboard()) box.current?.focus();
  }, [box]);

  // After an approval or denial, the focus returns to the text box.
  const before = useRef(name);
  useEffect(() => {
    if (before.current === 'approval' && name !== 'approval') box.current?.focus();
    before.current = name;
  }, [name, box]);

  return (
    <form className="composer" onSubmit={pen.send} aria-label="Message">
      <textarea {...pen.area} placeholder="Write a message" />
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
        <button key="send" type="submit" className="primary" disabled={!pen.maySend}>
          Send
        </button>
      )}
      {pen.over > 0 && (
        <p role="alert" className="problem">
          {tooLongWords(pen.over)}
        </p>
      )}
    </form>
  );
}
