/** The buttons that delete a visitor's messages for good, after a confirmation. */
import { useState } from 'react';
import type { Visit } from './visit.ts';
import type { VisitState } from './visit-state.ts';

export function EraseButtons({ visit, state }: { visit: Visit; state: VisitState }) {
  const { sessionId, earlier, turns } = state;
  const others = earlier.length === 1 ? 'an earlier conversation' : 'earlier conversations';
  return (
    <p className="erase hint">
      {sessionId !== undefined && turns.length > 0 && (
        <AskedTwice
          action="Delete this conversation"
          disabled={state.isBusy}
          onConfirm={() => void visit.erase()}
        />
      )}
      {earlier.length > 0 && (
        <AskedTwice
          action={`Delete ${others} (${earlier.length})`}
          disabled={state.isBusy}
          onConfirm={() => void visit.eraseEarlier()}
        />
      )}
    </p>
  );
}

function AskedTwice(props: { action: string; disabled: boolean; onConfirm: () => void }) {
  const [isAsked, setAsked] = useState(false);
  if (!isAsked) {
    return (
      <button type="button" className="keys" onClick={() => setAsked(true)}>
        {props.action}
      </button>
    );
  }
  return (
    <span className="asked-twice">
      It cannot be brought back.{' '}
      <button
        type="button"
        className="small danger"
        disabled={props.disabled}
        onClick={() => {
          setAsked(false);
          props.onConfirm();
        }}
      >
        Delete
      </button>{' '}
      <button type="button" className="small" onClick={() => setAsked(false)}>
        Keep
      </button>
    </span>
  );
}
