/**
 * The conversation in order, as plain text. If two models answered a message, their answers are
 * shown side by side.
 */

import { useEffect, useEffectEvent, useRef } from 'react';
import {
  ApprovalCard,
  LinkedText,
  openCall,
  ToolCall,
  type TurnPart,
  type TurnStatus,
  type TurnView,
} from '../visit/index.ts';
import { type ChatAnswer, type ChatMessage, shownLength } from './chat-messages.ts';
import type { OpenChat } from './data/chats.ts';

export function ChatLog({ open, mayWrite }: { open: OpenChat; mayWrite: boolean }) {
  const { messages } = open;
  useFollowEnd(messages);
  return (
    <div role="log" aria-live="polite" aria-label="Conversation">
      <ol className="chat-log">
        {messages.map((message, at) => (
          <li key={message.messageId}>
            <div className="said">
              <span className="unseen">{mayWrite ? 'You: ' : 'Your colleague: '}</span>
              <p className="as-written">{message.text}</p>
            </div>
            <div className="answers" data-count={message.answers.length}>
              {message.answers.map((answer) => (
                <Answer
                  key={answer.lane}
                  open={open}
                  message={message}
                  answer={answer}
                  mayWrite={mayWrite}
                  isLast={at === messages.length - 1}
                />
              ))}
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Answer(props: {
  open: OpenChat;
  message: ChatMessage;
  answer: ChatAnswer;
  mayWrite: boolean;
  isLast: boolean;
}) {
  const { open, message, answer, mayWrite, isLast } = props;
  const { view, modelId, lane } = answer;
  const asked = openCall(view);
  const place = { messageId: message.messageId, lane };
  const cameToNothing = view.status === 'failed' || view.status === 'interrupted';
  return (
    <section className="answer" aria-label={`Answer of ${modelId}`}>
      <p className="hint answered-by">{modelId}</p>
      {view.parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end.
        <Part key={at} part={part} status={view.status} />
      ))}
      {asked !== undefined && view.turnId !== undefined && mayWrite && (
        <ApprovalCard
          key={asked.approval?.approvalId}
          title="May the model call this tool?"
          call={asked}
          onDecide={(decision) => void open.decide(place, view.turnId ?? '', asked, decision)}
        />
      )}
      {view.status === 'running' && asked === undefined && (
        <p className="hint working">{view.isStopping ? 'Stopping…' : workingWords(view)}</p>
      )}
      {cameToNothing && (
        <p className="came-to">
          {view.problem ?? 'The answer was interrupted.'}{' '}
          {isLast && mayWrite && (
            <button type="button" className="small" onClick={() => again(open, message)}>
              Send again
            </button>
          )}
        </p>
      )}
    </section>
  );
}

function again(open: OpenChat, { text, messageId, answers }: ChatMessage): void {
  const models = answers.map(({ modelId }) => modelId);
  open.say(text, models, messageId);
}

function workingWords({ parts }: TurnView): string {
  return parts.length === 0 ? 'Opening the servers…' : 'Working…';
}

function Part({ part, status }: { part: TurnPart; status: TurnStatus }) {
  if (part.kind === 'tool') {
    // While a call waits for approval, its details are collapsed, because the approval card already
    // shows the arguments.
    const isWaiting = part.approval !== undefined && part.result === undefined;
    return <ToolCall call={part} isOver={status !== 'running'} isOpen={!isWaiting} />;
  }
  if (part.kind === 'note') return <p className="hint">{part.text}</p>;
  return <LinkedText text={part.text} />;
}

/**
 * Scrolls to the newest text after the user sends a message, and while the user is at the end. A
 * user who has scrolled up is not moved.
 */
function useFollowEnd(messages: readonly ChatMessage[]): void {
  const isAtEnd = useRef(true);
  const seen = useRef(0);
  const length = shownLength(messages);
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight } = document.documentElement;
      isAtEnd.current = scrollHeight - clientHeight - window.scrollY < nearEnd;
    };
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  const follow = useEffectEvent((shown: number) => {
    const hasNewMessage = messages.length > seen.current;
    seen.current = messages.length;
    if (shown === 0 || !(hasNewMessage || isAtEnd.current)) return;
    window.scrollTo({ top: document.documentElement.scrollHeight });
  });
  // The length changes whenever text is added, which triggers this effect.
  useEffect(() => follow(length), [length]);
}

/** Maximum distance from the end, in pixels, at which the user counts as being at the end. */
const nearEnd = 160;
