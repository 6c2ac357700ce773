/**
 * Expected and observed calls side by side, with differences marked. If no call is expected, only
 * the observed calls are shown.
 */
import { type CallDifferences, type CallLine, compareCalls } from '@proofmark/report';
import type { ReactNode } from 'react';
import { Scrolling } from '../../../kit/scrolling.tsx';

export function ExpectedObserved(props: {
  expected: readonly unknown[];
  observed: readonly unknown[];
  failure?: string | undefined;
  marks: CallDifferences;
  noneExpected?: ReactNode;
}) {
  const { expected, observed, failure, noneExpected } = props;
  if (expected.length === 0 && observed.length === 0 && failure === undefined) return null;
  const lines = compareCalls(expected, observed, props.marks);
  return (
    <div className="beside">
      {expected.length > 0 && (
        <Side title="Expected">
          <Lines lines={lines.expected} />
        </Side>
      )}
      {expected.length === 0 && noneExpected !== undefined && (
        <Side title="Expected">
          <i>{noneExpected}</i>
        </Side>
      )}
      <Side title="Observed">
        {lines.observed.length === 0 ? (
          <i>no tool call recorded</i>
        ) : (
          <Lines lines={lines.observed} />
        )}
        {failure !== undefined && <span className="seen-failure">{failure}</span>}
      </Side>
    </div>
  );
}

function Side(props: { title: string; children: ReactNode }) {
  return (
    <figure>
      <figcaption>{props.title}</figcaption>
      <Scrolling label={props.title}>{props.children}</Scrolling>
    </figure>
  );
}

export function BesideLines(props: { title: string; line: CallLine; none: string }) {
  return (
    <Side title={props.title}>
      {props.line.length === 0 ? <i>{props.none}</i> : <Lines lines={[props.line]} />}
    </Side>
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
