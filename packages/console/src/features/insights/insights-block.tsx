/**
 * A run's insights: problems counted by rules, with explanations written by rules or a model. The
 * author is named. Without insights, shows the button that requests them.
 */
import '../../kit/styles/insights.css';
import type { EvalRun } from '@proofmark/contract';
import { count } from '@proofmark/domain';
import type { ReactNode } from 'react';
import { useOperation } from '../../kit/data/operations.ts';
import { InstantText } from '../../kit/instant-text.tsx';
import { PagePart } from '../../kit/page-part.tsx';
import { coverageWords } from './coverage-words.ts';
import { FindingDetails, type FindingEvidence } from './finding-details.tsx';

type Insights = NonNullable<EvalRun['insights']>;

export interface InsightsProps {
  readonly projectId: string;
  readonly insights: Insights;
  /** The word for the examined item, such as "trial". */
  readonly unit: string;
  readonly asking: {
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly mutate: (body: { force: boolean }) => void;
  };
  /** Absent if a request for insights cannot be cancelled. */
  readonly cancelling?:
    | {
        readonly isPending: boolean;
        readonly error: Error | null;
        readonly mutate: () => void;
      }
    | undefined;
  readonly evidenceLink: (evidence: FindingEvidence, words: string) => ReactNode;
}

export function InsightsBlock(props: InsightsProps) {
  const { insights, unit } = props;
  if (insights.status === 'not_available') return null;
  return (
    <PagePart id="insights" title="Insights">
      <div role="status">
        <p className="intro">{statusSentence(insights, unit)}</p>
      </div>
      {insights.summary !== null && <p className="foreign-text">{insights.summary}</p>}
      {insights.status === 'completed' && <Author insights={insights} unit={unit} />}
      <ul className="findings">
        {insights.findings.map((finding) => (
          <li key={`${finding.id} ${finding.signalFingerprint}`}>
            <FindingDetails finding={finding} unit={unit} evidenceLink={props.evidenceLink} />
          </li>
        ))}
      </ul>
      {insights.truncation.omittedFindings > 0 && (
        <p className="hint">
          {`${count(insights.truncation.omittedFindings, 'less severe finding')} not shown.`}
        </p>
      )}
      {insights.status === 'pending' ? (
        <CancelInsights cancelling={props.cancelling} />
      ) : (
        <AskForInsights {...props} />
      )}
    </PagePart>
  );
}

function Author({ insights, unit }: Pick<InsightsProps, 'insights' | 'unit'>) {
  const { modelUsed, generatedAt } = insights;
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
      {coverageWords(insights, unit).map((sentence) => ` ${sentence}`)}
    </p>
  );
}

function AskForInsights({ projectId, insights, asking }: InsightsProps) {
  const left = useInsightsLeft(projectId);
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
          {isAgain
            ? 'Explain again'
            : insights.status === 'failed'
              ? 'Try again'
              : 'Explain what was found'}
        </button>
        {left !== undefined && <span className="hint">{left}</span>}
      </div>
      <div role="alert">
        {asking.error !== null && <p className="form-problem">{asking.error.message}</p>}
      </div>
    </>
  );
}

function CancelInsights({ cancelling }: Pick<InsightsProps, 'cancelling'>) {
  if (cancelling === undefined) return null;
  return (
    <>
      <div className="ask-insights">
        <button type="button" disabled={cancelling.isPending} onClick={() => cancelling.mutate()}>
          Stop explaining
        </button>
      </div>
      <div role="alert">
        {cancelling.error !== null && <p className="form-problem">{cancelling.error.message}</p>}
      </div>
    </>
  );
}

function statusSentence(insights: Insights, unit: string): string {
  const { status, error, findings, coverage, reasonCode } = insights;
  const trials = count(coverage.total, unit);
  switch (status) {
    case 'pending':
      return `What was found in ${trials} is being explained.`;
    case 'failed':
      return `It could not be explained: ${error?.message ?? 'the reason is unknown.'}`;
    case 'completed':
      return reasonCode === 'nothing_found'
        ? `Nothing was found in ${trials}.`
        : `${count(findings.length, 'finding')} in ${trials}, the severest first.`;
    default:
      return `Nobody has asked yet to have explained what was found in ${trials}.`;
  }
}

/** Undefined without a daily limit. */
function useInsightsLeft(projectId: string): string | undefined {
  const { data } = useOperation('getProjectCapabilities', { projectId });
  const allowed = data?.plan.limits['insightsPerDay'];
  if (typeof allowed !== 'number') return undefined;
  return `${data?.plan.used?.['insightsPerDay'] ?? 0} of ${allowed} used today in this organization.`;
}
