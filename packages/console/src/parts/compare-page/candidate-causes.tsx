/** What changed of the tools, the likeliest cause of what came out otherwise first, with the failing trials it touches. */
import { surfaceSentences, surfaceTotal } from '@proofmark/domain';
import type { RunComparison } from '../../data/run-comparison.ts';
import { Words } from '../run-page/words.tsx';

const mostShown = 10;

export function CandidateCauses({ compared }: { compared: RunComparison }) {
  const { surface, baseRun, compareRun } = compared;
  const told = surfaceSentences(surface).slice(0, mostShown);
  const unlisted = surfaceTotal(surface) - told.length;
  const overlaid = [baseRun, compareRun].filter(({ overlayHash }) => overlayHash !== undefined);
  if (told.length === 0 && overlaid.length === 0) return null;
  return (
    <section aria-labelledby="causes">
      <h2 id="causes">Candidates for the cause</h2>
      {overlaid.map(({ id, runNumber }) => (
        <p key={id} className="warning">
          {`In run ${runNumber} models were shown an overlay in the place of what servers list.`}
        </p>
      ))}
      {told.length > 0 && (
        <ol>
          {told.map((sentence, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences in a fixed order.
            <li key={index}>
              <Words sentence={sentence} />
            </li>
          ))}
        </ol>
      )}
      {unlisted > 0 && <p className="hint">{`${unlisted} more differences are told below.`}</p>}
    </section>
  );
}
