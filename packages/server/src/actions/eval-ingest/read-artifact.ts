/**
 * Turns an uploaded test report into results, as a reporter would have sent them. What went wrong outside any
 * test becomes a trial that stopped in set-up: it judges no case, and yet the run is not taken for complete. Its
 * title is where it happened and leaves the message out, so that it is the same case in the next run.
 */
import { invalid, notFound, type ReportFormat, Semaphore } from '@proofmark/domain';
import { parseReport } from '../../reports/parse-report.ts';
import type { ReportedError } from '../../reports/report.ts';
import { findArtifact, openContent } from '../../storage/eval-ingest/artifacts.ts';
import { type ProjectContext, refuse } from '../action.ts';

export type ArtifactResult = {
  readonly caseTitle: string;
  readonly externalIterationId: string;
  readonly status: 'completed' | 'skipped' | 'setup_failed';
  readonly passed?: boolean;
  readonly durationMs?: number;
  readonly error?: string;
};

/** A report is in memory whole while it is read, so only a few are read at a time. */
const reading = new Semaphore(2);

export async function readArtifact(
  context: ProjectContext,
  artifact: { readonly artifactId: string; readonly format: ReportFormat },
): Promise<ArtifactResult[]> {
  const report = await reading.run('artifact', async () =>
    parseReport(await loadContent(context, artifact), artifact.format),
  );
  if ('problem' in report) return refuse(invalid('body.artifact', report.problem));
  return [...report.tests, ...report.errors.map(stoppedInSetup)];
}

async function loadContent(
  { project, tenant }: ProjectContext,
  { artifactId, format }: { readonly artifactId: string; readonly format: ReportFormat },
): Promise<Buffer> {
  // No id of ours looks like this, so there is nothing to look for.
  if (!/^\w+$/.test(artifactId)) return refuse(notFound);
  const artifact = await tenant((sql) => findArtifact(sql, project.id, artifactId));
  if (artifact === undefined) return refuse(notFound);
  if (artifact.format !== null && artifact.format !== format) {
    const message = `The upload URL was made for ${artifact.format}, and the report says ${format}.`;
    return refuse(invalid('body.artifact.format', message));
  }
  if (artifact.content === null) {
    const message = 'The artifact is not uploaded yet; send the file to its uploadUrl first.';
    return refuse({ code: 'CONFLICT', message, details: { reason: 'NOT_UPLOADED' } });
  }
  return openContent(artifact.content);
}

/** Ids of tests hold no slash. */
function stoppedInSetup({ place, message }: ReportedError, index: number): ArtifactResult {
  return {
    caseTitle: place || 'outside any test',
    externalIterationId: `error/${index}`,
    status: 'setup_failed',
    error: message || 'It could not be loaded, and the report does not say why.',
  };
}
