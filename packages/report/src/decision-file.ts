/**
 * Writes a run's decision as a file for people or other programs. The same decision gives the same
 * bytes in every program.
 */
import { type CaseTitles, type DecisionSummary, knownOfRun, type ReadRun } from '@proofmark/domain';
import type { RunJudges } from './judge-sentence.ts';
import { type RenderOptions, renderSummary } from './render-summary.ts';
import { waiverOf } from './waiver-of.ts';
import { type JunitOptions, renderJunit } from './write-junit.ts';

export const decisionFormats = ['markdown', 'json', 'junit', 'html'] as const;
export type DecisionFormat = (typeof decisionFormats)[number];

export type FiledRun = ReadRun &
  Parameters<typeof waiverOf>[0] & {
    readonly runNumber: number;
    readonly createdAt: number;
    readonly completedAt: number | null;
    readonly caseTitles?: CaseTitles | undefined;
    readonly judges?: RunJudges | undefined;
  };

export interface FiledDecision {
  readonly run: FiledRun;
  readonly summary: DecisionSummary;
  readonly isAll: boolean;
  readonly calls: RenderOptions['calls'];
  readonly surface?: RenderOptions['surface'];
  readonly quarantine?: RenderOptions['quarantine'];
  readonly suiteName?: string | undefined;
  /** The passed trials; JUnit sums their durations for each case. */
  readonly passed?: JunitOptions['passed'];
  readonly baseUrl: string;
}

export function decisionFile(format: DecisionFormat, decision: FiledDecision): string {
  const { run, summary, isAll, calls, surface, suiteName, passed, baseUrl } = decision;
  const { caseTitles, judges, projectId } = run;
  const known = {
    ...knownOfRun(run, isAll),
    calls,
    surface,
    caseTitles,
    quarantine: decision.quarantine,
    waiver: waiverOf(run),
    console: { baseUrl, projectId },
  };
  switch (format) {
    case 'json':
      return `${JSON.stringify(summary)}\n`;
    case 'junit': {
      const { runNumber, createdAt: startedAt, completedAt: endedAt } = run;
      return renderJunit(summary, { ...known, suiteName, runNumber, startedAt, endedAt, passed });
    }
    case 'markdown':
    case 'html':
      return renderSummary(summary, { ...known, judges, format });
  }
}
