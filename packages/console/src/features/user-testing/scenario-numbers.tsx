/** The numbers about conversations with visitors. Each one says which visitors it counts. */

import type { OutputOf } from '@proofmark/contract';
import { count, grouped, type Population } from '@proofmark/domain';
import { useState } from 'react';
import { FactList } from '../../kit/fact-list.tsx';
import { Field } from '../../kit/field.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { type ScenarioIds, useScenarioNumbers } from './data/user-testing.ts';
import { outcomeWords, percentWords, segmentWords } from './link-words.ts';

export function ScenarioNumbers({ ids }: { ids: ScenarioIds }) {
  const [whose, setWhose] = useState<Population | 'both'>('real');
  return (
    <section aria-labelledby="numbers">
      <h2 id="numbers">Numbers</h2>
      <Field label="Of whom">
        {(control) => (
          <select
            {...control}
            className="short"
            value={whose}
            onChange={(event) => setWhose(event.target.value as Population | 'both')}
          >
            <option value="real">Visitors</option>
            <option value="synthetic">Simulated people</option>
            <option value="both">Both</option>
          </select>
        )}
      </Field>
      <QueryView query={useScenarioNumbers(ids, whose === 'both' ? undefined : whose)}>
        {({ metrics, usage }) =>
          metrics === null || usage === null ? (
            <p className="hint">Nothing to count yet: nobody has said anything.</p>
          ) : (
            <>
              <Metrics metrics={metrics} />
              <Days metrics={metrics} />
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
            'Tokens',
            metrics.avgTokensPerSession === null
              ? 'not told'
              : `${grouped(Math.round(metrics.avgTokensPerSession))} on average, in ${count(metrics.tokenSampleCount, 'conversation')} that told`,
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

function Days({ metrics }: { metrics: OutputOf<'getUserTestingMetrics'> }) {
  if (metrics.trend.length < 2) return null;
  return (
    <table className="days">
      <caption className="hint">Day by day, in UTC</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Conversations</th>
          <th scope="col">Completed</th>
          <th scope="col">Tool errors</th>
        </tr>
      </thead>
      <tbody>
        {metrics.trend.map((day) => (
          <tr key={day.dayStartMs}>
            <th scope="row">{new Date(day.dayStartMs).toISOString().slice(0, 10)}</th>
            <td className="figures" data-label="Conversations">
              {grouped(day.sessionCount)}
            </td>
            <td className="figures" data-label="Completed">
              {`${grouped(day.completedCount)} of ${grouped(day.analyzedCount)}`}
            </td>
            <td className="figures" data-label="Tool errors">
              {`${grouped(day.toolErrorCount)} of ${grouped(day.toolCallCount)}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Usage({ usage }: { usage: OutputOf<'getUserTestingUsage'> }) {
  const { scan } = usage;
  return (
    <>
      <p className="hint below-facts">
        {`Below, whoever is chosen above: ${count(scan.scanned, 'conversation')} of visitors and of simulated people${scan.truncated ? ', the newest' : ''}.`}
      </p>
      <div className="breakdowns">
        <Breakdown title="Outcome" rows={usage.outcomeBreakdown.map(inWords)} />
        <Breakdown title="Tool" rows={usage.toolBreakdown.map(withCalls)} />
        <Breakdown title="Who, and how they rated" rows={usage.userBreakdown.map(ofSegment)} />
        <Breakdown title="Server" rows={usage.serverBreakdown} />
        <Breakdown title="Model" rows={usage.modelBreakdown} />
        <Breakdown title="Device" rows={usage.deviceBreakdown} />
        <Breakdown title="Language" rows={usage.languageBreakdown} />
        <Breakdown
          title="Criterion"
          of="Fulfilled"
          rows={usage.criterionBreakdown.map(ofCriterion)}
        />
      </div>
    </>
  );
}

type UsageOf<Part extends keyof OutputOf<'getUserTestingUsage'>> =
  OutputOf<'getUserTestingUsage'>[Part] extends readonly (infer Row)[] ? Row : never;

interface Row {
  readonly key: string;
  readonly label: string;
  readonly figure: string;
}

function inWords(row: UsageOf<'outcomeBreakdown'>) {
  const words: Readonly<Record<string, string>> = outcomeWords;
  return { ...row, label: words[row.key] ?? row.label };
}

function withCalls({ callCount, errorCount, count: times, ...row }: UsageOf<'toolBreakdown'>): Row {
  const failed = errorCount === 0 ? '' : `, ${grouped(errorCount)} failed`;
  return { ...row, figure: `${grouped(times)} (${count(callCount, 'call')}${failed})` };
}

function ofSegment({ segment, ...ratings }: UsageOf<'userBreakdown'>): Row {
  const { positive, neutral, negative, none } = ratings;
  const all = positive + neutral + negative + none;
  const rated = [
    ...(positive > 0 ? [`${positive} liked it`] : []),
    ...(neutral > 0 ? [`${neutral} so-so`] : []),
    ...(negative > 0 ? [`${negative} did not`] : []),
  ].join(', ');
  return {
    key: segment,
    label: segmentWords(segment),
    figure: `${grouped(all)}${rated === '' ? '' : ` (${rated})`}`,
  };
}

function ofCriterion({ criterionId, label, ...counts }: UsageOf<'criterionBreakdown'>): Row {
  const { passCount, failCount, ungradedCount } = counts;
  return {
    key: criterionId,
    label: label ?? criterionId,
    figure: `${grouped(passCount)} of ${grouped(passCount + failCount + ungradedCount)}`,
  };
}

function Breakdown(props: {
  title: string;
  of?: string;
  rows: readonly (Row | UsageOf<'modelBreakdown'>)[];
}) {
  const { title, of = 'Conversations', rows } = props;
  if (rows.length === 0) return null;
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{of}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">
              <bdi>{row.label}</bdi>
            </th>
            <td className="figures" data-label={of}>
              {'figure' in row ? row.figure : grouped(row.count)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
