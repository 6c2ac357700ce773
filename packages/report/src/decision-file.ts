/**
 * The decision of a run as one of the files for people and other programs. The bytes are the same
 * from every source.
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
  /** Whether the list contains all trials that did not pass. */
  readonly isAll: boolean;
  readonly calls: RenderOptions['calls'];
  /** For a failed run: the differences between its tools and those of the previous run. */
  readonly surface?: RenderOptions['surface'];
  readonly suiteName?: string | undefined;
  /** The trials that passed, for the times of cases in JUnit. */
  readonly passed?: JunitOptions['passed'];
  /** The address of the console. */
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
