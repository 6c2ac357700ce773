/** The numbers of a scenario. Each number states the group of visitors that it counts. */

import type { OutputOf } from '@proofmark/contract';
import { count, criterionName, grouped, type Population } from '@proofmark/domain';
import {
  callDurationWords,
  completedWords,
  conversationsSentence,
  overSentence,
  ratedWords,
  toolErrorsWords,
  visitOutcomeWords,
} from '@proofmark/report';
import { useState } from 'react';
import { FactList } from '../../kit/fact-list.tsx';
import { Field } from '../../kit/field.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { type ScenarioIds, useScenarioNumbers } from './data/user-testing.ts';
import { segmentWords } from './link-words.ts';

export function ScenarioNumbers({ ids }: { ids: ScenarioIds }) {
  const [population, setWhose] = useState<Population | 'both'>('real');
  return (
    <section aria-labelledby="numbers">
      <h2 id="numbers">Numbers</h2>
      <Field label="People">
        {(control) => (
          <select
            {...control}
            className="short"
            value={population}
            onChange={(event) => setWhose(event.target.value as Population | 'both')}
          >
            <option value="real">Visitors</option>
            <option value="synthetic">Simulated people</option>
            <option value="both">Both</option>
          </select>
        )}
      </Field>
      <QueryView query={useScenarioNumbers(ids, population === 'both' ? undefined : population)}>
        {({ metrics, usage }) =>
          metrics === null || usage === null ? (
            <p className="hint">No conversations yet.</p>
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
  const { topFailingTool } = metrics;
  return (
    <>
      <p className="intro">
        {conversationsSentence(metrics)}
        {metrics.population !== 'synthetic' && ` ${overSentence}`}
        {metrics.truncated && ' Counted over the newest 500.'}
      </p>
      <FactList
        facts={[
          ['Completed without a tool error', completedWords(metrics)],
          ['Tool errors', toolErrorsWords(metrics)],
          [
            'Tool with most errors',
            topFailingTool === null
              ? 'none'
              : `${topFailingTool.toolName}, ${count(topFailingTool.errorCount, 'time')}`,
          ],
          ['Duration of a call', callDurationWords(metrics)],
          [
            'Tokens',
            metrics.avgTokensPerSession === null
              ? 'not recorded'
              : `${grouped(Math.round(metrics.avgTokensPerSession))} on average, in ${count(metrics.tokenSampleCount, 'conversation')} with recorded tokens`,
          ],
          ['Ratings, the lowest of each conversation', ratedWords(metrics)],
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
          <th scope="col">Completed without a tool error</th>
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
            <td className="figures" data-label="Completed without a tool error">
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
        {`The tables below always count ${count(scan.scanned, 'conversation')} of visitors and of simulated people together${scan.truncated ? ', the newest' : ''}.`}
      </p>
      <div className="breakdowns">
        <Breakdown title="Outcome" rows={usage.outcomeBreakdown.map(inWords)} />
        <Breakdown title="Tool" rows={usage.toolBreakdown.map(withCalls)} />
        <Breakdown title="Visitors and their ratings" rows={usage.userBreakdown.map(ofSegment)} />
        <Breakdown title="Server" rows={usage.serverBreakdown} />
        <Breakdown title="Model" rows={usage.modelBreakdown} />
        <Breakdown title="Device" rows={usage.deviceBreakdown} />
        <Breakdown title="Language" rows={usage.languageBreakdown} />
        <Breakdown title="Check" of="Held" rows={usage.criterionBreakdown.map(ofCriterion)} />
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
  const words: Readonly<Record<string, string>> = visitOutcomeWords;
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
    ...(positive > 0 ? [`${positive} good`] : []),
    ...(neutral > 0 ? [`${neutral} neutral`] : []),
    ...(negative > 0 ? [`${negative} bad`] : []),
  ].join(', ');
  return {
    key: segment,
    label: segmentWords(segment),
    figure: `${grouped(all)}${rated === '' ? '' : ` (${rated})`}`,
  };
}

function ofCriterion({ criterionId, label, kind, ...counts }: UsageOf<'criterionBreakdown'>): Row {
  const { passCount, failCount, ungradedCount } = counts;
  const ungraded = ungradedCount === 0 ? '' : `, ${grouped(ungradedCount)} not graded`;
  return {
    key: criterionId,
    label: criterionName({ label: label ?? null, kind: kind ?? criterionId }),
    figure: `${grouped(passCount)} of ${grouped(passCount + failCount)} graded${ungraded}`,
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
