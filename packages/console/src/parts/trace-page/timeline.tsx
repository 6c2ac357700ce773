/** The spans of a trial on one line of time. Each row has an address, so that a finding can point at it. */
import type { TraceSpan } from '@proofmark/domain';
import { durationWords } from '../../servers/duration-words.ts';

const shownSpans = 200;

export function Timeline(props: { spans: readonly TraceSpan[]; marked: readonly string[] }) {
  const spans = [...props.spans].sort((one, other) => one.startMs - other.startMs);
  const firstMs = Math.min(...spans.map(({ startMs }) => startMs));
  const lengthMs = Math.max(1, Math.max(...spans.map(({ endMs }) => endMs)) - firstMs);
  const at = (ms: number) => ((ms - firstMs) / lengthMs) * 100;
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">
        Timeline <span className="hint">{`${durationWords(lengthMs)} in all`}</span>
      </h2>
      <ol className="timeline">
        {spans.slice(0, shownSpans).map((span) => (
          <li
            key={span.id}
            id={`span-${span.id}`}
            data-error={span.isError}
            aria-current={props.marked.includes(span.id) ? 'true' : undefined}
          >
            <span className="span-name">
              <bdi>{span.name}</bdi> <span className="hint">{span.category}</span>
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
      {spans.length > shownSpans && (
        <p className="hint">{`The first ${shownSpans} of ${spans.length} spans.`}</p>
      )}
    </section>
  );
}
