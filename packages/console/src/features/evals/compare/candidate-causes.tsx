/**
 * The changes of the tools between two runs, the likeliest cause of a different result first, with
 * the failing trials that each affects.
 */
import { replaySentences, surfaceTotal, toldDifferences } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import type { RunComparison } from '../data/run-comparison.ts';
import { Words } from '../runs/words.tsx';

const mostShown = 10;

export function CandidateCauses(props: { projectId: string; compared: RunComparison }) {
  const { projectId, compared } = props;
  const { surface, baseRun, compareRun } = compared;
  const told = toldDifferences(surface).slice(0, mostShown);
  const unlisted = surfaceTotal(surface) - told.length;
  const overlaid = [baseRun, compareRun].filter(({ overlayHash }) => overlayHash !== undefined);
  const replayed = [baseRun, compareRun].filter(({ replay }) => replay !== undefined);
  if (told.length + overlaid.length + replayed.length === 0) return null;
  return (
    <section aria-labelledby="causes">
      <h2 id="causes">Candidates for the cause</h2>
      {overlaid.map(({ id, runNumber }) => (
        <p key={id} className="warning">
          {`In run ${runNumber} models were shown an overlay in the place of what servers list.`}
        </p>
      ))}
      {replayed.map(({ id, runNumber, replay }) => (
        <p key={id} className="warning">
          {`Run ${runNumber}: `}
          <Words sentence={replaySentences(replay).flatMap((one) => [...one, ' '])} />
        </p>
      ))}
      {told.length > 0 && (
        <ol>
          {told.map(({ sentence, trials: [trialId] }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences in a fixed order.
            <li key={index}>
              <Words sentence={sentence} />
              {trialId !== undefined && (
                <>
                  {' '}
                  <Link
                    to="/projects/$projectId/runs/$runId/trials/$trialId"
                    params={{ projectId, runId: compareRun.id, trialId }}
                  >
                    The first of them
                  </Link>
                </>
              )}
            </li>
          ))}
        </ol>
      )}
      {unlisted > 0 && <p className="hint">{`${unlisted} more differences are told below.`}</p>}
    </section>
  );
}
