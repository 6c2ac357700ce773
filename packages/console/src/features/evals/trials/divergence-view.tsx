import { cleanText } from '@proofmark/domain';
import { withHiddenSigns } from '../compare/compare-words.ts';
import type { EvalTrial } from '../data/eval-runs.ts';
import { BesideLines } from '../runs/expected-observed.tsx';
import { markedDifference } from './marked-difference.ts';

export function DivergenceView({ trial }: { trial: EvalTrial }) {
  const { divergence, continuedLive } = trial;
  if (divergence === undefined) return null;
  const { before, after, message, path, turn, call } = divergence;
  const [was, is] = markedDifference(
    withHiddenSigns(before) as string,
    withHiddenSigns(after) as string,
  );
  const place = [
    `turn ${turn + 1}`,
    ...(call === undefined || call === 1 ? [] : [`equal call ${call}`]),
  ];
  return (
    <section aria-labelledby="divergence" className="divergence">
      <h2 id="divergence">First divergence</h2>
      <p className="why">
        <bdi>{cleanText(message, false)}</bdi>
      </p>
      <p className="hint">
        {`${place.join(', ')}`}
        {path !== '' && (
          <>
            {', at '}
            <code>{cleanText(path, false)}</code>
          </>
        )}
      </p>
      <div className="beside">
        <BesideLines title="Recorded" line={was} none="nothing" />
        <BesideLines title="Replayed" line={is} none="nothing" />
      </div>
      <p>
        {continuedLive
          ? 'From there the trial went on live. It was graded, and what it used is counted; calls that were recorded before were not made again.'
          : 'The trial ended there without a result. That is no verdict: neither side is wrong.'}
      </p>
    </section>
  );
}
