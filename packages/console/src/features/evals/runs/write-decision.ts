/**
 * Writes a run's decision as a file, with the same code as the CLI. This module is large, so it is
 * loaded only on demand.
 */
import type { EvalRun, OutputOf } from '@proofmark/contract';
import { summaryOfRun } from '@proofmark/domain';
import { type DecisionFormat, decisionFile, type SurfaceToRender } from '@proofmark/report';
import type { QuarantinedCase } from '../suites/quarantine-table.tsx';
import { quarantineOfRun } from './quarantine-of-run.ts';

export function writeDecisionFile(
  format: DecisionFormat,
  run: EvalRun,
  trials: {
    readonly items: readonly OutputOf<'getEvalIteration'>[];
    readonly isAll: boolean;
  },
  known: {
    readonly suiteName: string | undefined;
    readonly surface: SurfaceToRender | undefined;
    /** Passed trials. Only formats with a duration for each case need them. */
    readonly passed: readonly OutputOf<'getEvalIteration'>[] | undefined;
    readonly entries: readonly QuarantinedCase[];
  },
): { readonly content: Blob; readonly name: string } {
  const { entries, ...others } = known;
  const summary = summaryOfRun(run, trials);
  const text = decisionFile(format, {
    ...others,
    quarantine: quarantineOfRun(run, { summary, notPassed: trials.items, entries }),
    run,
    isAll: trials.isAll,
    summary,
    calls: new Map(trials.items.map((trial) => [trial.id, trial])),
    baseUrl: window.location.origin,
  });
  const { ending, type } = kinds[format];
  return { content: new Blob([text], { type }), name: `run-${run.runNumber}.${ending}` };
}

const kinds: Readonly<Record<DecisionFormat, { ending: string; type: string }>> = {
  json: { ending: 'json', type: 'application/json' },
  markdown: { ending: 'md', type: 'text/markdown' },
  junit: { ending: 'xml', type: 'application/xml' },
  html: { ending: 'html', type: 'text/html' },
};
