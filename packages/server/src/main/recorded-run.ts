/**
 * Recordings of files become a run of their suite that can be replayed: the run that was recorded was elsewhere, and only
 * what it said and heard is known. It has no result, and is no run to compare with.
 */
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  type CaseToPlan,
  canonicalJson,
  expandCases,
  makeId,
  type Recording,
  resolveTerms,
  type TrialToMatch,
} from '@proofmark/domain';
import { sha256Hex } from '../hashing/sha256-hex.ts';
import { insertLaunchedRun, insertPendingTrials } from '../storage/eval-runs/launched-runs.ts';
import { endRecordedRun } from '../storage/eval-runs/recorded-trials.ts';
import { writeRecordings } from '../storage/eval-runs/recordings.ts';
import { findSuiteToRun } from '../storage/eval-suites/eval-suites.ts';
import { findProjectOfOperator } from '../storage/servers/operator-servers.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';
import { withStore } from './with-store.ts';

/** `caseId` is the id that the file of the suite gives the case. */
export interface TrialOfFile extends TrialToMatch {
  readonly recording: Recording;
}

interface RecordedRun {
  readonly projectId: string | undefined;
  readonly suiteId: string;
  readonly trials: readonly TrialOfFile[];
}

const compress = promisify(gzip);

/** Answers the id of the run. Trials of cases that the suite does not have are left out. */
export async function keepRecordedRun(
  settings: Settings,
  { projectId, suiteId, trials }: RecordedRun,
  say: (sentence: string) => void,
): Promise<string> {
  const compressed = await Promise.all(trials.map(compressedTrial));
  return withStore(settings, say, async ({ owner }) => {
    const project = await findProjectOfOperator(owner, projectId);
    if (project === undefined) throw new BadSetting(`There is no project ${projectId}.`);
    const { organizationId } = project;
    return owner.transaction(async (sql) => {
      const suite = await findSuiteToRun(sql, project.id, suiteId);
      const expanded = expandCases(suite?.cases ?? [], undefined, sha256Hex);
      if ('refusal' in expanded) throw new BadSetting(expanded.refusal.message);
      const cases = new Map(expanded.cases.map((one, index) => [one.declaredId, index]));
      const placed = compressed.flatMap((trial) => {
        const caseIndex = cases.get(trial.caseId);
        return caseIndex === undefined ? [] : [{ ...trial, caseIndex }];
      });
      const run = { id: newId('evalRun'), organizationId, projectId: project.id, suiteId };
      await insertLaunchedRun(sql, { ...run, ...ofNobody, trialCount: placed.length });
      const ordered = placed.map((trial, index) => ({ ...trial, ordinal: index + 1 }));
      const pending = ordered.map(({ ordinal, caseIndex, repetition, model, provider }) => ({
        ...{ ordinal, caseIndex, id: newId('evalIteration'), trialNumber: repetition },
        ...{ model: model ?? undefined, provider: provider ?? undefined },
      }));
      await insertPendingTrials(sql, run, expanded.cases.map(caseOf), pending);
      await writeRecordings(sql, run.id, organizationId, ordered);
      await endRecordedRun(sql, run.id);
      return run.id;
    });
  });
}

async function compressedTrial({ recording, ...trial }: TrialOfFile) {
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
