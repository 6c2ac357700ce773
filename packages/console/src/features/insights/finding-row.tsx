/**
 * A finding that persists over several runs, as a collapsed line with its next action, dates and
 * evidence.
 */
import '../../kit/styles/insights.css';
import { stageWords } from '@proofmark/domain';
import type { ReactNode } from 'react';
import { DismissButton } from '../../kit/dismiss-button.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { InstantText } from '../../kit/instant-text.tsx';

export function FindingRow(props: {
  finding: {
    readonly id: string;
    readonly title: string;
    readonly status: string;
    readonly nextAction: string;
    readonly advice?: string | undefined;
    readonly firstFailedStage?: keyof typeof stageWords | undefined;
    readonly firstSeenAt: number;
    readonly resolvedAt: number | null;
    readonly dismissedAt: number | null;
  };
  /** The affected number with its unit, such as "3 of 20 conversations". */
  figures: string;
  lastSeen: ReactNode;
  mostFrequent?: ReactNode;
  evidence: ReactNode;
  dismissing: Parameters<typeof DismissButton>[0]['dismissing'];
}) {
  const { finding, mostFrequent } = props;
  const { firstFailedStage, dismissedAt, resolvedAt } = finding;
  const status = `${finding.status}${dismissedAt === null ? '' : ', dismissed'}`;
  return (
    <details className="finding" id={finding.id}>
      <summary>
        <b>
          <bdi>{finding.title}</bdi>
        </b>
        <span className="hint figures">{`${status} · ${props.figures}`}</span>
      </summary>
      {finding.advice !== undefined && (
        <p className="next">
          <b>Advice:</b> {finding.advice}
        </p>
      )}
      <p className="next">
        <b>Next:</b> {finding.nextAction}
      </p>
      <FactList
        facts={[
          [
            'First failed stage',
            firstFailedStage === undefined ? 'none' : stageWords[firstFailedStage],
          ],
          ...(mostFrequent === undefined ? [] : ([['Said most often', mostFrequent]] as const)),
          ['First seen', <InstantText key="first" atMs={finding.firstSeenAt} />],
          ['Last seen', props.lastSeen],
          ...(resolvedAt === null
            ? []
            : ([['Resolved', <InstantText key="resolved" atMs={resolvedAt} />]] as const)),
        ]}
      />
      <ol className="finding-evidence" aria-label="Evidence">
        {props.evidence}
      </ol>
      <DismissButton isDismissed={dismissedAt !== null} dismissing={props.dismissing} />
    </details>
  );
}
