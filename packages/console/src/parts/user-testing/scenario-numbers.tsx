/** Counts of conversations with visitors. Every number says what it is of. */

import type { OutputOf } from '@proofmark/contract';
import { count, grouped } from '@proofmark/domain';
import { type ScenarioIds, useScenarioNumbers } from '../../data/user-testing.ts';
import { outcomeWords, percentWords } from '../../user-testing/link-words.ts';
import { FactList } from '../fact-list.tsx';
import { QueryView } from '../query-view.tsx';

export function ScenarioNumbers({ ids }: { ids: ScenarioIds }) {
  return (
    <section aria-labelledby="numbers">
      <h2 id="numbers">Numbers</h2>
      <QueryView query={useScenarioNumbers(ids)}>
        {({ metrics, usage }) =>
          metrics === null || usage === null ? (
            <p className="hint">Nothing to count yet: nobody has said anything.</p>
          ) : (
            <>
              <Metrics metrics={metrics} />
              <Usage usage={usage} />
            </>
          )
        }
      </QueryView>
    </section>
  );
}

function Metrics({ metrics }: { metrics: OutputOf<'getUserTestingMetrics'> }) {
  const { analyzedCount, topFailingTool, latencyP50Ms, latencyP95Ms, ratedSessionCount } = metrics;
  return (
    <>
      <p className="intro">
        {`${count(metrics.sessionCount, 'conversation')} of ${count(metrics.uniqueVisitorCount, 'visitor')}, ${grouped(analyzedCount)} of them over.`}
        {metrics.truncated && ' Counted over the newest 500.'}
      </p>
      <FactList
        facts={[
          ['Completed', `${percentWords(metrics.completionRate)} of those that are over`],
          [
            'Tool errors',
            `${grouped(metrics.toolErrorCount)} of ${count(metrics.toolCallCount, 'call')}, in ${count(metrics.sessionsWithToolErrors, 'conversation')}`,
          ],
          [
            'Fails most',
            topFailingTool === null
              ? 'no tool'
              : `${topFailingTool.toolName}, ${count(topFailingTool.errorCount, 'time')}`,
          ],
          [
            'A call takes',
            latencyP50Ms === null
              ? 'no call yet'
              : `${grouped(latencyP50Ms)} ms in the middle, ${grouped(latencyP95Ms ?? latencyP50Ms)} ms for 95 of 100`,
          ],
          [
            'Rated',
            metrics.averageRating === null
              ? 'by nobody'
              : `${metrics.averageRating.toFixed(1)} of 5 on average, in ${count(ratedSessionCount, 'conversation')}; ${percentWords(metrics.negativeRate)} rated 2 or less`,
          ],
        ]}
      />
    </>
  );
}

function Usage({ usage }: { usage: OutputOf<'getUserTestingUsage'> }) {
  const { scan } = usage;
  return (
    <>
      <p className="hint below-facts">
        {`Below: ${count(scan.scanned, 'conversation')} of visitors and of simulated people${scan.truncated ? ', the newest' : ''}.`}
      </p>
      <div className="breakdowns">
        <Breakdown title="Outcome" rows={usage.outcomeBreakdown.map(inWords)} />
        <Breakdown title="Tool" rows={usage.toolBreakdown} />
        <Breakdown title="Server" rows={usage.serverBreakdown} />
        <Breakdown title="Model" rows={usage.modelBreakdown} />
        <Breakdown title="Device" rows={usage.deviceBreakdown} />
        <Breakdown title="Language" rows={usage.languageBreakdown} />
      </div>
    </>
  );
}

function inWords(row: OutputOf<'getUserTestingUsage'>['outcomeBreakdown'][number]) {
  const words: Readonly<Record<string, string>> = outcomeWords;
  return { ...row, label: words[row.key] ?? row.label };
}

function Breakdown(props: {
  title: string;
  rows: readonly { key: string; label: string; count: number }[];
}) {
  if (props.rows.length === 0) return null;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{props.title}</th>
          <th scope="col">Conversations</th>
        </tr>
      </thead>
      <tbody>
        {props.rows.map(({ key, label, count: times }) => (
          <tr key={key}>
            <th scope="row">
              <bdi>{label}</bdi>
            </th>
            <td className="figures" data-label="Conversations">
              {grouped(times)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
