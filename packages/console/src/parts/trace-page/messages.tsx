/** What was said between user, model and tools, in order. */
import type { MessagePart, TraceMessage } from '@proofmark/domain';
import { LongText } from '../server-page/long-text.tsx';

export function Messages({ messages }: { messages: readonly TraceMessage[] }) {
  return (
    <section aria-labelledby="messages">
      <h2 id="messages">Messages</h2>
      <ol className="messages">
        {messages.map(({ role, parts }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages are known by their index.
          <li key={index} data-role={role}>
            <b className="message-role">{role}</b>
            <div>
              {parts.map((part, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: and their parts too.
                <Part key={at} part={part} />
              ))}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Part({ part }: { part: MessagePart }) {
  if (part.kind === 'text') return <LongText plain text={part.text} />;
  return (
    <>
      {part.kind !== 'other' && (
        <p className="hint">
          {part.kind === 'call' ? 'calls ' : 'result of '}
          <code>{part.name ?? 'a tool'}</code>
        </p>
      )}
      <LongText text={part.text} />
    </>
  );
}
