import { LinkedText } from './linked-text.tsx';
import { Rating } from './rating.tsx';
import { ToolCall } from './tool-call.tsx';
import { openCall, type TurnPart, type TurnView } from './turn-view.ts';
import type { Visit } from './visit.ts';
import type { VisitState } from './visit-state.ts';

export function TurnList(props: { visit: Visit; state: VisitState; mayRate: boolean }) {
  const { turns } = props.state;
  return (
    <div
      role="log"
      aria-live="polite"
      aria-label="Conversation"
      aria-busy={turns.at(-1)?.status === 'running'}
    >
      <ol className="turns">
        {turns.map((turn) => (
          <Turn key={turn.clientTurnId} {...props} turn={turn} />
        ))}
      </ol>
    </div>
  );
}

function Turn(props: { visit: Visit; state: VisitState; mayRate: boolean; turn: TurnView }) {
  const { visit, state, turn } = props;
  const isLast = state.turns.at(-1) === turn;
  const maySendAgain =
    isLast && state.closed === undefined && state.ended === undefined && cameToNothing(turn);
  const isRatable = turn.turnId !== undefined && turn.status === 'completed';
  return (
    <li className="turn">
      <div className="said">
        <span className="unseen">You: </span>
        <p className="as-written">{turn.text}</p>
      </div>
      <div className="answer">
        <span className="unseen">Assistant: </span>
        {turn.parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end.
          <Part key={at} part={part} status={turn.status} />
        ))}
        {turn.status === 'running' && openCall(turn) === undefined && (
          <p className="hint working">{turn.isStopping ? 'Stopping…' : 'Working…'}</p>
        )}
        {outcomes[turn.status] !== undefined && (
          <p className="came-to">
            {turn.problem ?? outcomes[turn.status]}{' '}
            {maySendAgain && (
              <button
                type="button"
                className="small"
                disabled={state.isBusy || state.limit !== undefined}
                onClick={() => void visit.sendAgain(turn)}
              >
                Send again
              </button>
            )}
          </p>
        )}
        {isRatable && props.mayRate && state.link && (
          <Rating
            kind={state.link.feedback}
            label="Rate this answer"
            rating={turn.rating}
            disabled={state.isBusy}
            onRate={(rating) => void visit.rate(turn, rating)}
          />
        )}
      </div>
    </li>
  );
}

function Part({ part, status }: { part: TurnPart; status: TurnView['status'] }) {
  if (part.kind === 'tool') return <ToolCall call={part} isOver={status !== 'running'} />;
  if (part.kind === 'note') return <p className="hint as-written">{part.text}</p>;
  return <LinkedText text={part.text} />;
}

function cameToNothing({ status }: TurnView): boolean {
  return status === 'failed' || status === 'stopped' || status === 'interrupted';
}

const outcomes: Partial<Record<TurnView['status'], string>> = {
  failed: 'This message could not be answered.',
  stopped: 'You stopped this answer.',
  interrupted: 'This answer was interrupted.',
};
