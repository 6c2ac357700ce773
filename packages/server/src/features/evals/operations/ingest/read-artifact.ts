import { invalid, notFound, type ReportFormat, Semaphore } from '@proofmark/domain';
import { parseReport } from '../../../../outside/reports/parse-report.ts';
import {
  type ReportResult,
  resultsOfReport,
} from '../../../../outside/reports/results-of-report.ts';
import { type ProjectContext, refuse } from '../../../../platform/operations/action.ts';
import { findArtifact, openContent } from '../../store/reported/artifacts.ts';

/**
 * At most two reports are read concurrently, because a report is completely in memory while it is
 * read.
 */
const reading = new Semaphore(2);

export async function readArtifact(
  context: ProjectContext,
  artifact: { readonly artifactId: string; readonly format: ReportFormat },
): Promise<ReportResult[]> {
  const report = await reading.run('artifact', async () =>
    parseReport(await loadContent(context, artifact), artifact.format),
  );
  if ('problem' in report) return refuse(invalid('body.artifact', report.problem));
  return resultsOfReport(report);
}

async function loadContent(
  { project, tenant }: ProjectContext,
  { artifactId, format }: { readonly artifactId: string; readonly format: ReportFormat },
): Promise<Buffer> {
  // The service issues no ids with other characters, so such an id needs no lookup.
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
