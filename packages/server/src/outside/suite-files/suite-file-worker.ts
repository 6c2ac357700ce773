/**
 * The thread that reads a suite file. It returns the content as JSON with all aliases expanded. A
 * few hundred bytes of aliases can expand to far more than the calling thread should receive, so
 * JSON above a limit is not returned.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { SuiteFileHelp } from '@proofmark/domain';
import { threadReady } from '../threads/thread-ready.ts';
import { parseSuiteFile } from './parse-suite-file.ts';
import { refused, type SuiteFileFindings, type SuiteFileWarning } from './refused-file.ts';
import type { WrittenPlaces } from './written-places.ts';

export interface SuiteFileToRead {
  readonly text: string;
  readonly help: SuiteFileHelp;
}

export type SuiteFileAnswer =
  | { json: string; places: WrittenPlaces; cut?: readonly SuiteFileWarning[] }
  | { findings: SuiteFileFindings };

/**
 * The maximum length of the JSON: twice the limit of a file. Hand-written files without aliases
 * never come close.
 */
const longestJson = 2_097_152;

parentPort?.on('message', () => parentPort?.postMessage(answer(workerData as SuiteFileToRead)));
parentPort?.postMessage(threadReady);

function answer({ text, help }: SuiteFileToRead): SuiteFileAnswer {
  const read = parseSuiteFile(text, help);
  if ('findings' in read) return read;
  const { file, ...rest } = read;
  const json = JSON.stringify(file);
  if (json.length <= longestJson) return { json, ...rest };
  const message = `As JSON, the suite file has more than ${longestJson} characters; split it.`;
  return refused('SUITE_FILE_TOO_LARGE', message);
}
