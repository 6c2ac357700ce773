// Reads one whole report in the calling thread. A ReportProblem means that the report itself is at
// fault; any other error is a fault of Proofmark.

import type { ReportFormat } from '@proofmark/domain';
import { checkFirstBytes, decodePieces } from './decode.ts';
import { readTestResults } from './jest.ts';
import { JsonReader } from './json-reader.ts';
import { readJunit } from './junit.ts';
import { type Report, ReportProblem } from './report.ts';
import { ReportBuilder } from './report-builder.ts';
import { readTaskFiles } from './vitest-tasks.ts';

export function readReport(bytes: Uint8Array, format: ReportFormat): Report {
  checkFirstBytes(bytes, format);
  return format === 'junit-xml' ? readJunit(bytes) : readJson(bytes, format);
}

function readJson(bytes: Uint8Array, format: 'jest-json' | 'vitest-json'): Report {
  const json = new JsonReader([...decodePieces(bytes, bytes.length + 1)].join(''));
  const builder = new ReportBuilder();
  const names: string[] = [];
  let succeeded = true;
  if (json.peek() !== '{')
    throw new ReportProblem('The JSON is a list, but a report must be an object.');
  json.object({
    testResults: () => {
      names.push('testResults');
      readTestResults(json, builder);
    },
    success: () => {
      succeeded = json.peek() !== 'f';
      json.skip();
    },
    files: () => {
      names.push('files');
      // `files` repeats the tests of `testResults`, so it is read only if `testResults` is absent.
      if (format === 'vitest-json' && !names.includes('testResults')) readTaskFiles(json, builder);
      else json.skip();
    },
  });
  json.end();
  if (!succeeded && builder.isGreen) {
    builder.addError('', 'The report says that the run did not succeed, but names no failure.');
  }
  if (names.includes('testResults') || (names.includes('files') && format === 'vitest-json')) {
    return builder.finish();
  }
  throw new ReportProblem(
    format === 'jest-json'
      ? 'The JSON has no field testResults, so it is not a Jest report.'
      : 'The JSON has neither testResults nor files, so it is not a Vitest report.',
  );
}
