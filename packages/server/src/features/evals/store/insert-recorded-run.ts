/**
 * A run of which only what it said and heard is known, since it was elsewhere: it is there to be replayed, has no result,
 * and is no run to compare with.
 */
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  type CaseToPlan,
  canonicalJson,
  caseRepetitions,
  expandCases,
  makeId,
  type Recording,
  resolveTerms,
  type TrialToMatch,
  wholeVariants,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { findSuiteToRun } from './eval-suites.ts';
import { insertLaunchedRun, insertPendingTrials } from './launched-runs.ts';
import { endRecordedRun } from './recorded-trials.ts';
import { writeRecordings } from './recordings.ts';

/** `caseId` is the id that the file of the suite gives the case. */
export interface TrialOfFile extends TrialToMatch {
  /** Left out where it cannot be played: it is counted all the same. */
  readonly recording?: Recording;
}

interface PlaceOfSuite {
  readonly organizationId: string;
  readonly projectId: string;
  readonly suiteId: string;
  /** How often each case is to be played, where that is not for the suite to say. */
  readonly repetitions?: number | undefined;
}

export interface InsertedRun {
  readonly runId: string;
  readonly trials: number;
  /** Files that the suite asks for: of what lacks one, nothing is there. */
  readonly missing: readonly string[];
}

const compress = promisify(gzip);

/**
 * Trials of cases that the suite does not have are left out. Those of variants that were recorded too seldom are there
 * without a recording, so that a replay counts them.
 */
export async function insertRecordedRun(
  sql: Sql,
  { repetitions: ofRun, ...place }: PlaceOfSuite,
  trials: readonly TrialOfFile[],
): Promise<InsertedRun> {
  const suite = await findSuiteToRun(sql, place.projectId, place.suiteId);
  const expanded = expandCases(suite?.cases ?? [], undefined, sha256Hex);
  if ('refusal' in expanded) throw new Error(expanded.refusal.message);
  const cases = new Map(expanded.cases.map((one, index) => [one.declaredId, index]));
  const ofSuite = trials.flatMap((trial) => {
    const caseIndex = cases.get(trial.caseId);
    return caseIndex === undefined ? [] : [{ ...trial, caseIndex }];
  });
  const { whole, missing, lacking } = wholeVariants(ofSuite, ({ caseIndex }) => {
    const ofCase = expanded.cases[caseIndex]?.definition.iterations;
    return caseRepetitions({ ofRun, ofCase }, suite?.definition.settings ?? {});
  });
  const placed = [
    ...(await Promise.all(whole.map(compressedTrial))),
    ...lacking.map((trial) => ({ ...trial, caseIndex: cases.get(trial.caseId) as number })),
  ];
  const run = { ...place, id: newId('evalRun') };
  await insertLaunchedRun(sql, { ...run, ...ofNobody, trialCount: placed.length });
  const ordered = placed.map((trial, index) => ({ ...trial, ordinal: index + 1 }));
  const pending = ordered.map(({ ordinal, caseIndex, repetition, model, provider }) => ({
    ...{ ordinal, caseIndex, id: newId('evalIteration'), trialNumber: repetition },
    ...{ model: model ?? undefined, provider: provider ?? undefined },
  }));
  await insertPendingTrials(sql, run, expanded.cases.map(caseOf), pending);
  await writeRecordings(sql, run.id, place.organizationId, ordered);
  await endRecordedRun(sql, run.id);
  return { runId: run.id, trials: whole.length, missing };
}

async function compressedTrial<Trial extends TrialOfFile>({ recording, ...trial }: Trial) {
  if (recording === undefined) throw new Error('A variant that is whole lacks a recording.');
  const content = canonicalJson(recording);
  const bytes = await compress(content);
  return {
    ...trial,
    recording: {
      ...{ state: 'kept' as const, bytes: Buffer.byteLength(content), hash: sha256Hex(content) },
      // Files do not say how long things took.
      ...{ content: bytes.toString('base64'), durations: { servers: [], exchanges: [] } },
    },
  };
}

const ofNobody = {
  source: 'api' as const,
  ...{ verdictPolicyVersion: null, notes: null, createdBy: null },
  ...{ idempotencyKey: null, requestHash: null, runGroupId: null, slotGroupId: null },
  ...{ timeoutMs: 1000, assertsNothing: { caseVariants: 0, titles: [] }, replay: null },
  snapshot: { terms: resolveTerms({}), servers: [], environment: null, toolSurface: null },
};

function caseOf({ id, declaredId, definition }: CaseToPlan) {
  return {
    ...{ caseId: id, declaredId: declaredId ?? undefined, title: definition.title },
    ...{ expectedToolCalls: [], evaluationConfig: {} },
  };
}

function newId(kind: 'evalRun' | 'evalIteration'): string {
  return makeId(kind, Date.now(), randomBytes(10));
}
