/** What detectors found in a run, explained by somebody who is named; or the button that asks for it. */
import type { EvalRun } from '@proofmark/contract';
import { count, grouped } from '@proofmark/domain';
import { type RunIds, useInsightsLeft, useRequestInsights } from '../../data/eval-runs.ts';
import { InstantText } from '../instant-text.tsx';
import { FindingDetails } from './finding-details.tsx';
import '../../styles/insights.css';

type Insights = NonNullable<EvalRun['insights']>;

export function InsightsBlock(props: { ids: RunIds; insights: Insights }) {
  const { ids, insights } = props;
  if (insights.status === 'not_available') return null;
  return (
    <section aria-labelledby="insights">
      <h2 id="insights">Insights</h2>
      <div role="status">
        <p className="intro">{statusSentence(insights)}</p>
      </div>
      {insights.summary !== null && <p className="foreign-text">{insights.summary}</p>}
      {insights.status === 'completed' && <Author insights={insights} />}
      <ul className="findings">
        {insights.findings.map((finding) => (
          <li key={`${finding.id} ${finding.signalFingerprint}`}>
            <FindingDetails ids={ids} finding={finding} />
          </li>
        ))}
      </ul>
      {insights.truncation.omittedFindings > 0 && (
        <p className="hint">
          {`${count(insights.truncation.omittedFindings, 'less severe finding')} not shown.`}
        </p>
      )}
      {insights.status !== 'pending' && <AskForInsights ids={ids} insights={insights} />}
    </section>
  );
}

function Author({ insights }: { insights: Insights }) {
  const { modelUsed, generatedAt, coverage } = insights;
  return (
    <p className="hint">
      {`Written by ${modelUsed ?? 'nobody'}`}
      {generatedAt !== null && (
        <>
          {', '}
          <InstantText atMs={generatedAt} />
        </>
      )}
      {'. All counts are the service’s own.'}
      {coverage.truncated &&
        ` ${grouped(coverage.analyzed)} of ${count(coverage.total, 'trial')} were read, failing ones first.`}
      {coverage.lowConfidence && ' More than half of the trials were not graded.'}
    </p>
  );
}

function AskForInsights({ ids, insights }: { ids: RunIds; insights: Insights }) {
  const asking = useRequestInsights(ids);
  const left = useInsightsLeft(ids.projectId);
  const isAgain = insights.status === 'completed';
  if (insights.status === 'failed' && !insights.retryable) return null;
  return (
    <>
      <div className="ask-insights">
        <button
          type="button"
          className={isAgain ? 'small' : undefined}
          disabled={asking.isPending}
          onClick={() => asking.mutate({ force: isAgain })}
        >
          {isAgain ? 'Explain again' : 'Explain what was found'}
        </button>
        {left !== undefined && <span className="hint">{left}</span>}
      </div>
      <div role="alert">
        {asking.error !== null && <p className="form-problem">{asking.error.message}</p>}
      </div>
    </>
  );
}

function statusSentence({ status, error, findings, coverage, reasonCode }: Insights): string {
  const trials = count(coverage.total, 'trial');
  switch (status) {
    case 'pending':
      return `What was found in ${trials} is being explained.`;
    case 'failed':
      return `It could not be explained: ${error?.message ?? 'nobody knows why.'}`;
    case 'completed':
      return reasonCode === 'nothing_found'
        ? `Nothing was found in ${trials}.`
        : `${count(findings.length, 'finding')} in ${trials}, the severest first.`;
    default:
      return `Nobody has asked yet to have explained what was found in ${trials}.`;
  }
}
