/**
 * Each row has an element id, because findings link to single spans. The row named in the page's
 * address is always shown, even in a very long list.
 */
import type { TraceSpan } from '@proofmark/domain';
import { durationWords } from '../../../kit/duration-words.ts';

const shownSpans = 200;
const anchor = 'span-';

export function spanAnchor(spanId: string): string {
  return `${anchor}${spanId}`;
}

export function spanNamed(hash: string): string | undefined {
  return hash.startsWith(anchor) ? hash.slice(anchor.length) : undefined;
}

export function Timeline(props: { spans: readonly TraceSpan[]; marked: readonly string[] }) {
  const spans = [...props.spans].sort((one, other) => one.startMs - other.startMs);
  const firstMs = Math.min(...spans.map(({ startMs }) => startMs));
  const lengthMs = Math.max(1, Math.max(...spans.map(({ endMs }) => endMs)) - firstMs);
  const isShown = ({ id }: TraceSpan, index: number) =>
    index < shownSpans || props.marked.includes(id);
  const shown = spans.filter(isShown);
  const at = (ms: number) => ((ms - firstMs) / lengthMs) * 100;
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">
        Timeline <span className="hint">{`${durationWords(lengthMs)} in all`}</span>
      </h2>
      <ol className="timeline">
        {shown.map((span) => (
          <li
            key={span.id}
            id={spanAnchor(span.id)}
            data-error={span.isError}
            aria-current={props.marked.includes(span.id) ? 'true' : undefined}
          >
            <span className="span-name">
              <a href={`#${spanAnchor(span.id)}`} title="Link to this span">
                <bdi>{span.name}</bdi>
              </a>{' '}
              <span className="hint">{span.category}</span>
            </span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect
                x={Math.min(99, at(span.startMs))}
                y="1"
                width={Math.max(1, at(span.endMs) - at(span.startMs))}
                height="8"
                rx="1"
              />
            </svg>
            <span className="span-time">
              {durationWords(span.endMs - span.startMs)}
              {span.isError && <b className="tone-fail"> error</b>}
            </span>
          </li>
        ))}
      </ol>
      {spans.length > shown.length && (
        <p className="hint">{`${shown.length} of ${spans.length} spans: the first, and what is pointed at.`}</p>
      )}
    </section>
  );
}
