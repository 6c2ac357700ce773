/**
 * Reads one page of a run's decision summary, first the run, then its trials, without locks. An
 * ended run gets no more trials, so a page that is marked complete misses none.
 */
import {
  composeSummaryOpening,
  listDiagnostics,
  type PagePosition,
  type PageRequest,
  type RunRecord,
} from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { calledNothing } from '../../store/called-nothing.ts';
import { asRunRecord, type StoredRun } from '../../store/eval-runs.ts';
import { findLeftOut } from '../../store/left-out.ts';
import { readRunTrialPlans } from '../../store/planned-trials.ts';
import { tallyRefusedTools } from '../../store/refused-calls.ts';
import { readScannedTrials } from '../../store/stored-trials.ts';
import { findRun } from './find-run.ts';
import { hasEnded } from './present-run.ts';

/** Fields of a run that its row lacks; they are counted over its trials. */
type SeenOfTrials = Pick<RunRecord, 'refusedCalls' | 'leftOut' | 'nothingCalled' | 'plans'>;

export class KeptOpening {
  /** JSON without the closing brace of the object, so that the rest can be appended. */
  readonly text: string;
  readonly revision: number;
  readonly allTrialsRecorded: boolean;

  constructor(run: StoredRun, seen: SeenOfTrials) {
    const record = { ...asRunRecord(run), ...seen };
    this.text = JSON.stringify(composeSummaryOpening(record)).slice(0, -1);
    this.revision = run.revision;
    // A launched run has a row for every trial from the start. In a reported run, trials arrive
    // until the run ends.
    this.allTrialsRecorded = run.source !== 'sdk' || hasEnded(run);
  }

  get size(): number {
    return this.text.length * 2;
  }
}

export interface SummaryPage {
  readonly opening: KeptOpening;
  readonly text: string;
}

interface Place {
  readonly projectId: string;
  readonly runId: string;
}

/** `opening` must belong to the current revision of the run. */
export async function readSummaryPage(
  sql: Sql,
  place: Place,
  {
    page,
    cursorFor,
  }: { readonly page: PageRequest; readonly cursorFor: (position: PagePosition) => string },
  kept?: KeptOpening,
): Promise<SummaryPage> {
  const [opening, trials] = await Promise.all([
    kept ?? readOpening(sql, place),
    readScannedTrials(sql, place.runId, page),
  ]);
  const diagnostics = listDiagnostics(place, trials.items, {
    cursorGiven: page.after !== undefined,
    nextCursor: trials.next && cursorFor(trials.next),
    allTrialsRecorded: opening.allTrialsRecorded,
  });
  return { opening, text: `${opening.text},"diagnostics":${JSON.stringify(diagnostics)}}` };
}

async function readOpening(sql: Sql, { projectId, runId }: Place): Promise<KeptOpening> {
  const run = await findRun(sql, projectId, runId);
  return new KeptOpening(run, {
    refusedCalls: await tallyRefusedTools(sql, run.id),
    leftOut: await findLeftOut(sql, run),
    nothingCalled: await calledNothing(sql, run),
    plans: await readRunTrialPlans(sql, run),
  });
}
