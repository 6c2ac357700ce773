/**
 * Reads result files of test runners. The same files always yield the same result ids, so the
 * service stores nothing twice.
 */
import { readFile } from 'node:fs/promises';
import type { ReportedResult } from '@proofmark/client';
import type { ReportFormat } from '@proofmark/domain';
import { ReportProblem, readReport, resultsOfReport } from '@proofmark/server/reports';
import { UsageProblem } from './exit-codes.ts';

export async function readReportFiles(
  files: readonly string[],
  format?: ReportFormat,
): Promise<ReportedResult[]> {
  const results: ReportedResult[] = [];
  for (const [at, file] of files.entries()) {
    const bytes = await readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
      throw new UsageProblem(`${file} cannot be read (${code ?? 'unknown reason'}).`);
    });
    for (const result of resultsOfReport(readOne(file, bytes, format ?? formatOf(bytes)))) {
      results.push({ ...result, externalIterationId: `${at}/${result.externalIterationId}` });
    }
  }
  return results;
}

function readOne(file: string, bytes: Uint8Array, format: ReportFormat) {
  try {
    return readReport(bytes, format);
  } catch (error) {
    if (!(error instanceof ReportProblem)) throw error;
    throw new UsageProblem(`${file}: ${error.message}`);
  }
}

export function formatOf(bytes: Uint8Array): ReportFormat {
  const start = new TextDecoder().decode(bytes.subarray(0, 4096)).trimStart();
  return start.startsWith('{') || start.startsWith('[') ? 'vitest-json' : 'junit-xml';
}
