import { count, criterionName, grouped, percent } from '@proofmark/domain';
import {
  comparisonSentence,
  comparisonVerdict,
  correctedOver,
  incomparableWords,
  outcomeWords,
  targetName,
  waveName,
} from '@proofmark/report';
import { useNavigate } from '@tanstack/react-router';
import { Field } from '../../kit/field.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { keepPercent, VerdictHeading } from '../evals/index.ts';
import {
  useSwarmOverview,
  useWaveComparison,
  type Wave,
  type WaveComparison,
  type WaveIds,
} from './data/waves.ts';
import { comparedTone } from './session-words.ts';

export interface WaveNames {
  readonly journey: (journeyId: string) => string;
  readonly target: (targetId: string) => string;
  readonly criterion: (journeyId: string, criterionId: string) => string;
}

export function CompareWaves(props: {
  ids: WaveIds;
  base: string | undefined;
  wave: Wave;
  journeyName: (journeyId: string) => string;
}) {
  const { ids, base, wave } = props;
  const navigate = useNavigate();
  const { data: overview } = useSwarmOverview(ids.projectId);
  const played = new Set(wave.runs.map(({ journeyId }) => journeyId));
  const others = wavesOf(
    (overview?.runs ?? []).filter(
      ({ waveId, journeyId }) => waveId !== ids.waveId && played.has(journeyId),
    ),
  );
  const isListed = base === undefined || others.some(({ waveId }) => waveId === base);
  return (
    <section aria-labelledby="compare">
      <h2 id="compare">Compared with another wave</h2>
      {overview !== undefined && others.length === 0 && isListed ? (
        <p className="hint">No other wave has played these journeys yet.</p>
      ) : (
        <Field label="Compare with" hint="Waves that played one of these journeys, newest first.">
          {(control) => (
            <select
              {...control}
              value={base ?? ''}
              onChange={({ target }) =>
                void navigate({
                  to: '/projects/$projectId/waves/$waveId',
                  params: ids,
                  search: target.value === '' ? {} : { base: target.value },
                  resetScroll: false,
                })
              }
            >
              <option value="">Nothing</option>
              {!isListed && <option value={base}>{baseName(base, others)}</option>}
              {others.map(({ waveId, createdAt, runs }) => (
                <option key={waveId} value={waveId}>
                  {[day.format(createdAt), waveName(waveId), count(runs, 'run')]
                    .filter(Boolean)
                    .join(' · ')}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {base !== undefined && (
        <Comparison
          ids={ids}
          base={base}
          baseName={baseName(base, others)}
          names={namesOf(wave, props.journeyName)}
        />
      )}
    </section>
  );
}

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

function wavesOf(runs: readonly { waveId?: string | undefined; createdAt: number }[]) {
  const waves = new Map<string, { waveId: string; createdAt: number; runs: number }>();
  for (const { waveId, createdAt } of runs) {
    if (waveId === undefined) continue;
    const known = waves.get(waveId) ?? { waveId, createdAt, runs: 0 };
    waves.set(waveId, { ...known, runs: known.runs + 1 });
  }
  return [...waves.values()];
}

function baseName(
  base: string,
  others: readonly { readonly waveId: string; readonly createdAt: number }[],
): string {
  const known = others.find(({ waveId }) => waveId === base);
  const when =
    known === undefined ? 'the other wave' : `the wave of ${day.format(known.createdAt)}`;
  return waveName(base) ?? when;
}

function namesOf({ runs }: Wave, journey: WaveNames['journey']): WaveNames {
  const targets = new Map(
    runs.flatMap((run) => run.targets.map((one) => [one.targetId, targetName(one)] as const)),
  );
  return {
    journey,
    target: (targetId) => targets.get(targetId) ?? targetId,
    criterion: (journeyId, criterionId) => {
      const known = runs
        .flatMap((run) => (run.journeyId === journeyId ? run.criteria : []))
        .find(({ id }) => id === criterionId);
      return known === undefined ? criterionId : criterionName(known);
    },
  };
}

function Comparison(props: { ids: WaveIds; base: string; baseName: string; names: WaveNames }) {
  const { ids, base, names } = props;
  return (
    <QueryView query={useWaveComparison(ids, base)}>
      {(compared) => {
        const verdict = comparisonVerdict(compared);
        return (
          <>
            <p className="compared-verdict" role="status">
              <VerdictHeading
                sentence={[comparisonSentence(compared, props.baseName)]}
                verdict={verdict}
                tone={tones[verdict]}
              />
            </p>
            {compared.rows.length > 0 && <Rows rows={compared.rows} names={names} />}
            {compared.notComparable.length > 0 && (
              <ul className="plain-list" aria-label="Not compared">
                {compared.notComparable.map(({ journeyId, criterionId, reason }) => (
                  <li key={`${journeyId} ${criterionId ?? ''}`}>
                    {'Not compared: '}
                    <bdi>{names.journey(journeyId)}</bdi>
                    {criterionId !== undefined && (
                      <>
                        {', “'}
                        <bdi>{names.criterion(journeyId, criterionId)}</bdi>
                        {'”'}
                      </>
                    )}
                    {`: ${incomparableWords[reason]}.`}
                  </li>
                ))}
              </ul>
            )}
          </>
        );
      }}
    </QueryView>
  );
}

const tones = { worse: 'fail', notWorse: 'pass', notEstablished: 'none' } as const;

function Rows({ rows, names }: { rows: WaveComparison['rows']; names: WaveNames }) {
  const corrected = correctedOver(rows);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Check</th>
          <th scope="col">Journey</th>
          <th scope="col">Target</th>
          <th scope="col">Held before</th>
          <th scope="col">Held now</th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const { journeyId, targetId, criterionId, base, current, difference } = row;
          return (
            <tr key={`${journeyId} ${targetId} ${criterionId}`}>
              <th scope="row">
                <bdi>{names.criterion(journeyId, criterionId)}</bdi>
                {row.role === 'advisory' && <p className="hint">decides nothing</p>}
              </th>
              <td data-label="Journey">
                <bdi>{names.journey(journeyId)}</bdi>
              </td>
              <td data-label="Target">
                <bdi>{names.target(targetId)}</bdi>
              </td>
              <td data-label="Held before" className="figures">
                {`${grouped(base.passed)} of ${grouped(base.graded)}`}
              </td>
              <td data-label="Held now" className="figures">
                {`${grouped(current.passed)} of ${grouped(current.graded)}`}
              </td>
              <td data-label="Outcome">
                <b className={`tone-${comparedTone(row)}`}>{outcomeWords(row, corrected)}</b>
                {difference !== null && (
                  <p className="hint">
                    {keepPercent(
                      `95 % interval of the difference: ${percent(difference.lower)} to ${percent(difference.upper)}`,
                    )}
                  </p>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
