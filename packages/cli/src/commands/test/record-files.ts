/**
 * `--record` writes the recordings of a run's graded trials to files beside the suite file.
 * `--replay` then needs neither the server nor a model key. Unchanged files are not rewritten.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readAllPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import {
  count,
  identityOf,
  type MaskedRecording,
  maskedSentences,
  recordingFileName,
  recordingLines,
  surplusRecordingFiles,
  type TrialToMatch,
  withoutDurations,
} from '@proofmark/domain';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { isOutsideFolder } from '../../trust/is-outside-folder.ts';
import type { TestConnection } from './open-service.ts';
import type { SuiteToTest } from './suite-files.ts';

type Trial = OutputOf<'listEvalRunIterations'>['items'][number];

export function recordingsFolder(suiteFile: string): string {
  return `${suiteFile}.recordings`;
}

export function namesOfRecordings(suiteFile: string): string[] {
  refuseLinks(suiteFile);
  return namesIn(recordingsFolder(suiteFile));
}

/**
 * Rejects links that lead out of the suite's folder. Through such a link, a file elsewhere could be
 * read, overwritten or removed.
 */
export function refuseLinks(suiteFile: string): void {
  const folder = recordingsFolder(suiteFile);
  const isOut = (place: string) => isOutsideFolder(path.dirname(suiteFile), place);
  const names = isOut(folder) ? [] : namesIn(folder);
  const leading = [folder, ...names.map((name) => path.join(folder, name))].find(isOut);
  if (leading === undefined) return;
  throw new UsageProblem(
    `${leading} is a link that leads out of the folder of the suite; remove it.`,
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/**
 * Writes the recordings of the run's graded trials and removes recording files that are no longer
 * needed. Returns sentences for the user about the changed files.
 */
export async function recordFiles(
  { client, projectId }: TestConnection,
  suite: SuiteToTest,
  runId: string,
): Promise<string[]> {
  const asked = { projectId, runId, limit: 200 } as const;
  const trials = await readAllPages((page) => client.listEvalRunIterations({ ...asked, ...page }));
  const folder = recordingsFolder(suite.file);
  refuseLinks(suite.file);
  mkdirSync(folder, { recursive: true });
  const variantOf = (trial: Trial) => recordingFileName({ ...toMatch(trial), repetition: 1 });
  const notWritten: string[] = [];
  const recordings: MaskedRecording[] = [];
  for (const trial of trials) {
    const { result, recording } = trial;
    if (result === null) continue;
    const name = recordingFileName(toMatch(trial));
    if (recording?.state !== 'kept' || recording.hash === null) {
      notWritten.push(`${name} was not written: ${whyNot[recording?.state ?? 'off']}.`);
      continue;
    }
    const iterationId = trial.id;
    const read = await client.getEvalIterationRecording({ projectId, runId, iterationId });
    const ofVariant = trials.filter((other) => variantOf(other) === variantOf(trial)).length;
    const named = { suite: suite.id, case: caseOf(trial) };
    const head = { ...named, ...identityOf(toMatch(trial)), trials: ofVariant };
    const kept = withoutDurations(read);
    recordings.push({ name, recording: kept, ...(read.masked && { masked: read.masked }) });
    writeWhole(path.join(folder, name), recordingLines(head, kept, sha256Hex));
  }
  const caseIds = new Set([...suite.caseIds, ...trials.map(caseOf)]);
  const surplus = surplusRecordingFiles(
    namesOfRecordings(suite.file),
    caseIds,
    trials.map(toMatch),
  );
  for (const name of surplus) rmSync(path.join(folder, name));
  const removed = surplus.length > 0 ? `, and removed ${surplus.length}` : '';
  return [
    `recorded ${count(recordings.length, 'trial')} in ${folder}${removed}.`,
    ...maskedSentences(recordings),
    ...notWritten,
  ];
}

const whyNot = {
  kept: 'it has no content',
  off: 'the suite keeps no recording of it; set `recordings: all` under defaults',
  tooLarge: 'the trial is larger than a recording may be',
  expired: 'it was removed by retention',
} as const;

function caseOf({ caseId, testCaseId }: Trial): string {
  return caseId ?? testCaseId ?? '';
}

export function toMatch(trial: Trial): TrialToMatch {
  const { model, provider, iterationNumber: repetition } = trial;
  return { caseId: caseOf(trial), model, provider, repetition };
}

/** Replaces a file atomically, so that an interruption never leaves a partial file. */
function writeWhole(file: string, text: string): void {
  if (readIfThere(file) === text) return;
  const unfinished = `${file}.${process.pid}`;
  rmSync(unfinished, { force: true });
  // With the flag `wx`, the write fails if the path exists, even as a symbolic link. So nothing is
  // written through a link.
  writeFileSync(unfinished, text, { flag: 'wx' });
  renameSync(unfinished, file);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
