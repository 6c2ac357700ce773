/** Expected beside observed, in a fixed-width face, with what differs marked. */
import type { ReactNode } from 'react';
import { type CallLine, compareCalls } from '../../evals/call-differences.ts';

export function ExpectedObserved(props: {
  expected: readonly unknown[];
  observed: readonly unknown[];
  /** What went wrong instead of, or after, the calls. */
  failure?: string | undefined;
  /** Whether an empty list of expected calls means that none may be made. */
  noneExpected?: boolean;
}) {
  const { expected, observed, failure } = props;
  if (expected.length === 0 && observed.length === 0 && failure === undefined) return null;
  // Where nothing is stated, no call differs from it.
  const isStated = expected.length > 0 || props.noneExpected === true;
  const lines = compareCalls(isStated ? expected : observed, observed);
  return (
    <div className="beside">
      <Side title="Expected">
        {expected.length === 0 ? (
          <i>{props.noneExpected ? 'no tool call' : 'no call is stated'}</i>
        ) : (
          <Lines lines={lines.expected} />
        )}
      </Side>
      <Side title="Observed">
        {lines.observed.length === 0 ? <i>no tool call</i> : <Lines lines={lines.observed} />}
        {failure !== undefined && <span className="seen-failure">{failure}</span>}
      </Side>
    </div>
  );
}

function Side(props: { title: string; children: ReactNode }) {
  return (
    <figure>
      <figcaption>{props.title}</figcaption>
      <pre>{props.children}</pre>
    </figure>
  );
}

const shownLines = 20;

function Lines({ lines }: { lines: readonly CallLine[] }) {
  const unlisted = lines.length - shownLines;
  return (
    <>
      {lines.slice(0, shownLines).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no name of their own and keep their order.
        <span key={index} className="call-line">
          {line.map(({ text, isDifferent }, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: the same holds for their pieces.
            isDifferent ? <mark key={at}>{text}</mark> : text,
          )}
        </span>
      ))}
      {unlisted > 0 && <i>{`and ${unlisted} more`}</i>}
    </>
  );
}
