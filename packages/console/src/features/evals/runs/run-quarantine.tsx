/**
 * Shows the effect of the suite's quarantine on a run's gate: failed cases that are excused, and
 * stale entries that fail the gate. The user can put a failed case into quarantine.
 */
import type { EvalRun } from '@proofmark/contract';
import { caseOfRow, type DecisionCase, type DecisionSummary } from '@proofmark/domain';
import { quarantineSentences } from '@proofmark/report';
import { PagePart } from '../../../kit/page-part.tsx';
import type { EvalTrial } from '../data/eval-runs.ts';
import { type CaseToExcuse, PutIntoQuarantine } from '../suites/quarantine-dialog.tsx';
import { LiftQuarantine } from '../suites/quarantine-table.tsx';
import { useQuarantineOfRun } from './quarantine-of-run.ts';
import { Words } from './words.tsx';

export function RunQuarantine(props: {
  run: EvalRun;
  summary: DecisionSummary;
  notPassed: readonly EvalTrial[];
  /**
   * With `top`, renders only a quarantine that affects the gate; with `below`, only one that does
   * not.
   */
  place: 'top' | 'below';
}) {
  const { run, summary, notPassed, place } = props;
  const quarantine = useQuarantineOfRun(run, summary, notPassed);
  const sentences = quarantineSentences(quarantine);
  const letThrough = quarantine?.letThrough ?? [];
  const entries = [...letThrough.map(({ entry }) => entry), ...(quarantine?.stale ?? [])];
  const cases = casesToExcuse(summary, notPassed, new Set(letThrough.map((one) => one.variant)));
  if (place !== (sentences.length > 0 ? 'top' : 'below')) return null;
  if (sentences.length === 0 && cases.length === 0) return null;
  const ids = { projectId: run.projectId, suiteId: run.suiteId };
  return (
    <PagePart
      id="quarantine"
      title="Quarantine"
      actions={<PutIntoQuarantine ids={ids} cases={cases} />}
    >
      {sentences.length === 0 && <p className="hint">No case that failed is in quarantine.</p>}
      {quarantine?.word === 'QUARANTINED' && (
        <p className="waiver">
          The gate lets this run through, because only cases in quarantine failed. The verdict stays
          failed.
        </p>
      )}
      {sentences.length > 0 && (
        <ul>
          {sentences.map((sentence, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences in a fixed order.
            <li key={index}>
              <Words sentence={sentence} />{' '}
              {entries[index]?.source === 'api' && (
                <LiftQuarantine ids={ids} entryId={entries[index].id} />
              )}
            </li>
          ))}
        </ul>
      )}
    </PagePart>
  );
}

/** Returns the cases with a failed variant that the quarantine does not excuse, each case once. */
export function casesToExcuse(
  summary: DecisionSummary,
  trials: readonly Pick<EvalTrial, 'caseId' | 'testCaseId' | 'title'>[],
  letThrough: ReadonlySet<DecisionCase>,
): CaseToExcuse[] {
  if (summary.verdictSource !== 'policyV2') return [];
  const failed = new Set(
    summary.decision.cases
      .filter((row) => row.verdict === 'failed' && !letThrough.has(row))
      .map(({ caseId }) => caseId),
  );
  const found = new Map<string, string>();
  for (const { caseId, testCaseId, title } of trials) {
    if (testCaseId === null || caseId == null || !failed.has(caseId)) continue;
    const of = caseOfRow(testCaseId);
    if (!found.has(of)) found.set(of, title ?? caseId);
  }
  return [...found].map(([caseId, name]) => ({ caseId, name }));
}
