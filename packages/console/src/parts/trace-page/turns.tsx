/** Turn by turn: what was asked, and the expected calls beside those that were made. A turn says nothing of other checks. */
import type { TraceTurn } from '../../evals/read-trace.ts';
import { ExpectedObserved } from '../run-page/expected-observed.tsx';
import { LongText } from '../server-page/long-text.tsx';

export function Turns({ turns }: { turns: readonly TraceTurn[] }) {
  return (
    <section aria-labelledby="turns">
      <h2 id="turns">Turns</h2>
      {turns.map((turn, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns are known by their place.
        <article key={index} className="panel turn">
          <h3>
            {`Turn ${index + 1}`}
            {turn.passed !== undefined && (
              <span className={`turn-result tone-${turn.passed ? 'pass' : 'fail'}`}>
                {turn.passed ? 'calls as expected' : 'calls not as expected'}
              </span>
            )}
          </h3>
          {turn.prompt !== undefined && <LongText plain text={turn.prompt} />}
          <ExpectedObserved expected={turn.expected} observed={turn.actual} failure={turn.reason} />
        </article>
      ))}
    </section>
  );
}
