/**
 * Lint findings for tools, each with a proposal and the failing trials that it may explain.
 * Findings with failing trials come first.
 */
import '../../kit/styles/insights.css';
import type { OutputOf } from '@proofmark/contract';
import { cleanText, count, type SurfaceOverlay } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyText } from '../../kit/copy-text.tsx';
import { TokenTable } from './token-table.tsx';

type Report = OutputOf<'getEvalRunLint'>;
type Finding = Report['findings'][number];

const severityWords = { error: 'error', warn: 'warning', info: 'hint' } as const;

export function LintFindings(props: {
  projectId: string;
  report: Report;
  /**
   * Renders the button that tries an overlay in a what-if. Absent if there is no run to try it on.
   */
  tryButton?: (overlay: SurfaceOverlay) => ReactNode;
}) {
  const { projectId, report, tryButton } = props;
  const { findings, total, runId } = report;
  const touching = findings.filter(({ trials }) => trials.length > 0);
  const others = findings.filter(({ trials }) => trials.length === 0);
  const list = (some: readonly Finding[]) =>
    some.map((finding, index) => (
      <OneFinding
        // biome-ignore lint/suspicious/noArrayIndexKey: two findings of a tool may say the same.
        key={index}
        projectId={projectId}
        finding={finding}
        runId={runId}
        tryButton={tryButton}
      />
    ));
  return (
    <>
      <TokenTable tokens={report.tokens} />
      {findings.length === 0 && <p>Nothing was found.</p>}
      {list(touching)}
      {touching.length > 0 && others.length > 0 ? (
        <details className="finding">
          <summary>{`${count(others.length, 'finding')} that no failing trial has to do with`}</summary>
          {list(others)}
        </details>
      ) : (
        list(others)
      )}
      {total > findings.length && (
        <p className="hint">{`${count(total, 'finding')}; the first ${findings.length} are shown.`}</p>
      )}
    </>
  );
}

function OneFinding(props: {
  projectId: string;
  finding: Finding;
  runId: string | null;
  tryButton: ((overlay: SurfaceOverlay) => ReactNode) | undefined;
}) {
  const { projectId, finding, runId } = props;
  const { severity, rule, toolName, toolNames, otherToolName, serverName, path, trials } = finding;
  const tools = [toolName ?? serverName ?? 'Server', otherToolName].filter(
    (name) => name !== undefined,
  );
  return (
    <details className="finding">
      <summary>
        <b>
          <bdi>{tools.map((name) => cleanText(name, false)).join(' and ')}</bdi>
        </b>
        {`: ${cleanText(finding.message, false)}`}
        <span className="hint figures">
          {`${severityWords[severity]} · ${rule}${trials.length === 0 ? '' : ` · ${trials.length === 20 ? '20 or more failing trials' : count(trials.length, 'failing trial')}`}`}
        </span>
      </summary>
      <p>{finding.reason}</p>
      <p className="hint">
        {serverName !== null && <bdi>{`${cleanText(serverName, false)} `}</bdi>}
        <code>{path}</code>
      </p>
      {toolNames !== undefined && (
        <p>
          <bdi>{cleanText(toolNames.join(', '), false)}</bdi>
        </p>
      )}
      {runId !== null && trials.length > 0 && (
        <ol className="finding-evidence" aria-label="Failing trials">
          {trials.map((trialId, index) => (
            <li key={trialId}>
              <Link
                to="/projects/$projectId/runs/$runId/trials/$trialId"
                params={{ projectId, runId, trialId }}
              >
                {`Failing trial ${index + 1}`}
              </Link>
            </li>
          ))}
        </ol>
      )}
      {finding.overlay !== undefined && (
        <>
          <p>
            An overlay to try with <code>proofmark eval whatif</code>
            {props.tryButton !== undefined && <> or here: {props.tryButton(finding.overlay)}</>}
          </p>
          <CopyText
            text={JSON.stringify(finding.overlay, null, 2)}
            label="Copy the overlay"
            block
          />
        </>
      )}
    </details>
  );
}
